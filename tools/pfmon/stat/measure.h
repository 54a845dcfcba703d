/* SPDX-License-Identifier: GPL-2.0 */
/* One measurement, of whatever kind the target is. */
#ifndef PFMON_STAT_MEASURE_H
#define PFMON_STAT_MEASURE_H

#include "stat/run.h"

/*
 * Measure once; but for @run->turn, what is in @run is forgotten. False: nothing was
 * counted; @run->status is then the exit status.
 */
bool measure_once(const struct target *target, const struct plan *plan, struct run *run,
		  struct problem *why);

#endif /* PFMON_STAT_MEASURE_H */
