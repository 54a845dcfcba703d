// SPDX-License-Identifier: GPL-2.0
/* The identity of a program or library, by libdwelf. */
#include <elfutils/libdwelf.h>
#include <string.h>

#include "data/build_id.h"
#include "util.h"

void build_id_of_elf(struct build_id *id, Elf *elf)
{
	const void *bits;
	ssize_t size;

	id->size = 0;
	size = dwelf_elf_gnu_build_id(elf, &bits);
	if (size <= 0 || size > MAX_BUILD_ID)
		return;
	id->size = (uint32_t)size;
	memcpy(id->id, bits, (size_t)size);
}

void build_id_read(struct build_id *id, int fd)
{
	Elf *elf;

	id->size = 0;
	elf_version(EV_CURRENT);
	if (!is_regular_file(fd)) /* such as a mapped device */
		return;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		build_id_of_elf(id, elf);
	elf_end(elf);
}
