// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aliases.h"
#include "assign.h"
#include "emulated.h"
#include "events.h"
#include "explain.h"
#include "libpfm.h"
#include "soft.h"
#include "suggest.h"

static void begin_group(struct events *events, bool braces)
{
	GROW(events->group, events->ngroups, events->group_room);
	events->group[events->ngroups++].braces = braces;
}

struct event *events_append(struct events *events, char *name, char *full, uint64_t code)
{
	struct event *event;

	GROW(events->event, events->n, events->room);
	event = &events->event[events->n++];
	memset(event, 0, sizeof(*event));
	event->name = name;
	event->full = full;
	event->code = code;
	event->group = events->ngroups ? (unsigned int)events->ngroups - 1 : 0;
	return event;
}

static void drop_last(struct events *events)
{
	events->n--;
	free(events->event[events->n].name);
	free(events->event[events->n].full);
}

void events_free(struct events *events)
{
	while (events->n)
		drop_last(events);
	free(events->event);
	free(events->raw);
	free(events->group);
	memset(events, 0, sizeof(*events));
}

/* Names near to one that does not exist. */
static bool unknown_event(const char *name, struct problem *why)
{
	const size_t length = strcspn(name, ":");
	const struct emulated_event *emulated;
	struct libpfm_item event;
	struct suggest suggest;
	const struct alias *alias;
	char near[256];
	int id = -1;

	suggest_begin(&suggest, name, length);
	for (alias = aliases; alias->name; alias++)
		suggest_offer(&suggest, alias->name);
	for (emulated = emulated_events(); emulated->name; emulated++)
		suggest_offer(&suggest, emulated->name);
	for (; libpfm_next_event(id, &event); id = event.id)
		suggest_offer(&suggest, event.name);
	suggest_end(&suggest, near, sizeof(near));

	problem(why, "event %s: this CPU has no event '%.*s'", name, (int)length, name);
	return problem_hint(why, "%s%s%s`pfmon list` shows all events.",
			    near[0] ? "Did you mean " : "", near, near[0] ? "?\n" : "");
}

/* A unit mask or modifier is wrong or missing: what there is. */
static bool unknown_attr(const char *name, bool missing, struct problem *why)
{
	struct libpfm_item event, attr;
	char masks[600] = "", modifiers[200] = "";
	int i;

	if (!libpfm_find_event(name, &event))
		return unknown_event(name, why);
	for (i = 0; i < event.nattrs; i++) {
		if (!libpfm_attr(&event, i, &attr))
			continue;
		if (attr.is_umask)
			append(masks, sizeof(masks), " %s", attr.name);
		else
			append(modifiers, sizeof(modifiers), " %s", attr.name);
	}
	problem(why, "event %s: %s", name,
		missing ? "its unit mask is missing, or these do not go together" :
			  "it has no such unit mask or modifier");
	return problem_hint(why, "%s has the unit masks%s,\nand the modifiers%s. `pfmon list %s` describes them.",
			    event.name, masks[0] ? masks : " (none)", modifiers, event.name);
}

/* Names that only the emulated PMU has: "NAME", "NAME:u", "NAME:k" or "NAME:u:k". */
static bool encode_emulated(const char *name, unsigned int levels,
			    struct encoding *encoding)
{
	static const char *const endings[] = { "", ":u", ":k", ":u:k", ":k:u" };
	static const unsigned int at[] = { 0, LEVEL_USER, LEVEL_KERNEL, LEVEL_ALL, LEVEL_ALL };
	const struct emulated_event *event;
	const char *modifiers;
	size_t i;

	event = emulated_by_name(name, &modifiers);
	for (i = 0; event && i < COUNT(endings); i++) {
		if (strcasecmp(modifiers, endings[i]))
			continue;
		levels = at[i] ? at[i] : levels;
		memset(encoding, 0, sizeof(*encoding));
		/* USR, OS, INT and EN of an event select: Intel and AMD have the same. */
		encoding->code = event->code | ((levels & LEVEL_USER) ? 1U << 16 : 0) |
				 ((levels & LEVEL_KERNEL) ? 1U << 17 : 0) | 1U << 20 | 1U << 22;
		snprintf(encoding->full, sizeof(encoding->full), "%s", event->name);
		return true;
	}
	return false;
}

bool is_modelled(const char *name, uint64_t code, struct problem *why)
{
	const char *refusal = emulated_pmu() ? emulated_refusal(code) : NULL;

	if (!refusal)
		return true;
	problem(why, "event %s: the emulated PMU of this guest %s", name, refusal);
	return problem_hint(why, "`pfmon list` shows the events that count here.");
}

/* @name as its PMU or libpfm4 encode it, with @levels if it names none. */
static bool encode(const struct pmu *pmu, const char *name, const char *shown,
		   unsigned int levels, struct encoding *encoding, struct problem *why)
{
	if (soft_pmu(pmu))
		return soft_encode(pmu, name, levels, encoding, why);
	switch (libpfm_encode(name, levels, encoding)) {
	case ENCODE_OK:
		break;
	case ENCODE_NO_EVENT:
		if (encode_emulated(name, levels, encoding))
			break;
		if (alias_known(shown)) {
			problem(why, "event %s: this CPU has no event with that meaning", shown);
			return problem_hint(why, "`pfmon list` shows all events.");
		}
		return unknown_event(shown, why);
	case ENCODE_UMASK:
		return unknown_attr(name, true, why);
	case ENCODE_ATTR:
		return unknown_attr(name, false, why);
	default:
		return problem(why, "event %s: %s", shown, encoding->error);
	}
	if (encoding->has_extra) {
		problem(why, "event %s: it needs the value %#llx in a second register", shown,
			(unsigned long long)encoding->extra);
		return problem_hint(why, "No PMC of this kernel maps to that register (`pfmon info` lists them).");
	}
	return true;
}

