// SPDX-License-Identifier: GPL-2.0
/* Samples have the values of PMDs in the order of their numbers: so do these. */
#include <string.h>

#include "pmu/registers.h"
#include "pmu/software.h"
#include "record/kernel_values.h"

static bool check(const struct event *event, const struct pmu *pmu, struct problem *why)
{
	const unsigned int pmd = event->software->pmd;

	if (pmd && pmu_find_pmd(pmu, pmd))
		return true;
	if (!pmd) {
		problem(why, "--with %s: no register has it", event->name);
		return problem_hint(why, "It is the sum of minor-faults and major-faults, which have one each.");
	}
	problem(why, "--with %s: the kernel's perfmon has it in a virtual PMD, and there is none here",
		event->name);
	return problem_hint(why, "`pfmon info --registers` shows them. -e %s samples the event itself.",
			    event->software->name);
}

/* Add each PMD once, at its place. */
static void add(struct kernel_values *values, const struct software_event *event)
{
	size_t at = values->n, i;

	for (i = 0; i < values->n; i++)
		if (values->pmd[i] == event->pmd)
			return;
	for (; at && values->pmd[at - 1] > event->pmd; at--) {
		values->pmd[at] = values->pmd[at - 1];
		values->name[at] = values->name[at - 1];
	}
	values->pmd[at] = event->pmd;
	values->name[at] = event->name;
	values->n++;
}

bool kernel_values_take(struct kernel_values *values, struct events *events, size_t from,
			const struct pmu *pmu, struct problem *why)
{
	size_t n = from, i;
	bool ok = true;

	for (i = from; i < events->n; i++) {
		struct event event = events->event[i];

		if (!event.software) {
			events->event[n++] = event;
			continue;
		}
		ok = ok && check(&event, pmu, why);
		if (ok)
			add(values, event.software);
		event_free(&event);
	}
	events->n = n;
	return ok;
}
