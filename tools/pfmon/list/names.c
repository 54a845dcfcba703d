// SPDX-License-Identifier: GPL-2.0
/* The events that -e accepts as bare names, one a line: for the completion of shells. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "list/catalog.h"
#include "pmu/aliases.h"

struct printer {
	FILE			*out;
	const struct catalog	*catalog;
	bool			any;
};

static void print_name(struct printer *p, const char *event, const char *umask)
{
	char *name = catalog_spell(event, umask);
	struct answer answer;

	catalog_ask(p->catalog, name, &answer);
	if (answer.accepted) {
		fprintf(p->out, "%s\n", name);
		p->any = true;
	}
	free(name);
}

static void print_event(void *data, const struct catalog_event *event)
{
	struct printer *p = data;
	const bool whole = catalog_matches(p->catalog, event->name, NULL);
	struct libpfm_item attr;
	int i;

	if (whole)
		print_name(p, event->name, NULL);
	for (i = 0; i < event->libpfm.nattrs; i++)
		if (libpfm_attr(&event->libpfm, i, &attr) && attr.is_umask &&
		    (whole || catalog_matches(p->catalog, event->name, attr.name)))
			print_name(p, event->name, attr.name);
}

bool catalog_names(FILE *out, const struct catalog *catalog)
{
	struct printer p = { .out = out, .catalog = catalog };
	const struct alias *alias;

	for (alias = aliases; alias->name; alias++)
		if (catalog_matches(catalog, alias->name, NULL))
			print_name(&p, alias->name, NULL);
	catalog_each(catalog, &p, print_event);
	return p.any;
}
