// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "run.h"

bool run_once(const struct target *target, const struct plan *plan, struct run *run,
	      struct problem *why)
{
	const unsigned int turn = run->turn;
	bool ok;

	memset(run, 0, sizeof(*run));
	run->turn = turn;
	run->count = xcalloc((size_t)plan->npmds, sizeof(*run->count));
	run->set = xcalloc(plan->nsets, sizeof(*run->set));
	ok = target->kind == TARGET_COMMAND ? run_command(target, plan, run, why) :
					      run_attached(target, plan, run, why);
	session_note_suspended(&run->notes, run->suspended_ns);
	return ok;
}

unsigned int run_first_set(struct run *run, const struct plan *plan)
{
	return run->turn++ % plan->nsets;
}

void run_free(struct run *run)
{
	free(run->count);
	free(run->set);
	strings_free(&run->notes);
	memset(run, 0, sizeof(*run));
}
