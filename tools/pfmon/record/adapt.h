/* SPDX-License-Identifier: GPL-2.0 */
/* Periods that follow the program, for a number of samples a second (-F). */
#ifndef PFMON_RECORD_ADAPT_H
#define PFMON_RECORD_ADAPT_H

#include "session/sampler.h"

/* The time from one look at a period to the next, in ns. */
#define ADAPT_NS	100000000ULL

/* The period of an event in one context, which has as many of these as sampled events. */
struct pace {
	uint64_t	period;		/* now; 0: still that of the sampling */
	uint64_t	samples;	/* since the last look */
	uint64_t	counted;	/* events of the period that had passed at the last look */
};

/* With shorter periods the samples would take most of the program's time. */
#define SHORTEST_PACE	100

/* The period to begin with: a thousand million events a second are assumed. */
uint64_t pace_first_period(uint64_t hz);

/* For a new context, to be freed; without -F NULL. */
struct pace *paces_new(const struct sampling *sampling);

/* Samples were taken. @pace is NULL without -F. */
void pace_samples(struct pace *pace, const struct sampling *sampling, const struct batch *batch);

/* Read the numbers of events since the last look, and choose the periods for as many more. */
void pace_adapt(struct pace *pace, int fd, const struct sampling *sampling);

/* After a full buffer or a throttle message: lengthen far too short periods at once. */
void pace_slow(struct pace *pace, int fd, const struct sampling *sampling);

/* A period for @events in ADAPT_NS, after @period, longer than the mask of random periods. */
uint64_t pace_period(const struct sampling *sampling, uint64_t events, uint64_t period);

#endif /* PFMON_RECORD_ADAPT_H */
