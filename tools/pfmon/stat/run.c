// SPDX-License-Identifier: GPL-2.0
/* What is counted, for how long, and what came out. */
#include <stdlib.h>
#include <string.h>

#include "stat/run.h"

void run_begin(struct run *run, const struct plan *plan)
{
	const unsigned int turn = run->turn;

	memset(run, 0, sizeof(*run));
	run->turn = turn;
	run->count = xcalloc((size_t)plan->npmds, sizeof(*run->count));
	run->set = xcalloc(plan->nsets, sizeof(*run->set));
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
