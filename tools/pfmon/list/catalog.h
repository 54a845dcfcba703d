/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that `-e` accepts on this machine, for programs: as JSON, and as bare names for the
 * completion of shells. As stat and record do, this file asks events/ if a name is accepted: so
 * nothing is listed that they refuse, and no rule is written twice.
 */
#ifndef PFMON_LIST_CATALOG_H
#define PFMON_LIST_CATALOG_H

#include "pmu/libpfm.h"
#include "pmu/pmu.h"

struct catalog {
	bool		known;		/* @pmu is this machine's, and the events are its */
	struct pmu	pmu;
	char		name[64], desc[128];	/* of the events' PMU */
	const char	*glob;
	uint64_t	*alias_code;	/* of each of aliases[]; 0: there is no such event here */
};

/* The result of stat and record for a name. */
struct answer {
	bool		accepted;
	bool		encoded;	/* @code and @full are valid, accepted or not */
	uint64_t	code;
	char		full[256];
	uint64_t	counters;	/* a mask of pmu.counters, if the PMU is known */
	struct problem	why;		/* if it is not accepted */
};

/* All events whose names match @glob. False, with the reason: this machine has no names. */
bool catalog_open(struct catalog *catalog, const char *glob, struct problem *why);
void catalog_close(struct catalog *catalog);

void catalog_ask(const struct catalog *catalog, const char *name, struct answer *answer);

/* "EVENT:UMASK"; to be freed. */
char *catalog_spell(const char *event, const char *umask);

/* True if the event, or with @umask that mask of it, must be shown. */
bool catalog_matches(const struct catalog *catalog, const char *event, const char *umask);

/* Call for each event that matches, or of which a unit mask does, from all sources. */
struct catalog_event {
	const char		*name, *desc;
	const char		*source;
	struct libpfm_item	libpfm;		/* nattrs is 0 unless it is libpfm4's */
};

void catalog_each(const struct catalog *catalog, void *data,
		  void (*visit)(void *data, const struct catalog_event *event));

/* The whole catalog, in either form. False: nothing matches. */
bool catalog_json(FILE *out, const struct catalog *catalog);
bool catalog_names(FILE *out, const struct catalog *catalog);

#endif /* PFMON_LIST_CATALOG_H */
