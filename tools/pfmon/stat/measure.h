/* SPDX-License-Identifier: GPL-2.0 */
/* One measurement of a target of any kind. */
#ifndef PFMON_STAT_MEASURE_H
#define PFMON_STAT_MEASURE_H

#include "stat/run.h"

/*
 * Measure once. The former contents of @run are dropped, but for @run->number and @run->watch.
 * False: nothing was counted; @run->status is then the exit status.
 */
bool measure_once(const struct target *target, const struct plan *plan, struct run *run,
		  struct problem *why);

#endif /* PFMON_STAT_MEASURE_H */
