/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Regions by their path: "solve" within "main" is not the same as "solve" alone. A
 * thread's tree has one writer, the thread, and may be read meanwhile: nodes are added and
 * figures replaced as a whole each.
 */
#ifndef PERFMON_PROGRAM_TREE_H
#define PERFMON_PROGRAM_TREE_H

#include <stddef.h>
#include <stdint.h>

#include <perfmon.h>

struct region {
	char		*name;
	struct region	*parent;
	struct region	*child;		/* the first one */
	struct region	*next;		/* beside it */
	uint64_t	calls;
	uint64_t	threads;	/* number of threads in the sum */
	uint64_t	*sum;		/* of each event */
	pfarg_pmd_t	*begin;		/* the counters as it began, while it is open */
};

/* The region @name within @parent: a new one if there is none. Each has @n events. */
struct region *region_within(struct region *parent, const char *name, size_t n);

/* Add the figures of @from and all regions within it to @to. */
void regions_add(struct region *to, const struct region *from, size_t n);

/* Free the regions within it. */
void regions_free(struct region *root);

#endif /* PERFMON_PROGRAM_TREE_H */
