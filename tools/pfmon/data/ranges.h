/* SPDX-License-Identifier: GPL-2.0 */
/* Ranges of addresses that do not overlap, and what each stands for. */
#ifndef PFMON_DATA_RANGES_H
#define PFMON_DATA_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t	start, end;
	uint64_t	offset;		/* of what is at start */
	size_t		what;		/* the caller's */
};

struct ranges {
	struct range	*range;		/* ascending */
	size_t		n, room;
};

/* Nothing is there any more. Ranges that reach into it lose that part. */
void ranges_clear(struct ranges *ranges, uint64_t start, uint64_t end);

/* This is there now, in place of what was. An empty range is not. */
void ranges_set(struct ranges *ranges, const struct range *range);

/* The range that @address lies in, or NULL. */
const struct range *ranges_find(const struct ranges *ranges, uint64_t address);

/* @to becomes what @from is. */
void ranges_copy(struct ranges *to, const struct ranges *from);

void ranges_free(struct ranges *ranges);

/* On all architectures that perfmon serves, the kernel has the upper half. */
static inline bool is_kernel_address(uint64_t address)
{
	return address >> 63;
}

#endif /* PFMON_DATA_RANGES_H */
