// SPDX-License-Identifier: GPL-2.0
/* The identity of a program or library, by libdwelf and fstat(). */
#define _GNU_SOURCE
#include <assert.h>
#include <elfutils/libdwelf.h>
#include <string.h>
#include <sys/stat.h>

#include "data/build_id.h"
#include "nanoseconds.h"
#include "util.h"

/* The state of a file: each change of the file changes a time. */
struct state {
	uint64_t	inode, size, modified, changed;
};

static_assert(sizeof(struct state) == MAX_BUILD_ID, "it is kept as an id is");

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	return a->kind == b->kind && a->size == b->size && !memcmp(a->id, b->id, a->size);
}

struct build_id build_id_before(uint64_t ns)
{
	struct build_id id = { .kind = ID_BEFORE, .size = sizeof(ns) };

	memcpy(id.id, &ns, sizeof(ns));
	return id;
}

/* Also for a file that is not even ELF: anything may be mapped and executed. */
void build_id_read_state(struct build_id *id, int fd)
{
	struct state state;
	struct stat info;

	memset(id, 0, sizeof(*id));
	id->kind = ID_UNKNOWN;
	if (fstat(fd, &info))
		return;
	state = (struct state){ info.st_ino, (uint64_t)info.st_size, nanoseconds(&info.st_mtim),
				nanoseconds(&info.st_ctim) };
	id->kind = ID_FILE;
	id->size = sizeof(state);
	memcpy(id->id, &state, sizeof(state));
}

static bool take_linked(struct build_id *id, Elf *elf)
{
	const void *bits;
	const ssize_t size = dwelf_elf_gnu_build_id(elf, &bits);

	if (size <= 0 || size > MAX_BUILD_ID)
		return false;
	id->kind = ID_LINKED;
	id->size = (uint32_t)size;
	memcpy(id->id, bits, (size_t)size);
	return true;
}

void build_id_read(struct build_id *id, int fd)
{
	Elf *elf = NULL;

	memset(id, 0, sizeof(*id));
	elf_version(EV_CURRENT);
	if (is_regular_file(fd)) /* and no mapped device */
		elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF || !take_linked(id, elf))
		build_id_read_state(id, fd);
	elf_end(elf);
}

bool build_id_of_image(struct build_id *id, const void *image, size_t size)
{
	Elf *elf;
	bool linked;

	*id = (struct build_id){ .kind = ID_UNKNOWN };
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)image, size);
	linked = elf && elf_kind(elf) == ELF_K_ELF && take_linked(id, elf);
	elf_end(elf);
	return linked;
}

static bool not_changed_since(const struct build_id *id, const struct build_id *since)
{
	struct state state;
	uint64_t ns;

	memcpy(&ns, since->id, sizeof(ns));
	memcpy(&state, id->id, sizeof(state));
	return id->kind == ID_FILE && state.modified < ns && state.changed < ns;
}

bool build_id_fits(const struct build_id *id, const struct build_id *state, Elf *elf)
{
	struct build_id now = { .size = 0 };

	switch (id->kind) {
	case ID_LINKED:
		return !id->size || (take_linked(&now, elf) && build_id_equal(&now, id));
	case ID_FILE:
		return build_id_equal(state, id);
	case ID_BEFORE:
		return not_changed_since(state, id);
	case ID_UNKNOWN:
		return false;
	}
	return false;
}
