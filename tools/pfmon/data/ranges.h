/* SPDX-License-Identifier: GPL-2.0 */
/* Ranges of addresses that do not overlap, and their meanings. */
#ifndef PFMON_DATA_RANGES_H
#define PFMON_DATA_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t	start, end;
	uint64_t	offset;		/* of the object at start */
	size_t		what;		/* the caller's */
};

struct ranges {
	struct range	*range;		/* ascending */
	size_t		n, room;
};

/* Nothing is there any more. Ranges that overlap lose that part. */
void ranges_clear(struct ranges *ranges, uint64_t start, uint64_t end);

/* This range is there now, in place of older ones. An empty range is ignored. */
void ranges_set(struct ranges *ranges, const struct range *range);

/* The range that @address lies in, or NULL. */
const struct range *ranges_find(const struct ranges *ranges, uint64_t address);

/* Make @to a copy of @from. */
void ranges_copy(struct ranges *to, const struct ranges *from);

void ranges_free(struct ranges *ranges);

/* On all architectures that perfmon serves, the kernel has the upper half. */
static inline bool is_kernel_address(uint64_t address)
{
	return address >> 63;
}

#endif /* PFMON_DATA_RANGES_H */
