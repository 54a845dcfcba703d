// SPDX-License-Identifier: GPL-2.0
/*
 * Periods that follow the program. The counter itself has the number of events, also when they
 * were too few for a sample. A counter that stands still means that the thread sleeps, and shows
 * nothing about its next period.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include <perfmon_default_smpl.h>

#include "nanoseconds.h"
#include "record/adapt.h"

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

struct pace *paces_new(const struct sampling *sampling)
{
	return sampling->hz ? xcalloc(sampling->nsampled, sizeof(struct pace)) : NULL;
}

static size_t event_of(const struct sampling *sampling, const pfm_default_smpl_entry_t *entry)
{
	size_t i;

	for (i = 0; i < sampling->nsampled; i++)
		if (sampling->plan->pmds[i].reg_num == entry->ovfl_pmd &&
		    sampling->plan->pmds[i].reg_set == entry->set)
			break;
	return i;
}

void pace_samples(struct pace *pace, const struct sampling *sampling, const struct batch *batch)
{
	const char *sample = batch->samples;
	size_t event;
	uint64_t i;

	if (!pace)
		return;
	for (i = 0; i < batch->count; i++, sample += batch->sample_size) {
		event = event_of(sampling, (const pfm_default_smpl_entry_t *)sample);
		if (event < sampling->nsampled)
			pace[event].samples += batch->counts ? batch->counts[i].samples : 1;
	}
}

static uint64_t period_of(const struct pace *pace, const struct sampling *sampling, size_t i)
{
	return pace[i].period ?: sampling->period[i];
}

/* Write the periods of the events with one in @wanted. */
static void write_periods(struct pace *pace, int fd, const struct sampling *sampling,
			  const uint64_t *wanted)
{
	pfarg_pmd_t *pmds = xcalloc(sampling->nsampled, sizeof(*pmds));
	size_t i;
	int n = 0;

	for (i = 0; i < sampling->nsampled; i++) {
		if (!wanted[i])
			continue;
		pmds[n] = sampling->plan->pmds[i];
		pmds[n].reg_value = -wanted[i];
		pmds[n].reg_short_reset = -wanted[i];
		pmds[n].reg_long_reset = -wanted[i];
		pmds[n].reg_random_mask = sampling->random_mask;
		pmds[n++].reg_random_seed = sampling->random_seed;
	}
	/* An error: it has ended. */
	if (n && !perfmon_write_pmds(fd, pmds, n)) {
		for (i = 0; i < sampling->nsampled; i++) {
			if (!wanted[i])
				continue;
			pace[i].period = wanted[i];
			pace[i].counted = 0;
		}
	}
	free(pmds);
}

/* Return: the next period, @value being the counter; 0: as it is. */
static uint64_t next_period(struct pace *pace, const struct sampling *sampling, uint64_t period,
			    uint64_t value)
{
	/* A random period is shorter, at most by the mask. */
	const uint64_t counted = value + period;
	const uint64_t events = pace->samples * period + counted - pace->counted;
	uint64_t wanted;

	pace->samples = 0;
	pace->counted = counted;
	if (!events || events > INT64_MAX)
		return 0;
	wanted = pace_period(sampling, events, period);
	return wanted > period + period / 8 || wanted < period - period / 8 ? wanted : 0;
}

void pace_adapt(struct pace *pace, int fd, const struct sampling *sampling)
{
	const size_t n = sampling->nsampled;
	uint64_t *wanted = xcalloc(n, sizeof(*wanted));
	pfarg_pmd_t *pmds = xcalloc(n, sizeof(*pmds));
	size_t i;

	memcpy(pmds, sampling->plan->pmds, n * sizeof(*pmds));
	if (!perfmon_read_pmds(fd, pmds, (int)n)) {
		for (i = 0; i < n; i++)
			wanted[i] = next_period(&pace[i], sampling, period_of(pace, sampling, i),
						pmds[i].reg_value);
		write_periods(pace, fd, sampling, wanted);
	}
	free(pmds);
	free(wanted);
}

void pace_slow(struct pace *pace, int fd, const struct sampling *sampling)
{
	/* More than twice the requested number before the next look. */
	const uint64_t many = 2 * sampling->hz / (NSEC_PER_SEC / ADAPT_NS);
	uint64_t *wanted = xcalloc(sampling->nsampled, sizeof(*wanted)), period;
	size_t i;

	for (i = 0; i < sampling->nsampled; i++) {
		period = period_of(pace, sampling, i);
		if (pace[i].samples <= many || period >= INT64_MAX / LONGER)
			continue;
		pace[i].samples = 0;
		wanted[i] = LONGER * period;
	}
	write_periods(pace, fd, sampling, wanted);
	free(wanted);
}
