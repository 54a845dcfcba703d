// SPDX-License-Identifier: GPL-2.0
/*
 * From a name to an event: encode it, find the counters that can count it, and check that
 * this user may.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/named.h"
#include "events/spelling.h"
#include "explain.h"
#include "pmu/software.h"

static bool encode(const struct pmu *pmu, const struct spelling *spelling, unsigned int levels,
		   struct encoding *encoding, struct problem *why)
{
	if (!spelling->raw)
		return pmu->arch->encode(pmu, spelling->name, levels, encoding, why);
	memset(encoding, 0, sizeof(*encoding));
	encoding->code = pmu->arch->from_config(pmu, spelling->config, spelling->levels ?: levels);
	snprintf(encoding->full, sizeof(encoding->full), "config=%#llx",
		 (unsigned long long)spelling->config);
	if (!spelling->has_second)
		return true;
	append(encoding->full, sizeof(encoding->full), ",config1=%#llx",
	       (unsigned long long)spelling->second);
	return pmu->arch->second_register(pmu, spelling->name, &spelling->second, encoding, why);
}

/*
 * Without rights for kernel level, an event that names no level is lowered to user level.
 * With all rights it would have another encoding.
 */
static bool is_lowered(const struct pmu *pmu, const struct rights *rights,
		       const struct spelling *spelling, const struct encoding *encoding)
{
	struct encoding full;
	struct problem why;

	return rights->levels != LEVEL_ALL && !encoding->level_free &&
	       encode(pmu, spelling, LEVEL_ALL, &full, &why) && full.code != encoding->code;
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

static bool add_spelled(struct events *events, const struct pmu *pmu,
			const struct rights *rights, const struct spelling *spelling,
			const char *shown, struct problem *why)
{
	struct encoding encoding;
	struct event event;
	bool lowered;

	if (!encode(pmu, spelling, rights->levels, &encoding, why))
		return false;
	lowered = is_lowered(pmu, rights, spelling, &encoding);

	memset(&event, 0, sizeof(event));
	event.name = xasprintf("%s%s", shown, lowered ? ":u" : "");
	event.full = xstrdup(encoding.full);
	event.code = encoding.code;
	event.extra = encoding.extra;
	if (!find_counters(&event, pmu, why) || !is_allowed(&event, rights, shown, why)) {
		event_free(&event);
		return false;
	}
	events_append(events, &event);
	events->lowered |= lowered;
	return true;
}

/* An event that the kernel counts. The software PMU's of the same names have its own counters. */
static const struct software_event *find_software(const struct pmu *pmu,
						  const struct spelling *spelling)
{
	if (spelling->raw || pmu->arch == &pmu_soft)
		return NULL;
	return software_find(spelling->name, strcspn(spelling->name, ":"));
}

/* Behind the event's name: nothing, or levels, as in ":u", ":u:k" and ":uk". */
static bool read_levels(const char *shown, unsigned int *levels, struct problem *why)
{
	const char *at;

	*levels = 0;
	for (at = shown + strcspn(shown, ":"); *at; at++) {
		if (*at == 'u') {
			*levels |= LEVEL_USER;
		} else if (*at == 'k') {
			*levels |= LEVEL_KERNEL;
		} else if (*at != ':' || !at[1]) {
			problem(why, "event %s: the kernel's events take no modifiers but u and k", shown);
			return problem_hint(why, "Write %.*s.", (int)strcspn(shown, ":"), shown);
		}
	}
	return true;
}

static bool add_software(struct events *events, const struct software_event *software,
			 const struct rights *rights, const char *shown, struct problem *why)
{
	struct event event = { .software = software, .kind = software->kind };
	unsigned int asked;
	bool lowered;

	if (!read_levels(shown, &asked, why))
		return false;
	event.levels = software_levels(software, rights->use, asked, shown, why);
	if (!event.levels)
		return false;
	lowered = !asked && event.levels == LEVEL_USER &&
		  !(software->level_free && rights->use == SOFTWARE_COUNT);
	event.name = xasprintf("%s%s", shown, lowered ? ":u" : "");
	event.full = xstrdup(software->name);
	events_append(events, &event);
	events->lowered |= lowered;
	return true;
}

bool events_add_named(struct events *events, const struct pmu *pmu,
		      const struct rights *rights, const char *name, struct problem *why)
{
	const struct software_event *software;
	struct spelling spelling;
	bool ok;

	if (!spelling_read(&spelling, pmu, name, why))
		return false;
	software = find_software(pmu, &spelling);
	if (software)
		ok = add_software(events, software, rights, name, why);
	else
		ok = add_spelled(events, pmu, rights, &spelling,
				 spelling.raw ? spelling.name : name, why);
	spelling_free(&spelling);
	return ok;
}
