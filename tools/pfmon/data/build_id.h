/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The identity of a program or library: the linker's build id in the file, or, if there is
 * none, the file itself and its state.
 */
#ifndef PFMON_DATA_BUILD_ID_H
#define PFMON_DATA_BUILD_ID_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#define MAX_BUILD_ID	32

enum id_kind {
	ID_LINKED,	/* the linker's; size 0: any file will do */
	ID_FILE,	/* inode, size and times of the last changes */
	ID_BEFORE,	/* a file that has not been changed since a time: ns since the epoch */
	ID_UNKNOWN,	/* the file is not known */
};

struct build_id {
	enum id_kind	kind;
	uint32_t	size;
	uint8_t		id[MAX_BUILD_ID];
};

bool build_id_equal(const struct build_id *a, const struct build_id *b);

struct build_id build_id_before(uint64_t ns);

/* The identity of the file behind @fd. */
void build_id_read(struct build_id *id, int fd);

/* The identity of an image in memory, an ID_LINKED. False: none, and *@id is ID_UNKNOWN. */
bool build_id_of_image(struct build_id *id, const void *image, size_t size);

/* Only the state of that file, an ID_FILE; ID_UNKNOWN if it has none. */
void build_id_read_state(struct build_id *id, int fd);

/* True if it is that of a file in the state @state, with the contents @elf. */
bool build_id_fits(const struct build_id *id, const struct build_id *state, Elf *elf);

#endif /* PFMON_DATA_BUILD_ID_H */
