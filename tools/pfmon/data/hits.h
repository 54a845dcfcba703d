/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of samples at each place. */
#ifndef PFMON_DATA_HITS_H
#define PFMON_DATA_HITS_H

#include <stddef.h>
#include <stdint.h>

/* Samples of an event at one place. */
struct hit {
	uint32_t	event, object;
	uint64_t	address;	/* in a file its offset, else in memory */
	uint32_t	task;		/* a number of the caller's, or 0 */
	uint32_t	cpu;		/* or 0 */
	uint32_t	path;		/* of the functions that led there: one of paths.h, or 0 */
	uint64_t	count;		/* 0: no hit, an unused place of the table */
};

/* Zeroed is empty. */
struct hits {
	struct hit	*hit;		/* a hash table */
	size_t		n, room;
};

/* @count samples more at a place; its own count is not looked at. */
void hits_add(struct hits *hits, const struct hit *place, uint64_t count);
void hits_free(struct hits *hits);

#endif /* PFMON_DATA_HITS_H */
