// SPDX-License-Identifier: GPL-2.0
/* A hash table with open addressing: a place whose count is 0 is free. */
#include <stdlib.h>

#include "data/hits.h"
#include "util.h"

static bool same(const struct hit *a, const struct hit *b)
{
	return a->address == b->address && a->object == b->object && a->event == b->event &&
	       a->task == b->task && a->cpu == b->cpu && a->path == b->path;
}

static size_t place_of(const struct hits *hits, const struct hit *wanted)
{
	const size_t mask = hits->room - 1;
	uint64_t at = wanted->address * 0x9e3779b97f4a7c15ULL;

	at = (at ^ ((uint64_t)wanted->object << 7) ^ ((uint64_t)wanted->task << 20) ^
	      ((uint64_t)wanted->cpu << 3) ^ ((uint64_t)wanted->path << 32) ^ wanted->event) * 0x9e3779b97f4a7c15ULL;
	for (at ^= at >> 29;; at++) {
		const struct hit *hit = &hits->hit[at & mask];

		if (!hit->count || same(hit, wanted))
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
			hits->hit[place_of(hits, &old[i])] = old[i];
	free(old);
}

void hits_add(struct hits *hits, const struct hit *place, uint64_t count)
{
	struct hit *hit;

	if (4 * hits->n >= 3 * hits->room)
		grow(hits);
	hit = &hits->hit[place_of(hits, place)];
	if (!hit->count) {
		*hit = *place;
		hit->count = 0;
		hits->n++;
	}
	hit->count += count;
}

void hits_free(struct hits *hits)
{
	free(hits->hit);
}
