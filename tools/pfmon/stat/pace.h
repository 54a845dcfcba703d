/* SPDX-License-Identifier: GPL-2.0 */
/* What is due when, while something is counted. */
#ifndef PFMON_STAT_PACE_H
#define PFMON_STAT_PACE_H

#include "stat/run.h"

#define DUE_START	0x1	/* the delay is over: count */
#define DUE_INTERVAL	0x2	/* show what an interval has counted */
#define DUE_SAMPLE	0x4	/* read the counts, for the uncertainty of estimates */
#define DUE_LOOK	0x8	/* look for tasks that have come */

/* Times are CLOCK_MONOTONIC's, in seconds; 0: never. */
struct pace {
	double		at[4];		/* when each of these is due next */
	double		every[4];	/* how far apart; 0: once */
	unsigned int	samples;
	double		started;	/* when counting began; 0: it has not yet */
};

/* The first task of the target is there and counts, unless it is to wait; look for others each @look_ms, if not 0. */
void pace_begin(struct pace *pace, const struct target *target, const struct plan *plan,
		unsigned int look_ms);

/* The next time that something is due, or 0. */
double pace_next(const struct pace *pace);

/*
 * Do what is due now: start counting, take samples, show an interval. Returns it as a mask;
 * DUE_LOOK is left to the caller.
 */
unsigned int pace_tick(struct pace *pace, struct run *run);

/* For how long was counted until now. */
double pace_elapsed(const struct pace *pace);

#endif /* PFMON_STAT_PACE_H */
