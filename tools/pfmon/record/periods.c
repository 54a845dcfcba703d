// SPDX-License-Identifier: GPL-2.0
/*
 * Periods that an erratum makes longer, or multiples, on a processor. Other periods are refused,
 * not rounded: a sample represents the requested number of events.
 */
#include "record/adapt.h"
#include "record/periods.h"

/* Refuse a period, and name a possible one near it. */
static bool refuse(const struct event *event, const char *option, uint64_t period,
		   const struct period_limit *limit, struct problem *why)
{
	uint64_t near = period < limit->least ? limit->least : period;

	near -= near % limit->multiple;
	problem(why, "%s %llu: this processor samples %s with periods of %llu and more%s", option,
		(unsigned long long)period, event->name, (unsigned long long)limit->least,
		limit->multiple > 1 ? ", in steps" : "");
	return problem_hint(why, "Others lose samples, by an erratum. %s %llu would do.", option,
			    (unsigned long long)near);
}

static bool check(const struct event *event, const char *option, uint64_t period,
		  const struct period_limit *limit, struct problem *why)
{
	return (period >= limit->least && !(period % limit->multiple)) ||
	       refuse(event, option, period, limit, why);
}

/* Random numbers make periods shorter, by steps as fine as the mask's lowest bit. */
static bool check_random(const struct sampling *sampling, const struct event *event,
			 uint64_t period, const struct period_limit *limit, struct problem *why)
{
	const uint64_t mask = sampling->random_mask;

	if (!mask || (period - mask >= limit->least && !(mask % limit->multiple)))
		return true;
	problem(why, "--random %#llx: this processor samples %s with periods of %llu and more%s",
		(unsigned long long)mask, event->name, (unsigned long long)limit->least,
		limit->multiple > 1 ? ", in steps" : "");
	return problem_hint(why, "The mask is taken from the period, %llu: choose a longer one, or for the mask a\n"
				 "multiple of %llu that leaves %llu.",
			    (unsigned long long)period, (unsigned long long)limit->multiple,
			    (unsigned long long)limit->least);
}

/* Periods that follow the program are of any length from SHORTEST_PACE on. */
static bool check_pace(const struct event *event, uint64_t hz,
		       const struct period_limit *limit, struct problem *why)
{
	if (limit->least <= SHORTEST_PACE && limit->multiple == 1)
		return true;
	problem(why, "-F %llu: this processor does not sample %s with periods of any length",
		(unsigned long long)hz, event->name);
	return problem_hint(why, "By an erratum they are %llu or more, in steps of %llu: choose one with -c.",
			    (unsigned long long)limit->least, (unsigned long long)limit->multiple);
}

bool periods_check(const struct sampling *sampling, const struct events *events,
		   const struct pmu *pmu, struct problem *why)
{
	const struct event *event;
	struct period_limit limit;
	bool ok = true;
	size_t i;

	if (!pmu->arch->period_limit)
		return true;
	for (i = 0; ok && i < sampling->nsampled; i++) {
		event = &events->event[i];
		limit = pmu->arch->period_limit(pmu, event->code);
		if (sampling->hz) {
			ok = check_pace(event, sampling->hz, &limit, why);
			continue;
		}
		ok = check(event, "-c", sampling->period[i], &limit, why) &&
		     (!sampling->long_period ||
		      check(event, "--long-period", sampling->long_period, &limit, why)) &&
		     check_random(sampling, event, sampling->period[i], &limit, why);
	}
	return ok;
}
