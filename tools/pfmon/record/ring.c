// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel writes behind data_head, and not beyond data_tail, the position up to which pfmon has
 * read the records.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/ring.h"
#include "session/locked.h"

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

bool ring_map(struct ring *ring, int fd, size_t size)
{
	void *base = mmap(NULL, page_size() + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (base == MAP_FAILED)
		return false;
	ring->base = base;
	ring->size = size;
	locked_add((ssize_t)(page_size() + size));
	return true;
}

void ring_unmap(struct ring *ring)
{
	if (ring->base) {
		munmap(ring->base, page_size() + ring->size);
		locked_add(-(ssize_t)(page_size() + ring->size));
	}
	memset(ring, 0, sizeof(*ring));
}

/* A record may begin at the ring's end and go on at its beginning. */
static void copy(const struct ring *ring, uint64_t at, void *to, size_t size)
{
	const char *data = (const char *)ring->base + page_size();
	const size_t begin = at & (ring->size - 1);
	const size_t first = size < ring->size - begin ? size : ring->size - begin;

	memcpy(to, data + begin, first);
	memcpy((char *)to + first, data, size - first);
}

void ring_take(const struct ring *ring, void *room,
	       void (*take)(void *data, const struct perf_event_header *record), void *data)
{
	struct perf_event_mmap_page *control = ring->base;
	struct perf_event_header header;
	uint64_t head, tail;

	if (!control)
		return;
	/* Pairs with the kernel's barrier between a record and data_head. */
	head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
	for (tail = control->data_tail; tail != head; tail += header.size) {
		copy(ring, tail, &header, sizeof(header));
		if (header.size < sizeof(header))
			break; /* the kernel writes no such record */
		copy(ring, tail, room, header.size);
		take(data, room);
	}
	__atomic_store_n(&control->data_tail, head, __ATOMIC_RELEASE);
}
