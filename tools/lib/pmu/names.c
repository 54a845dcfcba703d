// SPDX-License-Identifier: GPL-2.0
/*
 * From a name to an encoding: a short name stands for one of libpfm4's, libpfm4 encodes
 * it, and a name that it does not know can be an event of the emulated PMU.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/aliases.h"
#include "pmu/emulated.h"
#include "pmu/extra_regs.h"
#include "pmu/libpfm.h"
#include "pmu/names.h"
#include "pmu/software.h"
#include "suggest.h"

bool names_find(const struct pmu *pmu, struct event_names *names, struct problem *why)
{
	struct libpfm_pmu libpfm;

	(void)pmu;
	memset(names, 0, sizeof(*names));
	names->libpfm = true;
	names->emulated = emulated_pmu();
	if (!libpfm_open(&libpfm, why))
		return false;
	names->pmu = libpfm.name;
	names->desc = libpfm.desc;
	names->n = libpfm.nevents;
	return true;
}

/* Names near to one that does not exist. */
static bool unknown_event(const char *name, struct problem *why)
{
	const size_t length = strcspn(name, ":");
	const struct software_event *software;
	const struct emulated_event *emulated;
	struct libpfm_item event;
	struct suggest suggest;
	const struct alias *alias;
	char near[256];
	int id = -1;

	suggest_begin(&suggest, name, length);
	for (alias = aliases; alias->name; alias++)
		suggest_offer(&suggest, alias->name);
	for (software = software_events; software->name; software++)
		suggest_offer(&suggest, software->name);
	for (emulated = emulated_events(); emulated->name; emulated++)
		suggest_offer(&suggest, emulated->name);
	for (; libpfm_next_event(id, &event); id = event.id)
		suggest_offer(&suggest, event.name);
	suggest_end(&suggest, near, sizeof(near));

	problem(why, "event %s: this CPU has no event '%.*s'", name, (int)length, name);
	return problem_hint(why, "%s%s%s`pfmon list` shows all events.",
			    near[0] ? "Did you mean " : "", near, near[0] ? "?\n" : "");
}

/* A unit mask or modifier is wrong or missing: list the existing ones. */
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

/* Either a short name that no event of this CPU has, or no name at all. */
static bool no_event(const char *shown, struct problem *why)
{
	if (!libpfm_load(why))
		return false;
	if (!alias_known(shown))
		return unknown_event(shown, why);
	problem(why, "event %s: this CPU has no event with that meaning", shown);
	return problem_hint(why, "`pfmon list` shows all events.");
}

/* @shown is the user's text, @name the event that it stands for. */
static bool encode_name(const struct pmu *pmu, const char *name, const char *shown,
			unsigned int levels, struct encoding *encoding, struct problem *why)
{
	struct libpfm_encoding libpfm;

	switch (libpfm_encode(name, levels, &libpfm)) {
	case ENCODE_OK:
		*encoding = libpfm.encoding;
		/* Without a PMU there is the name, and no register to look up. */
		return !pmu || extra_regs_find(pmu, shown, libpfm.has_extra ? &libpfm.extra : NULL,
					       encoding, why);
	case ENCODE_NO_EVENT:
		return encode_emulated(name, levels, encoding) || no_event(shown, why);
	case ENCODE_UMASK:
		return unknown_attr(name, true, why);
	case ENCODE_ATTR:
		return unknown_attr(name, false, why);
	default:
		return problem(why, "event %s: %s", shown, libpfm.error);
	}
}

bool names_encode(const struct pmu *pmu, const char *name, unsigned int levels,
		  struct encoding *encoding, struct problem *why)
{
	char *expanded = alias_expand(name);
	bool ok;

	ok = encode_name(pmu, expanded ? expanded : name, name, levels, encoding, why);
	free(expanded);
	return ok;
}
