// SPDX-License-Identifier: GPL-2.0
/* Ranges of addresses, sorted: a later one takes its part away from earlier ones. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "data/ranges.h"
#include "util.h"

/* The first range that ends behind @address. */
static size_t first_behind(const struct ranges *ranges, uint64_t address)
{
	size_t low = 0, high = ranges->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (ranges->range[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static struct range *insert(struct ranges *ranges, size_t at)
{
	GROW(ranges->range, ranges->n, ranges->room);
	memmove(&ranges->range[at + 1], &ranges->range[at],
		(ranges->n++ - at) * sizeof(*ranges->range));
	return &ranges->range[at];
}

void ranges_clear(struct ranges *ranges, uint64_t start, uint64_t end)
{
	size_t at = first_behind(ranges, start), behind;

	if (start >= end || at == ranges->n)
		return;
	if (at < ranges->n && ranges->range[at].start < start) {
		if (ranges->range[at].end > end) { /* a hole in one range */
			struct range *left = insert(ranges, at);

			*left = left[1];
		}
		ranges->range[at++].end = start;
	}
	for (behind = at; behind < ranges->n && ranges->range[behind].end <= end; behind++)
		;
	memmove(&ranges->range[at], &ranges->range[behind],
		(ranges->n - behind) * sizeof(*ranges->range));
	ranges->n -= behind - at;
	if (at < ranges->n && ranges->range[at].start < end) {
		ranges->range[at].offset += end - ranges->range[at].start;
		ranges->range[at].start = end;
	}
}

void ranges_set(struct ranges *ranges, const struct range *range)
{
	if (range->start >= range->end)
		return;
	ranges_clear(ranges, range->start, range->end);
	*insert(ranges, first_behind(ranges, range->start)) = *range;
}

const struct range *ranges_find(const struct ranges *ranges, uint64_t address)
{
	const size_t at = first_behind(ranges, address);

	if (at < ranges->n && ranges->range[at].start <= address)
		return &ranges->range[at];
	return NULL;
}

void ranges_copy(struct ranges *to, const struct ranges *from)
{
	ranges_free(to);
	if (!from->n)
		return;
	to->range = xcalloc(from->n, sizeof(*to->range));
	memcpy(to->range, from->range, from->n * sizeof(*to->range));
	to->n = from->n;
	to->room = from->n;
}

void ranges_free(struct ranges *ranges)
{
	free(ranges->range);
	memset(ranges, 0, sizeof(*ranges));
}
