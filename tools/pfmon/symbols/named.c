// SPDX-License-Identifier: GPL-2.0
/* From the name of a function to its address. */
#include <stdlib.h>
#include <string.h>

#include "symbols/internal.h"

/* True if it is the linker's name, without a version, or the name in the source. */
static bool is_named(const char *name, const char *wanted)
{
	const size_t length = strcspn(name, "@");
	char *plain;
	bool same;

	if (!strncmp(name, wanted, length) && !wanted[length])
		return true;
	plain = symbols_demangle(name);
	same = plain && !strcmp(plain, wanted);
	free(plain);
	return same;
}

/* Several names for one address are one function. */
unsigned int symbols_named(struct symbols *symbols, const char *wanted, uint64_t *address)
{
	const int all = dwfl_module_getsymtab(symbols->module);
	unsigned int found = 0;
	GElf_Word section;
	const char *name;
	GElf_Addr at;
	GElf_Sym entry;
	int i;

	for (i = 1; i < all; i++) {
		name = dwfl_module_getsym_info(symbols->module, i, &entry, &at, &section, NULL,
					       NULL);
		if (!name || section == SHN_UNDEF || section >= SHN_LORESERVE ||
		    GELF_ST_TYPE(entry.st_info) == STT_OBJECT || !is_named(name, wanted))
			continue;
		at -= symbols->bias;
		if (found && at == *address)
			continue;
		*address = at;
		found++;
	}
	return found;
}

bool symbols_entry(const struct symbols *symbols, uint64_t *address)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(symbols->elf, &header))
		return false;
	*address = header.e_entry;
	return true;
}
