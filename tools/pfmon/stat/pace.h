/* SPDX-License-Identifier: GPL-2.0 */
/* The times of actions during a measurement. */
#ifndef PFMON_STAT_PACE_H
#define PFMON_STAT_PACE_H

#include "stat/run.h"

#define DUE_START	0x1	/* the delay is over: count */
#define DUE_INTERVAL	0x2	/* show the counts of an interval */
#define DUE_SAMPLE	0x4	/* read the counts, for the uncertainty of estimates */
#define DUE_LOOK	0x8	/* look for new tasks */

/* Times are of CLOCK_MONOTONIC, in seconds; 0: never. */
struct pace {
	double		at[4];		/* the next time of each action */
	double		every[4];	/* the time from one to the next; 0: once */
	unsigned int	samples;
	double		started;	/* the time when counting began; 0: not yet */
};

/*
 * The first task of the target exists and counts, unless the target has a delay. Look for other
 * tasks each @look_ms, if not 0.
 */
void pace_begin(struct pace *pace, const struct target *target, const struct plan *plan,
		unsigned int look_ms);

/* The next time at which an action is due, or 0. */
double pace_next(const struct pace *pace);

/*
 * Do the actions due now: start counting, take samples, show an interval. Returns the due actions
 * as a mask; DUE_LOOK is left to the caller.
 */
unsigned int pace_tick(struct pace *pace, struct run *run);

/* The time for which pfmon has counted. */
double pace_elapsed(const struct pace *pace);

#endif /* PFMON_STAT_PACE_H */
