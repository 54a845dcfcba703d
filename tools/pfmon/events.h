/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events to count: from what the user names to what the hardware is told.
 */
#ifndef PFMON_EVENTS_H
#define PFMON_EVENTS_H

#include "pmu.h"

struct event {
	char		*name;		/* as shown: what the user said, ":u" added if lowered */
	char		*full;		/* libpfm4's full name, or the raw value */
	uint64_t	code;		/* the encoding */
	unsigned int	levels;		/* LEVEL_* that it counts at */
	enum event_kind	kind;
	uint64_t	counters;	/* those that can count it, as a mask */
	bool		raw;		/* counts because of a raw PMC value */
	unsigned int	group;		/* index of its group */
	/* Once assign.c has run: */
	unsigned int	set;		/* the event set that it is in */
	unsigned int	counter;	/* the one that counts it there */
};

/* pmcN=0x...: written as it is. */
struct raw_pmc {
	unsigned int	num;
	uint64_t	value;
	unsigned int	group;		/* as an event's */
};

/* What stays in one event set: "{a,b}" as a whole, or one item of the list. */
struct group {
	bool		braces;
};

struct events {
	struct event	*event;
	size_t		n, room;
	struct raw_pmc	*raw;
	size_t		nraw, raw_room;
	struct group	*group;
	size_t		ngroups, group_room;
	unsigned int	nsets;		/* event sets that they take, once assign.c has run */
	bool		lowered;	/* an event counts at user level for want of rights */
};

/* What the present user may do, and how events without a level are meant. */
struct rights {
	unsigned int	levels;		/* LEVEL_* that the kernel lets this user count at */
};

/*
 * Add the events of a comma-separated list, in which braces make groups. False, with the reason, at the first one
 * that is unknown, not countable on this PMU or not allowed.
 */
bool events_add(struct events *events, const struct pmu *pmu, const struct rights *rights,
		const char *list, struct problem *why);

/* Add what is counted without -e: of the aliases, those that this PMU can count at once. */
bool events_add_default(struct events *events, const struct pmu *pmu,
			const struct rights *rights, struct problem *why);

void events_free(struct events *events);

/* In raw.c: "pmcN=VALUE". */
bool events_add_raw(struct events *events, const struct pmu *pmu,
		    const struct rights *rights, const char *text, struct problem *why);
bool is_raw(const char *text);

/*
 * Is this raw value written in event set @set? In that of the events of its group; one
 * that has none steers what others count, and is written in all sets.
 */
bool raw_in_set(const struct events *events, const struct raw_pmc *raw, unsigned int set);

/* Append an event to the last group; @name and @full are taken over. */
struct event *events_append(struct events *events, char *name, char *full, uint64_t code);

/* False, with the reason, when the present PMU is emulated and this would not count. */
bool is_modelled(const char *name, uint64_t code, struct problem *why);

#endif /* PFMON_EVENTS_H */
