// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "run.h"

bool run_once(const struct target *target, const struct plan *plan, struct run *run,
	      struct problem *why)
{
	memset(run, 0, sizeof(*run));
	run->count = xcalloc((size_t)plan->npmds, sizeof(*run->count));
	if (target->kind == TARGET_COMMAND)
		return run_command(target, plan, run, why);
	return run_attached(target, plan, run, why);
}

void run_free(struct run *run)
{
	free(run->count);
	strings_free(&run->notes);
	memset(run, 0, sizeof(*run));
}
