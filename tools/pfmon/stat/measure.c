// SPDX-License-Identifier: GPL-2.0
/* One measurement, of a command, of threads that run, or of CPUs. */
#include "stat/attach.h"
#include "stat/command.h"
#include "stat/measure.h"

bool measure_once(const struct target *target, const struct plan *plan, struct run *run,
		  struct problem *why)
{
	bool ok;

	run_begin(run, plan);
	ok = target->kind == TARGET_COMMAND ? run_command(target, plan, run, why) :
					      run_attached(target, plan, run, why);
	session_note_suspended(&run->notes, run->suspended_ns);
	return ok;
}
