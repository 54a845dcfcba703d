// SPDX-License-Identifier: GPL-2.0
/* Names for addresses in programs and libraries, by elfutils' libdwfl. */
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/ranges.h"
#include "report/symbols.h"

/* libstdc++'s, which has no C header. */
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

struct symbol {
	GElf_Addr	start;		/* as libdwfl sees it */
	GElf_Xword	size;
	GElf_Addr	limit;		/* of its section */
	unsigned char	info;
	const char	*name;		/* libdwfl's */
};

struct symbols {
	Dwfl		*dwfl;
	Dwfl_Module	*module;
	Elf		*elf;
	GElf_Addr	bias;		/* from the file's addresses to libdwfl's */
	struct symbol	*symbol;	/* those of code, ascending, one for each address */
	size_t		n, room;
	struct ranges	ranges;		/* what: a symbol */
	char		*name;		/* that was demangled last */
};

static char *debug_path;		/* where Debian and others put it: the default */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

/* Let libdwfl have the file. It takes over @fd when it succeeds. */
static bool report_file(struct symbols *symbols, const char *path, int fd)
{
	dwfl_report_begin(symbols->dwfl);
	symbols->module = dwfl_report_offline(symbols->dwfl, path, path, fd);
	dwfl_report_end(symbols->dwfl, NULL, NULL);
	if (!symbols->module)
		return false;
	symbols->elf = dwfl_module_getelf(symbols->module, &symbols->bias);
	return symbols->elf != NULL;
}

/* Is this the name of a piece of code? Where its section ends, too. */
static bool is_code(const GElf_Sym *symbol, GElf_Word section, Elf *elf, GElf_Addr bias,
		    GElf_Addr *limit)
{
	const int type = GELF_ST_TYPE(symbol->st_info);
	GElf_Shdr header;
	Elf_Scn *scn;

	if ((type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) ||
	    section == SHN_UNDEF || section >= SHN_LORESERVE || !elf)
		return false;
	scn = elf_getscn(elf, section);
	if (!scn || !gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_EXECINSTR))
		return false;
	*limit = header.sh_addr + header.sh_size + bias;
	return true;
}

/*
 * Of several names for an address: that of the larger piece; not weak, then global, then
 * with fewer underscores, for internal names begin with more; then the longer one.
 */
static int by_address(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;
	const int bind_a = GELF_ST_BIND(a->info), bind_b = GELF_ST_BIND(b->info);
	const size_t plain_a = strspn(a->name, "_"), plain_b = strspn(b->name, "_");
	const size_t length_a = strlen(a->name), length_b = strlen(b->name);

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if ((bind_a == STB_WEAK) != (bind_b == STB_WEAK))
		return bind_a == STB_WEAK ? 1 : -1;
	if ((bind_a == STB_GLOBAL) != (bind_b == STB_GLOBAL))
		return bind_a == STB_GLOBAL ? -1 : 1;
	if (plain_a != plain_b)
		return plain_a < plain_b ? -1 : 1;
	if (length_a != length_b)
		return length_a > length_b ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void collect(struct symbols *symbols)
{
	const int all = dwfl_module_getsymtab(symbols->module);
	struct symbol symbol;
	GElf_Word section;
	GElf_Addr bias;
	GElf_Sym entry;
	Elf *elf;
	int i;

	for (i = 1; i < all; i++) {
		symbol.name = dwfl_module_getsym_info(symbols->module, i, &entry, &symbol.start,
						      &section, &elf, &bias);
		if (!symbol.name || !*symbol.name ||
		    !is_code(&entry, section, elf, bias, &symbol.limit))
			continue;
		symbol.size = entry.st_size;
		symbol.info = entry.st_info;
		GROW(symbols->symbol, symbols->n, symbols->room);
		symbols->symbol[symbols->n++] = symbol;
	}
}

static void set_range(struct symbols *symbols, size_t which, GElf_Addr end)
{
	const struct range range = { .start = symbols->symbol[which].start, .end = end,
				     .what = which };

	ranges_set(&symbols->ranges, &range);
}

/*
 * Where each symbol is. libdwfl's own look-up goes through the whole table each time.
 * A symbol without a size, of a program in assembly, goes to the next one, if it is not
 * a label within a function.
 */
static void arrange(struct symbols *symbols)
{
	struct symbol *symbol = symbols->symbol;
	size_t kept = 0, i;

	if (!symbols->n)
		return;
	qsort(symbol, symbols->n, sizeof(*symbol), by_address);
	for (i = 1; i < symbols->n; i++)
		if (symbol[i].start != symbol[kept].start)
			symbol[++kept] = symbol[i];
	symbols->n = kept + 1;
	for (i = 0; i < symbols->n; i++)
		if (symbol[i].size && symbol[i].start + symbol[i].size > symbol[i].start)
			set_range(symbols, i, symbol[i].start + symbol[i].size);
	for (i = 0; i < symbols->n; i++) {
		GElf_Addr end = symbol[i].limit;

		if (symbol[i].size || ranges_find(&symbols->ranges, symbol[i].start))
			continue;
		if (i < kept && symbol[i + 1].start < end)
			end = symbol[i + 1].start;
		set_range(symbols, i, end);
	}
}

struct symbols *symbols_open(const char *path, const struct build_id *id,
			     struct problem *why)
{
	/* What a damaged profile names could be anything: it shall not hang us. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct symbols *symbols;
	struct build_id now;

	if (fd < 0 || !is_regular_file(fd)) {
		problem(why, "%s: %s", path, fd < 0 ? strerror(errno) : "this is no regular file");
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	symbols = xcalloc(1, sizeof(*symbols));
	symbols->dwfl = dwfl_begin(&callbacks);
	if (!symbols->dwfl || !report_file(symbols, path, fd)) {
		problem(why, "%s: %s", path, dwfl_errmsg(-1));
		if (!symbols->module)
			close(fd);
		symbols_close(symbols);
		return NULL;
	}
	build_id_of_elf(&now, symbols->elf);
	if (!id->size || (now.size == id->size && !memcmp(now.id, id->id, id->size))) {
		collect(symbols);
		arrange(symbols);
		return symbols;
	}
	problem(why, "%s has changed since the recording", path);
	symbols_close(symbols);
	return NULL;
}

/* The address that a part of the file is loaded to, as the file itself says. */
static bool address_of_offset(Elf *elf, uint64_t offset, GElf_Addr *address)
{
	GElf_Phdr segment;
	size_t n, i;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD)
			continue;
		if (offset < segment.p_offset || offset - segment.p_offset >= segment.p_filesz)
			continue;
		*address = offset - segment.p_offset + segment.p_vaddr;
		return true;
	}
	return false;
}

const char *symbols_find(struct symbols *symbols, uint64_t offset, bool demangle)
{
	const struct range *range;
	GElf_Addr address;
	const char *name;
	char *plain;
	int status;

	if (!address_of_offset(symbols->elf, offset, &address))
		return NULL;
	range = ranges_find(&symbols->ranges, address + symbols->bias);
	if (!range)
		return NULL;
	name = symbols->symbol[range->what].name;
	if (!demangle || strncmp(name, "_Z", 2))
		return name;
	plain = __cxa_demangle(name, NULL, NULL, &status);
	if (!plain)
		return name;
	free(symbols->name);
	symbols->name = plain;
	return plain;
}

void symbols_close(struct symbols *symbols)
{
	if (!symbols)
		return;
	if (symbols->dwfl)
		dwfl_end(symbols->dwfl);
	ranges_free(&symbols->ranges);
	free(symbols->symbol);
	free(symbols->name);
	free(symbols);
}
