// SPDX-License-Identifier: GPL-2.0
/*
 * All 64-bit processes have the same image, and so has pfmon. The image of others, 32-bit ones, is
 * read from their memory.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "data/format.h"
#include "record/vdso.h"
#include "run/procfs.h"

#define LARGEST_IMAGE	(1 << 20)

static bool is_native(const struct mapping *mapping)
{
	return sizeof(void *) == 8 && mapping->start > UINT32_MAX;
}

/* The table of sections is at the image's end. */
static const void *own_image(size_t *size)
{
	const ElfW(Ehdr) *header = (const void *)getauxval(AT_SYSINFO_EHDR);

	if (header)
		*size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
	return header && header->e_shoff ? header : NULL;
}

/* The caller frees it. NULL: it cannot be read, or the process is gone. */
static void *read_image(pid_t pid, const struct mapping *mapping, size_t *size)
{
	char path[PROC_PATH], *image;
	int fd;

	*size = mapping->end - mapping->start;
	if (*size > LARGEST_IMAGE)
		return NULL;
	fd = open(proc_path(path, pid, "mem"), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	image = xcalloc(1, *size);
	if (pread(fd, image, *size, (off_t)mapping->start) != (ssize_t)*size) {
		free(image);
		image = NULL;
	}
	close(fd);
	return image;
}

static void write_image(struct vdso *vdso, struct profile_writer *file, const struct build_id *id,
			const void *image, size_t size)
{
	struct profile_image record = { .size = size };
	size_t i;

	for (i = 0; i < vdso->n; i++)
		if (build_id_equal(&vdso->id[i], id))
			return;
	GROW(vdso->id, vdso->n, vdso->room);
	vdso->id[vdso->n++] = *id;
	profile_write_bytes(file, PROFILE_IMAGE, &record, sizeof(record), image, size);
}

struct build_id vdso_know(struct vdso *vdso, struct profile_writer *file, pid_t pid,
			  const struct mapping *mapping)
{
	struct build_id id = { .kind = ID_UNKNOWN };
	void *other = NULL;
	const void *image;
	size_t size;

	if (is_native(mapping))
		image = own_image(&size);
	else
		image = other = read_image(pid, mapping, &size);
	if (image && build_id_of_image(&id, image, size))
		write_image(vdso, file, &id, image, size);
	free(other);
	return id;
}

void vdso_free(struct vdso *vdso)
{
	free(vdso->id);
	memset(vdso, 0, sizeof(*vdso));
}
