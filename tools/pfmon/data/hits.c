// SPDX-License-Identifier: GPL-2.0
/* A hash table with open addressing: a place whose count is 0 is free. */
#include <stdlib.h>

#include "data/hits.h"
#include "util.h"

static size_t place_of(const struct hits *hits, size_t event, size_t object,
		       uint64_t address)
{
	const size_t mask = hits->room - 1;
	size_t at = (address * 0x9e3779b97f4a7c15ULL ^ (object << 7) ^ event) * 31;

	for (at ^= at >> 29;; at++) {
		const struct hit *hit = &hits->hit[at & mask];

		if (!hit->count || (hit->event == event && hit->object == object &&
				    hit->address == address))
			return at & mask;
	}
}

static void grow(struct hits *hits)
{
	struct hit *old = hits->hit;
	const size_t room = hits->room;
	size_t i;

	hits->room = room ? 2 * room : 1024;
	hits->hit = xcalloc(hits->room, sizeof(*hits->hit));
	for (i = 0; i < room; i++)
		if (old[i].count)
			hits->hit[place_of(hits, old[i].event, old[i].object, old[i].address)] =
				old[i];
	free(old);
}

void hits_add(struct hits *hits, size_t event, size_t object, uint64_t address)
{
	struct hit *hit;

	if (2 * hits->n >= hits->room)
		grow(hits);
	hit = &hits->hit[place_of(hits, event, object, address)];
	if (!hit->count++) {
		hit->event = event;
		hit->object = object;
		hit->address = address;
		hits->n++;
	}
}

void hits_free(struct hits *hits)
{
	free(hits->hit);
}
