// SPDX-License-Identifier: GPL-2.0
/*
 * A PMU whose registers pfmon does not know: raw values alone can be written. There may
 * be names for its events all the same.
 */
#include <string.h>

#include "pmu/names.h"
#include "pmu/pmu.h"

static bool other_find_counters(struct pmu *pmu)
{
	(void)pmu;
	return true;
}

static bool other_encode(const struct pmu *pmu, const char *name, unsigned int levels,
			 struct encoding *encoding, struct problem *why)
{
	(void)levels;
	(void)encoding;
	if (!strcmp(pmu->model, "none")) {
		problem(why, "event %s: this kernel has no PMU", name);
		return problem_hint(why, "perfmon.pmu=soft on its command line gives it the software PMU.");
	}
	problem(why, "event %s: pfmon does not know the registers of this PMU", name);
	return problem_hint(why, "Only raw values can be written: -e pmcN=0x...");
}

static const char *const no_events[] = { NULL };

const struct pmu_arch pmu_other = {
	.find_counters	= other_find_counters,
	.names		= names_find,
	.encode		= other_encode,
	.default_events	= no_events,
	.default_sample_event = "cycles",
};
