/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that led to samples: a tree from the outermost on, each way in it once. */
#ifndef PFMON_DATA_PATHS_H
#define PFMON_DATA_PATHS_H

#include <stddef.h>
#include <stdint.h>

/* A place, reached from another one. */
struct path {
	uint32_t	parent;		/* a number of a path; 0: outermost */
	uint32_t	object;
	uint64_t	address;	/* as in struct hit */
};

/* Zeroed is empty. */
struct paths {
	struct path	*path;		/* by number; 0 is none */
	size_t		n, room;
	uint32_t	*slot;		/* a hash table of numbers */
	size_t		slots;
};

/* The number of this path, from 1 on; a new one if there was none. */
uint32_t paths_find(struct paths *paths, const struct path *path);
void paths_free(struct paths *paths);

#endif /* PFMON_DATA_PATHS_H */
