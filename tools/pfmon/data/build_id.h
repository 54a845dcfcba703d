/* SPDX-License-Identifier: GPL-2.0 */
/* The identity of a program or library, as the linker noted it in the file. */
#ifndef PFMON_DATA_BUILD_ID_H
#define PFMON_DATA_BUILD_ID_H

#include <libelf.h>
#include <stdint.h>

#define MAX_BUILD_ID	32

struct build_id {
	uint32_t	size;		/* 0: none is known */
	uint8_t		id[MAX_BUILD_ID];
};

/* That of an ELF file. */
void build_id_of_elf(struct build_id *id, Elf *elf);

/* Read the build id of the ELF file behind @fd; none if it is none or has none. */
void build_id_read(struct build_id *id, int fd);

#endif /* PFMON_DATA_BUILD_ID_H */
