/* SPDX-License-Identifier: GPL-2.0 */
/* Counting running targets: threads or CPUs. */
#ifndef PFMON_STAT_ATTACH_H
#define PFMON_STAT_ATTACH_H

#include "stat/run.h"

/*
 * Count the threads or CPUs of @target into @run, which run_begin() has prepared. False:
 * nothing was counted; @run->status is then the exit status.
 */
bool run_attached(const struct target *target, const struct plan *plan, struct run *run,
		  struct problem *why);

#endif /* PFMON_STAT_ATTACH_H */
