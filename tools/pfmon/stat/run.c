// SPDX-License-Identifier: GPL-2.0
/* A measurement: the target, the time, and the outcome. */
#include <stdlib.h>
#include <string.h>

#include "stat/run.h"
#include "util.h"

static void make_room(struct run *run, const struct plan *plan)
{
	const struct tally tally = tally_new(plan);

	run->count = tally.count;
	run->set = tally.set;
	run->scaled = xcalloc((size_t)plan->npmds, sizeof(*run->scaled));
	run->error = xcalloc((size_t)plan->npmds, sizeof(*run->error));
}

void run_begin(struct run *run, const struct target *target, const struct plan *plan)
{
	const struct watch *watch = run->watch;
	const unsigned int number = run->number;

	memset(run, 0, sizeof(*run));
	run->watch = watch;
	run->number = number;
	make_room(run, plan);
	parts_begin(&run->parts, plan, target->each);
	run->parts.system_wide = target->kind == TARGET_CPUS;
	run->parts.estimate.first = number;
}

static void note_missed(struct run *run)
{
	const struct parts *parts = &run->parts;

	if (parts->missed)
		strings_add(&run->notes,
			    xasprintf("%u %s%s could not be counted: %s", parts->missed,
				      parts->system_wide ? "CPU" : "task", PLURAL(parts->missed),
				      parts->missed_why.what));
}

void run_end(struct run *run)
{
	const struct plan *plan = run->parts.plan;
	int i;

	memcpy(run->count, run->parts.sum.count, (size_t)plan->npmds * sizeof(*run->count));
	memcpy(run->set, run->parts.sum.set, plan->nsets * sizeof(*run->set));
	for (i = 0; i < plan->npmds; i++) {
		const struct estimated estimated = estimate_event(&run->parts.estimate, (size_t)i);
		const bool exact = plan->nsets < 2 || plan_software(plan, i);

		run->scaled[i] = exact ? run->count[i] : (uint64_t)(estimated.value + 0.5);
		run->error[i] = exact ? 0 : estimated.error;
	}
	run->sessions = run->parts.sessions;
	note_missed(run);
	session_note_suspended(&run->notes, run->parts.suspended_ns);
}

static uint64_t scale(const struct plan *plan, const struct tally *tally, int i)
{
	const uint64_t own = tally->set[plan->pmds[i].reg_set].active_ns;
	uint64_t all = 0;
	unsigned int k;

	for (k = 0; k < plan->nsets; k++)
		all += tally->set[k].active_ns;
	if (plan->nsets < 2 || plan_software(plan, i) || !own)
		return tally->count[i];
	return (uint64_t)((long double)tally->count[i] * (long double)all /
			  (long double)own + 0.5L);
}

void run_from_tally(struct run *run, const struct plan *plan, const struct tally *tally)
{
	struct tally own;
	int i;

	memset(run, 0, sizeof(*run));
	make_room(run, plan);
	own = (struct tally){ run->count, run->set };
	tally_copy(&own, tally, plan);
	for (i = 0; i < plan->npmds; i++) {
		run->scaled[i] = scale(plan, tally, i);
		run->error[i] = -1;
	}
}

void run_free(struct run *run)
{
	free(run->count);
	free(run->set);
	free(run->scaled);
	free(run->error);
	parts_free(&run->parts);
	strings_free(&run->notes);
	memset(run, 0, sizeof(*run));
}
