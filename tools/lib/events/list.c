// SPDX-License-Identifier: GPL-2.0
/* The argument of -e: items between commas, with groups in braces. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "events/assign.h"
#include "events/list.h"
#include "events/named.h"
#include "events/raw.h"
#include "events/spelling.h"

static bool add_item(struct events *events, const struct pmu *pmu,
		     const struct rights *rights, const char *item, const char *list,
		     struct problem *why)
{
	if (!*item)
		return problem(why, "events '%s': an event's name is empty", list);
	if (is_raw(item))
		return events_add_raw(events, pmu, rights, item, why);
	return events_add_named(events, pmu, rights, item, why);
}

static bool bad_braces(const char *list, struct problem *why)
{
	problem(why, "events '%s': the braces do not match", list);
	return problem_hint(why, "A group is written as '{a,b}', in quotes for the shell's sake.\n"
				 "There are no groups in groups.");
}

/* Cut the braces around @item off; *@open: a group has begun and not ended yet. */
static bool strip_braces(struct events *events, char **item, bool *open, bool *closes)
{
	const size_t length = strlen(*item);
	const bool opens = **item == '{';

	*closes = length && (*item)[length - 1] == '}';
	if (*closes)
		(*item)[length - 1] = '\0';
	*item += opens;
	if (strpbrk(*item, "{}") || (opens && *open) || (*closes && !opens && !*open))
		return false;
	if (opens || !*open)
		events_begin_group(events, opens);
	*open = *open || opens;
	return true;
}

/* Raw values alone may control other events, but a group of them would have none. */
static bool group_counts(const struct events *events, const char *list, struct problem *why)
{
	if (events->n && events->event[events->n - 1].group + 1 == events->ngroups)
		return true;
	return problem(why, "events '%s': a group counts nothing: add an event to it", list);
}

/* As strsep() with commas, but a comma may be within an item. */
static char *next_item(char **rest)
{
	char *item = *rest, *end;

	if (!item)
		return NULL;
	end = spelling_item_end(item);
	*rest = *end ? end + 1 : NULL;
	*end = '\0';
	return item;
}

bool events_add(struct events *events, const struct pmu *pmu, const struct rights *rights,
		const char *list, struct problem *why)
{
	char *copy = spelling_of_groups(list), *rest = copy, *item;
	bool ok = true, open = false, closes;

	while (ok && (item = next_item(&rest))) {
		if (!strip_braces(events, &item, &open, &closes))
			ok = bad_braces(list, why);
		else
			ok = add_item(events, pmu, rights, item, list, why) &&
			     (!closes || group_counts(events, list, why));
		open = open && !closes;
	}
	if (ok && open)
		ok = bad_braces(list, why);
	free(copy);
	return ok;
}

static void add_usual(struct events *events, const struct pmu *pmu,
		      const struct rights *rights, const char *name, struct problem *why)
{
	events_begin_group(events, false);
	if (events_add_named(events, pmu, rights, name, why) && !assign_counters(events, pmu, why))
		events_drop_last(events);
}

bool events_add_default(struct events *events, const struct pmu *pmu,
			const struct rights *rights, struct problem *why)
{
	const char *const *name;

	for (name = pmu->arch->default_events; *name; name++)
		add_usual(events, pmu, rights, *name, why);
	if (events->n)
		return true;
	problem(why, "none of the usual events can be counted on this PMU");
	return problem_hint(why, "Name some with -e. `pfmon list` shows all events.");
}
