/* SPDX-License-Identifier: GPL-2.0 */
/* The ring that perf_events writes the records of an event to. Formats: perf_event_open(2). */
#ifndef PFMON_RECORD_RING_H
#define PFMON_RECORD_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_event_header;

/* No record is longer: its size is a 16-bit number. */
#define RING_MAX_RECORD	(1UL << 16)

/* Zeroed: no ring. */
struct ring {
	void		*base;		/* the control page, and the data; NULL: none */
	size_t		size;		/* bytes of data */
};

/*
 * Map the ring of the event @fd with @size bytes, a power of two and whole pages. False: see errno;
 * EPERM means that this user may not lock so much memory.
 */
bool ring_map(struct ring *ring, int fd, size_t size);
void ring_unmap(struct ring *ring);

/* Call @take with each new record; @room (RING_MAX_RECORD bytes) has it until @take returns. */
void ring_take(const struct ring *ring, void *room,
	       void (*take)(void *data, const struct perf_event_header *record), void *data);

#endif /* PFMON_RECORD_RING_H */
