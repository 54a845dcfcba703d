// SPDX-License-Identifier: GPL-2.0
/* Events of each level of detail, by the names that PMUs have for them. */
#define _GNU_SOURCE
#include <string.h>

#include "events/list.h"
#include "stat/detail.h"

/* The first name that the PMU has is used. */
static const struct {
	unsigned int	level;
	const char	*name[6];
} details[] = {
	{ 1, { "branch-misses" } },
	{ 1, { "L1D:REPLACEMENT", "L1D:REPL", "L1D_REPL", "DATA_CACHE_MISSES", "PM_LD_MISS_L1" } },
	{ 1, { "LAST_LEVEL_CACHE_REFERENCES", "LONGEST_LAT_CACHE:REFERENCE" } },
	{ 1, { "LAST_LEVEL_CACHE_MISSES", "LONGEST_LAT_CACHE:MISS", "L2_CACHE_MISS:DATA",
	       "PM_DATA_FROM_L3MISS" } },
	{ 2, { "DTLB_LOAD_MISSES:WALK_COMPLETED", "DTLB_MISSES:WALK_COMPLETED", "DTLB_MISSES:ANY",
	       "L1_DTLB_MISS_AND_L2_DTLB_MISS", "PM_DTLB_MISS" } },
	{ 2, { "ITLB_MISSES:WALK_COMPLETED", "ITLB:MISSES", "L1_ITLB_MISS_AND_L2_ITLB_MISS",
	       "PM_ITLB_MISS" } },
	{ 2, { "L1I:MISSES", "ICACHE:MISSES", "ICACHE_64B:IFTAG_MISS",
	       "INSTRUCTION_CACHE_MISSES", "PM_L1_ICACHE_MISS" } },
	{ 3, { "L2_RQSTS:REFERENCES", "REQUESTS_TO_L2:ALL" } },
	{ 3, { "L2_RQSTS:MISS", "L2_CACHE_MISS:ALL" } },
	{ 3, { "RESOURCE_STALLS:ANY" } },
	{ 3, { "HW_INT_RCVD", "HW_INTERRUPTS:RECEIVED", "INTERRUPTS_TAKEN" } },
};

static bool is_there(const struct events *events, const char *name)
{
	size_t i;

	for (i = 0; i < events->n; i++)
		if (!strncasecmp(events->event[i].name, name, strlen(name)))
			return true;
	return false;
}

void detail_add(struct events *events, const struct pmu *pmu, const struct rights *rights,
		unsigned int level)
{
	struct problem why;
	size_t i, k;

	for (i = 0; i < COUNT(details); i++) {
		if (details[i].level > level)
			continue;
		for (k = 0; k < COUNT(details[i].name) && details[i].name[k]; k++)
			if (is_there(events, details[i].name[k]) ||
			    events_add(events, pmu, rights, details[i].name[k], &why))
				break;
	}
}
