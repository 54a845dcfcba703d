/* SPDX-License-Identifier: GPL-2.0 */
/* Counting a command with all its threads and processes. */
#ifndef PFMON_STAT_COMMAND_H
#define PFMON_STAT_COMMAND_H

#include "stat/run.h"

/*
 * Run the command and count it into @run, which run_begin() has prepared. False: nothing
 * was counted; @run->status is then the exit status.
 */
bool run_command(const struct target *target, const struct plan *plan, struct run *run,
		 struct problem *why);

#endif /* PFMON_STAT_COMMAND_H */
