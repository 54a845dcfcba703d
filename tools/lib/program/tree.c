// SPDX-License-Identifier: GPL-2.0
/* The regions of a thread, or of several together. */
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "program/tree.h"

struct region *region_within(struct region *parent, const char *name, size_t n)
{
	struct region **link = &parent->child, *region;

	for (; (region = *link); link = &region->next)
		if (!strcmp(region->name, name))
			return region;
	region = xcalloc(1, sizeof(*region));
	region->name = xstrdup(name);
	region->parent = parent;
	region->sum = xcalloc(n, sizeof(*region->sum));
	region->begin = xcalloc(n, sizeof(*region->begin));
	__atomic_store_n(link, region, __ATOMIC_RELEASE);
	return region;
}

void regions_add(struct region *to, const struct region *from, size_t n)
{
	const struct region *region = __atomic_load_n(&from->child, __ATOMIC_ACQUIRE);
	uint64_t calls;
	size_t i;

	for (; region; region = __atomic_load_n(&region->next, __ATOMIC_ACQUIRE)) {
		struct region *sum = region_within(to, region->name, n);

		calls = __atomic_load_n(&region->calls, __ATOMIC_ACQUIRE);
		sum->calls += calls;
		sum->threads += region->threads ? region->threads : calls > 0;
		for (i = 0; i < n; i++)
			sum->sum[i] += __atomic_load_n(&region->sum[i], __ATOMIC_RELAXED);
		regions_add(sum, region, n);
	}
}

void regions_free(struct region *root)
{
	struct region *region;

	while ((region = root->child)) {
		root->child = region->next;
		regions_free(region);
		free(region->name);
		free(region->sum);
		free(region->begin);
		free(region);
	}
}
