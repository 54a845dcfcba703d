// SPDX-License-Identifier: GPL-2.0
/* Places, known from recordings, where mapped files can be read. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/origin.h"
#include "util.h"

struct origin {
	struct build_id	id;
	void		*image;		/* or NULL */
	size_t		size;
	pid_t		pid;		/* the last process with it; 0: not known */
	uint64_t	start, end;
};

static struct origin *origins;
static size_t norigins, room;

/* Search from the last one: processes that are alike follow one another. */
static struct origin *find(const struct build_id *id)
{
	size_t i;

	for (i = norigins; i; i--)
		if (build_id_equal(&origins[i - 1].id, id))
			return &origins[i - 1];
	return NULL;
}

static struct origin *get(const struct build_id *id)
{
	struct origin *origin = find(id);

	if (origin)
		return origin;
	GROW(origins, norigins, room);
	origins[norigins] = (struct origin){ .id = *id };
	return &origins[norigins++];
}

static bool says_which(const struct build_id *id)
{
	return id->size && (id->kind == ID_LINKED || id->kind == ID_FILE);
}

bool origin_add_image(const void *image, size_t size)
{
	struct origin *origin;
	struct build_id id;

	if (!build_id_of_image(&id, image, size))
		return false;
	origin = get(&id);
	if (origin->image)
		return true;
	origin->image = xcalloc(1, size);
	origin->size = size;
	memcpy(origin->image, image, size);
	return true;
}

void origin_add_mapping(const struct build_id *id, pid_t pid, uint64_t start, uint64_t end)
{
	struct origin *origin;

	if (!says_which(id))
		return;
	origin = get(id);
	origin->pid = pid;
	origin->start = start;
	origin->end = end;
}

/* A file without a name, because files are read from a descriptor. */
static int open_image(const struct origin *origin)
{
	const int fd = origin->image ? memfd_create("image", MFD_CLOEXEC) : -1;

	if (fd < 0 || write(fd, origin->image, origin->size) == (ssize_t)origin->size)
		return fd;
	close(fd);
	return -1;
}

static int open_of_process(const struct origin *origin, char *path)
{
	const int fd = origin->pid ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;

	free(path);
	return fd;
}

int origin_open(enum origin_way way, const char *name, const struct build_id *id)
{
	const struct origin *origin = says_which(id) ? find(id) : NULL;

	if (!origin)
		return -1;
	switch (way) {
	case ORIGIN_IMAGE:
		return open_image(origin);
	case ORIGIN_MAPPING:
		return open_of_process(origin, xasprintf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
							 (int)origin->pid, origin->start,
							 origin->end));
	case ORIGIN_ROOT:
		return open_of_process(origin, xasprintf("/proc/%d/root%s", (int)origin->pid, name));
	default:
		return -1;
	}
}
