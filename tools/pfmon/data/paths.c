// SPDX-License-Identifier: GPL-2.0
/* A hash table with open addressing: a slot whose number is 0 is free. */
#include <stdlib.h>
#include <string.h>

#include "data/paths.h"
#include "util.h"

static size_t slot_of(const struct paths *paths, const struct path *wanted)
{
	const size_t mask = paths->slots - 1;
	uint64_t at = (wanted->address ^ ((uint64_t)wanted->object << 40)) * 0x9e3779b97f4a7c15ULL;

	at = (at ^ at >> 29 ^ wanted->parent) * 0x9e3779b97f4a7c15ULL;
	for (at ^= at >> 29;; at++) {
		const uint32_t number = paths->slot[at & mask];
		const struct path *path = &paths->path[number];

		if (!number || (path->parent == wanted->parent && path->object == wanted->object &&
				path->address == wanted->address))
			return at & mask;
	}
}

static void grow(struct paths *paths)
{
	size_t i;

	free(paths->slot);
	paths->slots = paths->slots ? 2 * paths->slots : 1024;
	paths->slot = xcalloc(paths->slots, sizeof(*paths->slot));
	for (i = 1; i < paths->n; i++)
		paths->slot[slot_of(paths, &paths->path[i])] = (uint32_t)i;
}

uint32_t paths_find(struct paths *paths, const struct path *path)
{
	size_t slot;

	if (!paths->n) {
		GROW(paths->path, paths->n, paths->room);
		paths->path[paths->n++] = (struct path){ .parent = 0 };
	}
	if (2 * paths->n >= paths->slots)
		grow(paths);
	slot = slot_of(paths, path);
	if (!paths->slot[slot]) {
		GROW(paths->path, paths->n, paths->room);
		paths->path[paths->n] = *path;
		paths->slot[slot] = (uint32_t)paths->n++;
	}
	return paths->slot[slot];
}

void paths_free(struct paths *paths)
{
	free(paths->path);
	free(paths->slot);
	memset(paths, 0, sizeof(*paths));
}
