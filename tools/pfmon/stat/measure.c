// SPDX-License-Identifier: GPL-2.0
/* One measurement, of a command, of running threads, or of CPUs. */
#include "stat/attach.h"
#include "stat/command.h"
#include "stat/measure.h"

bool measure_once(const struct target *target, const struct plan *plan, struct run *run,
		  struct problem *why)
{
	bool ok;

	run_begin(run, target, plan);
	ok = target->kind == TARGET_COMMAND ? run_command(target, plan, run, why) :
					      run_attached(target, plan, run, why);
	run_end(run);
	if (ok && run->watch && target->interval_ms)
		run->watch->interval(run->watch->data, run, run->elapsed);
	return ok;
}
