/* SPDX-License-Identifier: GPL-2.0 */
/* Periods that follow the program, for so many samples a second (-F). */
#ifndef PFMON_RECORD_ADAPT_H
#define PFMON_RECORD_ADAPT_H

#include "session/sampler.h"

/* How often a period is looked at, in ns. */
#define ADAPT_NS	100000000ULL

/* Of one context. */
struct pace {
	uint64_t	period;		/* now; 0: that of the sampling, still */
	uint64_t	samples;	/* since the last look */
	uint64_t	counted;	/* events of the period that had passed at that */
};

/* Shorter ones would be most of what the program does. */
#define SHORTEST_PACE	100

/* The period to begin with: a thousand million events a second are assumed. */
uint64_t pace_first_period(uint64_t hz);

/* Look how many events there were since the last time, and choose the period for as many more. */
void pace_adapt(struct pace *pace, int fd, const struct sampling *sampling);

/* A full buffer, or the throttle, may say that the period is far too short: not until then. */
void pace_slow(struct pace *pace, int fd, const struct sampling *sampling);

/* That period, clear of the mask of random ones: for @events in ADAPT_NS, after @period. */
uint64_t pace_period(const struct sampling *sampling, uint64_t events, uint64_t period);

#endif /* PFMON_RECORD_ADAPT_H */