/* Whether the event can count here, and where. */
static bool place(struct event *event, const struct pmu *pmu, struct problem *why)
{
	event->levels = pmu->arch->levels(event->code);
	event->kind = pmu->arch->kind(pmu, event->code);
	event->counters = pmu->arch->event_counters(pmu, event->code);

	if (!event->levels)
		return problem(why, "event %s: it counts at no privilege level", event->name);
	if (!soft_pmu(pmu) && !is_modelled(event->name, event->code, why))
		return false;
	if (!event->counters) {
		problem(why, "event %s: this PMU has no counter for it", event->name);
		return problem_hint(why, "A fixed counter takes no modifiers but u and k. `pfmon info` lists the counters.");
	}
	return pmu->arch->check(pmu, event, why);
}

static bool add_named(struct events *events, const struct pmu *pmu,
		      const struct rights *rights, const char *shown, struct problem *why)
{
	char *expanded = alias_expand(shown);
	const char *name = expanded ? expanded : shown;
	struct encoding encoding, both;
	struct event *event;
	bool ok, lowered;

	if (!pmu->arch) {
		free(expanded);
		problem(why, "event %s: pfmon does not know the registers of this PMU", shown);
		return problem_hint(why, "Only raw values can be written: -e pmcN=0x...");
	}
	ok = encode(pmu, name, shown, rights->levels, &encoding, why);
	/* Lowered: named no level, and with all rights it would count at more of them. */
	lowered = ok && rights->levels != LEVEL_ALL &&
		  encode(pmu, name, shown, LEVEL_ALL, &both, why) &&
		  both.code != encoding.code &&
		  !(soft_pmu(pmu) && soft_counts_all(pmu, encoding.code));
	free(expanded);
	if (!ok)
		return false;

	event = events_append(events, xasprintf("%s%s", shown, lowered ? ":u" : ""),
			      xstrdup(encoding.full), encoding.code);
	ok = place(event, pmu, why);
	if (ok && event->levels & ~rights->levels) {
		problem(why, "event %s: this user may not count at kernel level", shown);
		problem_hint(why, "%s", kernel_level_hint());
		ok = false;
	}
	if (!ok)
		drop_last(events);
	else if (lowered)
		events->lowered = true;
	return ok;
}

static bool add_item(struct events *events, const struct pmu *pmu,
		     const struct rights *rights, const char *item, const char *list,
		     struct problem *why)
{
	if (!*item)
		return problem(why, "-e %s: an event's name is empty", list);
	if (is_raw(item))
		return events_add_raw(events, pmu, rights, item, why);
	return add_named(events, pmu, rights, item, why);
}

static bool bad_braces(const char *list, struct problem *why)
{
	problem(why, "-e %s: the braces do not match", list);
	return problem_hint(why, "A group is written as '{a,b}', in quotes for the shell's sake.\n"
				 "There are no groups in groups.");
}

/* The braces around @item, cut off; *@open: a group has begun and not ended yet. */
static bool take_braces(struct events *events, char **item, bool *open, bool *closes)
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
		begin_group(events, opens);
	*open = *open || opens;
	return true;
}

/* Raw values alone may steer other events, but in a group there are none. */
static bool check_group(const struct events *events, const char *list, struct problem *why)
{
	if (events->n && events->event[events->n - 1].group + 1 == events->ngroups)
		return true;
	return problem(why, "-e %s: a group counts nothing: add an event to it", list);
}

bool events_add(struct events *events, const struct pmu *pmu, const struct rights *rights,
		const char *list, struct problem *why)
{
	char *copy = xstrdup(list), *rest = copy, *item;
	bool ok = true, open = false, closes;

	while (ok && (item = strsep(&rest, ","))) {
		if (!take_braces(events, &item, &open, &closes))
			ok = bad_braces(list, why);
		else
			ok = add_item(events, pmu, rights, item, list, why) &&
			     (!closes || check_group(events, list, why));
		open = open && !closes;
	}
	if (ok && open)
		ok = bad_braces(list, why);
	free(copy);
	return ok;
}

bool raw_in_set(const struct events *events, const struct raw_pmc *raw, unsigned int set)
{
	bool alone = true;
	size_t i;

	for (i = 0; i < events->n; i++) {
		if (events->event[i].group != raw->group)
			continue;
		if (events->event[i].set == set)
			return true;
		alone = false;
	}
	return alone;
}

static void add_usual(struct events *events, const struct pmu *pmu,
		      const struct rights *rights, const char *name, struct problem *why)
{
	begin_group(events, false);
	if (add_named(events, pmu, rights, name, why) && !assign_counters(events, pmu, why))
		drop_last(events);
}

bool events_add_default(struct events *events, const struct pmu *pmu,
			const struct rights *rights, struct problem *why)
{
	const struct soft_event *soft;
	const struct alias *alias;

	for (soft = soft_events; soft_pmu(pmu) && soft->name; soft++)
		if (soft->usual)
			add_usual(events, pmu, rights, soft->name, why);
	for (alias = aliases; !soft_pmu(pmu) && alias->name; alias++)
		add_usual(events, pmu, rights, alias->name, why);
	if (events->n)
		return true;
	problem(why, "none of the usual events can be counted on this PMU");
	return problem_hint(why, "Name some with -e. `pfmon list` shows all events.");
}
