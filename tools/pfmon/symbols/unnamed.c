// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of stripped files: to unwind the stack a program must know where each function begins,
 * so the linker leaves a table of that in the file (.eh_frame_hdr), with or without symbols.
 */
#define _GNU_SOURCE
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/internal.h"

/* The table in the form of the linkers of GNU and LLVM; other forms are allowed, but not in use. */
struct table_header {
	uint8_t		version;	/* 1 */
	uint8_t		pointer_kind;
	uint8_t		count_kind;	/* 4 bytes, unsigned */
	uint8_t		entry_kind;	/* 4 bytes, signed, from the header's own address */
	int32_t		pointer;
	uint32_t	count;
};

struct table_entry {
	int32_t		start, description;
};

#define KIND_COUNT	0x03
#define KIND_ENTRY	0x3b
#define IS_4_BYTES(kind) (((kind) & 7) == 3)

static bool find_segment(Elf *elf, GElf_Phdr *segment)
{
	size_t n, i;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, segment) && segment->p_type == PT_GNU_EH_FRAME)
			return true;
	return false;
}

/* Read the table, which the linker has sorted. */
static void read_table(struct symbols *symbols)
{
	struct table_header header;
	struct table_entry entry;
	GElf_Phdr segment;
	Elf_Data *data;
	size_t i;

	symbols->have_starts = true;
	if (!find_segment(symbols->elf, &segment))
		return;
	data = elf_getdata_rawchunk(symbols->elf, (int64_t)segment.p_offset, segment.p_filesz,
				    ELF_T_BYTE);
	if (!data || data->d_size < sizeof(header))
		return;
	memcpy(&header, data->d_buf, sizeof(header));
	if (header.version != 1 || !IS_4_BYTES(header.pointer_kind) ||
	    header.count_kind != KIND_COUNT || header.entry_kind != KIND_ENTRY ||
	    header.count > (data->d_size - sizeof(header)) / sizeof(entry))
		return;
	symbols->start = xcalloc(header.count, sizeof(*symbols->start));
	symbols->nstarts = header.count;
	for (i = 0; i < header.count; i++) {
		memcpy(&entry, (char *)data->d_buf + sizeof(header) + i * sizeof(entry),
		       sizeof(entry));
		symbols->start[i] = segment.p_vaddr + (GElf_Addr)(int64_t)entry.start;
	}
}

/* True if the table describes the code at this address of the file; else it is in between. */
static bool is_described(struct symbols *symbols, GElf_Addr address)
{
	struct range *last = &symbols->described;
	Dwarf_Addr bias, start, end;
	Dwarf_Frame *frame;
	Dwarf_CFI *cfi;

	if (address >= last->start && address < last->end)
		return true;
	cfi = dwfl_module_eh_cfi(symbols->module, &bias);
	if (!cfi || dwarf_cfi_addrframe(cfi, address + symbols->bias - bias, &frame))
		return false;
	if (dwarf_frame_info(frame, &start, &end, NULL) >= 0) {
		last->start = start + bias - symbols->bias;
		last->end = end + bias - symbols->bias;
	}
	free(frame);
	return true;
}

static bool is_plt(struct symbols *symbols, const GElf_Shdr *section)
{
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(symbols->elf, &names))
		return false;
	name = elf_strptr(symbols->elf, names, section->sh_name);
	return name && !strncmp(name, ".plt", 4);
}

/*
 * The section at an address of the file; its @what is true if it has stubs. NULL: none. It avoids
 * dwfl_module_address_section(), which unpacks all debug information.
 */
static const struct range *section_at(struct symbols *symbols, GElf_Addr address)
{
	struct range *last = &symbols->section;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (address >= last->start && address < last->end)
		return last;
	while ((section = elf_nextscn(symbols->elf, section))) {
		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    (header.sh_flags & SHF_TLS) || address < header.sh_addr ||
		    address - header.sh_addr >= header.sh_size)
			continue;
		last->start = header.sh_addr;
		last->end = header.sh_addr + header.sh_size;
		last->what = is_plt(symbols, &header);
		return last;
	}
	return NULL;
}

/* The number of functions that begin at the address or before it. */
static size_t starts_until(struct symbols *symbols, GElf_Addr address)
{
	size_t low = 0, high, middle;

	if (!symbols->have_starts)
		read_table(symbols);
	for (high = symbols->nstarts; low < high;) {
		middle = low + (high - low) / 2;
		if (symbols->start[middle] > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

const char *symbols_unnamed(struct symbols *symbols, GElf_Addr address, uint64_t *distance)
{
	const struct range *section = section_at(symbols, address);
	size_t n;

	/* Stubs to functions of other files: there are thousands, without names. */
	if (section && section->what) {
		*distance = address - section->start;
		return "[plt]";
	}
	n = starts_until(symbols, address);
	if (!n || !is_described(symbols, address))
		return NULL;
	*distance = address - symbols->start[n - 1];
	snprintf(symbols->unnamed, sizeof(symbols->unnamed), "[%#" PRIx64 "]",
		 symbols->start[n - 1]);
	return symbols->unnamed;
}

bool symbols_unnamed_bounds(struct symbols *symbols, GElf_Addr address, struct range *bounds)
{
	const struct range *section = section_at(symbols, address);
	size_t n;

	if (!section)
		return false;
	bounds->start = section->start;
	bounds->end = section->end;
	if (section->what)
		return true;
	n = starts_until(symbols, address);
	if (!n || !is_described(symbols, address))
		return false;
	bounds->start = symbols->start[n - 1];
	if (n < symbols->nstarts && symbols->start[n] < bounds->end)
		bounds->end = symbols->start[n];
	return true;
}
