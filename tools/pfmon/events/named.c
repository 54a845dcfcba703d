// SPDX-License-Identifier: GPL-2.0
/*
 * From a name to an event: encode it, find the counters that can count it, and see that
 * this user may.
 */
#include <stdlib.h>
#include <string.h>

#include "events/named.h"
#include "explain.h"

/*
 * Without rights for kernel level, an event that names no level is lowered to user level.
 * With all rights it would have another encoding.
 */
static bool is_lowered(const struct pmu *pmu, const struct rights *rights, const char *name,
		       const struct encoding *encoding)
{
	struct encoding full;
	struct problem why;

	return rights->levels != LEVEL_ALL && !encoding->level_free &&
	       pmu->arch->encode(pmu, name, LEVEL_ALL, &full, &why) &&
	       full.code != encoding->code;
}

static bool find_counters(struct event *event, const struct pmu *pmu, struct problem *why)
{
	event->levels = pmu->arch->levels(event->code);
	event->kind = pmu->arch->kind(pmu, event->code);
	event->counters = pmu->arch->event_counters(pmu, event->code);

	if (!event->levels)
		return problem(why, "event %s: it counts at no privilege level", event->name);
	if (!pmu->arch->check(pmu, event->name, event->code, event->counters, why))
		return false;
	if (event->counters)
		return true;
	problem(why, "event %s: this PMU has no counter for it", event->name);
	return problem_hint(why, "A fixed counter takes no modifiers but u and k. `pfmon info` lists the counters.");
}

static bool is_allowed(const struct event *event, const struct rights *rights,
		       const char *name, struct problem *why)
{
	if (!(event->levels & ~rights->levels))
		return true;
	problem(why, "event %s: this user may not count at kernel level", name);
	return problem_hint(why, "%s", kernel_level_hint());
}

bool events_add_named(struct events *events, const struct pmu *pmu,
		      const struct rights *rights, const char *name, struct problem *why)
{
	struct encoding encoding;
	struct event event;
	bool lowered;

	if (!pmu->arch->encode(pmu, name, rights->levels, &encoding, why))
		return false;
	lowered = is_lowered(pmu, rights, name, &encoding);

	memset(&event, 0, sizeof(event));
	event.name = xasprintf("%s%s", name, lowered ? ":u" : "");
	event.full = xstrdup(encoding.full);
	event.code = encoding.code;
	if (!find_counters(&event, pmu, why) || !is_allowed(&event, rights, name, why)) {
		event_free(&event);
		return false;
	}
	events_append(events, &event);
	events->lowered |= lowered;
	return true;
}
