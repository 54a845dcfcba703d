// SPDX-License-Identifier: GPL-2.0
/* The code of functions, and the names of the places to which it refers. */
#define _GNU_SOURCE
#include <inttypes.h>

#include "symbols/internal.h"

static bool find_bounds(struct symbols *symbols, uint64_t address, struct symbols_code *code)
{
	const struct range *range = ranges_find(&symbols->ranges, address + symbols->bias);
	struct range bounds;

	if (range) {
		code->start = range->start - symbols->bias;
		code->end = range->end - symbols->bias;
		return true;
	}
	if (!symbols_unnamed_bounds(symbols, address, &bounds))
		return false;
	code->start = bounds.start;
	code->end = bounds.end;
	return true;
}

/*
 * The file's bytes from one address to another, which must be in one segment: a symbol's size may
 * be anything in a damaged file. libelf keeps each requested piece in a list, so the request is for
 * the whole segment.
 */
static const unsigned char *find_bytes(struct symbols *symbols, uint64_t start, uint64_t end)
{
	GElf_Phdr segment;
	Elf_Data *data;
	size_t n, i;

	if (elf_getphdrnum(symbols->elf, &n))
		return NULL;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(symbols->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    start < segment.p_vaddr || start >= end ||
		    end - segment.p_vaddr > segment.p_filesz)
			continue;
		data = elf_getdata_rawchunk(symbols->elf, (int64_t)segment.p_offset,
					    segment.p_filesz, ELF_T_BYTE);
		if (data && data->d_size >= segment.p_filesz)
			return (const unsigned char *)data->d_buf + (start - segment.p_vaddr);
	}
	return NULL;
}

bool symbols_code(struct symbols *symbols, uint64_t address, struct symbols_code *code,
		  struct problem *why)
{
	GElf_Ehdr header;

	if (!find_bounds(symbols, address, code))
		return problem(why, "no function is known at %#" PRIx64, address);
	code->bytes = find_bytes(symbols, code->start, code->end);
	if (!code->bytes || !gelf_getehdr(symbols->elf, &header))
		return problem(why, "the file does not have the code at %#" PRIx64, address);
	code->machine = header.e_machine;
	code->little_endian = header.e_ident[EI_DATA] == ELFDATA2LSB;
	return true;
}

/* The symbol whose address the loader writes to this place, if the section has such an entry. */
static const char *find_import(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			       uint64_t address)
{
	Elf_Data *relocations = elf_getdata(section, NULL), *symbols;
	Elf_Scn *table = elf_getscn(elf, header->sh_link);
	GElf_Shdr table_header;
	GElf_Rela entry;
	GElf_Sym symbol;
	int i;

	if (!relocations || !table || !gelf_getshdr(table, &table_header))
		return NULL;
	symbols = elf_getdata(table, NULL);
	for (i = 0; gelf_getrela(relocations, i, &entry); i++) {
		if (entry.r_offset != address || !GELF_R_SYM(entry.r_info))
			continue;
		if (!symbols || !gelf_getsym(symbols, (int)GELF_R_SYM(entry.r_info), &symbol))
			return NULL;
		return elf_strptr(elf, table_header.sh_link, symbol.st_name);
	}
	return NULL;
}

static const char *imported(struct symbols *symbols, uint64_t address)
{
	const char *name = NULL;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (!name && (section = elf_nextscn(symbols->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
		    header.sh_flags & SHF_ALLOC)
			name = find_import(symbols->elf, section, &header, address);
	return name;
}

const char *symbols_referred(struct symbols *symbols, uint64_t address, uint64_t *distance)
{
	const char *name = imported(symbols, address);
	GElf_Sym symbol;

	*distance = 0;
	if (name && *name)
		return name;
	name = dwfl_module_addrinfo(symbols->module, address + symbols->bias, distance, &symbol,
				    NULL, NULL, NULL);
	return name && *distance < symbol.st_size ? name : NULL;
}
