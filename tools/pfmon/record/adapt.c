// SPDX-License-Identifier: GPL-2.0
/*
 * Periods that follow the program. The counter itself has the number of events, also when they
 * were too few for a sample. A counter that stands still means that the thread sleeps, and shows
 * nothing about its next period.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "record/adapt.h"

#define NSEC_PER_SEC	1000000000ULL

/*
 * The largest change after one look: the thread may have run for a part of the time only. Periods
 * that become too short for the next phase cost more than periods that are long for a moment.
 */
#define LONGER		8
#define SHORTER		2

uint64_t pace_first_period(uint64_t hz)
{
	const uint64_t period = NSEC_PER_SEC / hz;

	return period > SHORTEST_PACE ? period : SHORTEST_PACE;
}

uint64_t pace_period(const struct sampling *sampling, uint64_t events, uint64_t period)
{
	const uint64_t shortest = sampling->random_mask < SHORTEST_PACE ?
					  SHORTEST_PACE : 2 * sampling->random_mask;
	uint64_t wanted = events / sampling->hz * (NSEC_PER_SEC / ADAPT_NS);

	if (wanted > LONGER * period)
		wanted = LONGER * period;
	if (wanted < period / SHORTER)
		wanted = period / SHORTER;
	return wanted > shortest ? wanted : shortest;
}

static void write_period(struct pace *pace, int fd, const struct sampling *sampling,
			 uint64_t period)
{
	pfarg_pmd_t pmd = sampling->plan->pmds[0];

	pmd.reg_value = -period;
	pmd.reg_short_reset = -period;
	pmd.reg_long_reset = -period;
	pmd.reg_random_mask = sampling->random_mask;
	pmd.reg_random_seed = sampling->random_seed;
	if (perfmon_write_pmds(fd, &pmd, 1))
		return; /* it has ended */
	pace->period = period;
	pace->counted = 0;
}

void pace_adapt(struct pace *pace, int fd, const struct sampling *sampling)
{
	const uint64_t period = pace->period ?: sampling->period[0];
	pfarg_pmd_t pmd = sampling->plan->pmds[0];
	uint64_t counted, events, wanted;

	if (perfmon_read_pmds(fd, &pmd, 1))
		return;
	/* A random period is shorter, at most by the mask. */
	counted = pmd.reg_value + period;
	events = pace->samples * period + counted - pace->counted;
	pace->samples = 0;
	pace->counted = counted;
	if (!events || events > INT64_MAX)
		return;
	wanted = pace_period(sampling, events, period);
	if (wanted > period + period / 8 || wanted < period - period / 8)
		write_period(pace, fd, sampling, wanted);
}

void pace_slow(struct pace *pace, int fd, const struct sampling *sampling)
{
	const uint64_t period = pace->period ?: sampling->period[0];

	/* More than twice the requested number before the next look. */
	if (pace->samples > 2 * sampling->hz / (NSEC_PER_SEC / ADAPT_NS) && period < INT64_MAX / LONGER) {
		pace->samples = 0;
		write_period(pace, fd, sampling, LONGER * period);
	}
}
