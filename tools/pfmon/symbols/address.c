// SPDX-License-Identifier: GPL-2.0
/* From an offset in a file to the address of its contents, and back. */
#include "symbols/internal.h"

/* Find the loaded segment that has this offset; most often it is that of the last call. */
static bool find_segment(struct symbols *symbols, uint64_t offset)
{
	struct range *segment = &symbols->segment;
	GElf_Phdr header;
	size_t n, i;

	if (offset >= segment->start && offset < segment->end)
		return true;
	if (elf_getphdrnum(symbols->elf, &n))
		return false;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(symbols->elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    offset < header.p_offset || offset - header.p_offset >= header.p_filesz)
			continue;
		segment->start = header.p_offset;
		segment->end = header.p_offset + header.p_filesz;
		segment->offset = header.p_vaddr;
		return true;
	}
	return false;
}

bool symbols_address(struct symbols *symbols, uint64_t offset, GElf_Addr *address)
{
	if (!find_segment(symbols, offset))
		return false;
	*address = offset - symbols->segment.start + symbols->segment.offset + symbols->bias;
	return true;
}

bool symbols_file_address(struct symbols *symbols, uint64_t offset, uint64_t *address)
{
	GElf_Addr at;

	if (!symbols_address(symbols, offset, &at))
		return false;
	*address = at - symbols->bias;
	return true;
}

bool symbols_offset(const struct symbols *symbols, uint64_t address, uint64_t *offset)
{
	GElf_Phdr segment;
	size_t n, i;

	if (elf_getphdrnum(symbols->elf, &n))
		return false;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(symbols->elf, (int)i, &segment) || segment.p_type != PT_LOAD)
			continue;
		if (address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz)
			continue;
		*offset = address - segment.p_vaddr + segment.p_offset;
		return true;
	}
	return false;
}
