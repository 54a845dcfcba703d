// SPDX-License-Identifier: GPL-2.0
/* The existing names, and what stat and record make of each. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/named.h"
#include "list/catalog.h"
#include "pmu/aliases.h"
#include "pmu/emulated.h"
#include "pmu/names.h"
#include "pmu/soft.h"

/* True if the names of another processor were requested: its counters are not this machine's. */
static bool is_foreign(const struct pmu *pmu)
{
	return getenv("LIBPFM_FORCE_PMU") && pmu->arch == &pmu_soft;
}

static bool find_names(struct catalog *catalog, struct problem *why)
{
	struct event_names names;

	if (!(catalog->known ? catalog->pmu.arch->names(&catalog->pmu, &names, why) :
			       names_find(NULL, &names, why)))
		return false;
	snprintf(catalog->name, sizeof(catalog->name), "%s", names.pmu);
	snprintf(catalog->desc, sizeof(catalog->desc), "%s", names.desc);
	snprintf(catalog->pmu.events, sizeof(catalog->pmu.events), "%s", names.pmu);
	return true;
}

static void find_aliases(struct catalog *catalog)
{
	const struct alias *alias;
	struct answer answer;
	size_t n = 0;

	for (alias = aliases; alias->name; alias++)
		n++;
	catalog->alias_code = xcalloc(n, sizeof(*catalog->alias_code));
	for (alias = aliases; alias->name; alias++) {
		catalog_ask(catalog, alias->name, &answer);
		if (answer.encoded)
			catalog->alias_code[alias - aliases] = answer.code;
	}
}

bool catalog_open(struct catalog *catalog, const char *glob, struct problem *why)
{
	struct problem no_pmu;

	memset(catalog, 0, sizeof(*catalog));
	catalog->glob = glob;
	catalog->known = pmu_read(&catalog->pmu, &no_pmu);
	if (catalog->known && is_foreign(&catalog->pmu)) {
		pmu_free(&catalog->pmu);
		catalog->known = false;
	}
	if (!find_names(catalog, why)) {
		pmu_free(&catalog->pmu);
		return false;
	}
	find_aliases(catalog);
	return true;
}

void catalog_close(struct catalog *catalog)
{
	free(catalog->alias_code);
	pmu_free(&catalog->pmu);
}

/* As in stat, for a user who may count at all levels. */
static void ask_events(const struct catalog *catalog, const char *name, struct answer *answer)
{
	const struct rights all = { .levels = LEVEL_ALL };
	struct events events = { .n = 0 };

	events_begin_group(&events, false);
	answer->accepted = events_add_named(&events, &catalog->pmu, &all, name, &answer->why);
	if (answer->accepted)
		answer->counters = events.event[0].counters;
	events_free(&events);
}

void catalog_ask(const struct catalog *catalog, const char *name, struct answer *answer)
{
	const struct pmu *pmu = catalog->known ? &catalog->pmu : NULL;
	struct encoding encoding;

	memset(answer, 0, sizeof(*answer));
	answer->encoded = pmu ? pmu->arch->encode(pmu, name, LEVEL_ALL, &encoding, &answer->why) :
				names_encode(NULL, name, LEVEL_ALL, &encoding, &answer->why);
	if (answer->encoded) {
		answer->code = encoding.code;
		snprintf(answer->full, sizeof(answer->full), "%s", encoding.full);
	}
	if (pmu)
		ask_events(catalog, name, answer);
	else
		answer->accepted = answer->encoded &&
				   emulated_check(name, answer->code, &answer->why);
}

char *catalog_spell(const char *event, const char *umask)
{
	return umask ? xasprintf("%s:%s", event, umask) : xstrdup(event);
}

bool catalog_matches(const struct catalog *catalog, const char *event, const char *umask)
{
	char *name = catalog_spell(event, umask);
	const bool yes = !fnmatch(catalog->glob, name, FNM_CASEFOLD);

	free(name);
	return yes;
}

static bool a_umask_matches(const struct catalog *catalog, const struct libpfm_item *event)
{
	struct libpfm_item attr;
	int i;

	for (i = 0; i < event->nattrs; i++)
		if (libpfm_attr(event, i, &attr) && attr.is_umask &&
		    catalog_matches(catalog, event->name, attr.name))
			return true;
	return false;
}

static void each_of_libpfm(const struct catalog *catalog, void *data,
			   void (*visit)(void *data, const struct catalog_event *event))
{
	struct catalog_event event = { .source = "libpfm4" };
	int id = -1;

	for (; libpfm_next_event(id, &event.libpfm); id = event.libpfm.id) {
		if (!catalog_matches(catalog, event.libpfm.name, NULL) &&
		    !a_umask_matches(catalog, &event.libpfm))
			continue;
		event.name = event.libpfm.name;
		event.desc = event.libpfm.desc;
		visit(data, &event);
	}
}

/* A name that libpfm4 has as well means libpfm4's event. */
static void each_of_emulated(const struct catalog *catalog, void *data,
			     void (*visit)(void *data, const struct catalog_event *event))
{
	struct catalog_event event = { .source = "emulated PMU" };
	const struct emulated_event *emulated;
	struct libpfm_item same;

	for (emulated = emulated_events(); emulated->name; emulated++) {
		if (libpfm_find_event(emulated->name, &same) ||
		    !catalog_matches(catalog, emulated->name, NULL))
			continue;
		event.name = emulated->name;
		event.desc = emulated->desc;
		visit(data, &event);
	}
}

/* The kernel determines which of them exist. */
static void each_of_kernel(const struct catalog *catalog, void *data,
			   void (*visit)(void *data, const struct catalog_event *event))
{
	struct catalog_event event = { .source = "kernel" };
	const struct soft_event *soft;
	struct answer answer;

	for (soft = soft_events; catalog->known && soft->name; soft++) {
		if (!catalog_matches(catalog, soft->name, NULL))
			continue;
		catalog_ask(catalog, soft->name, &answer);
		event.name = soft->name;
		event.desc = soft->desc;
		if (answer.accepted)
			visit(data, &event);
	}
}

void catalog_each(const struct catalog *catalog, void *data,
		  void (*visit)(void *data, const struct catalog_event *event))
{
	each_of_libpfm(catalog, data, visit);
	each_of_emulated(catalog, data, visit);
	each_of_kernel(catalog, data, visit);
}
