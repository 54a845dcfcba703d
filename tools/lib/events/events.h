/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events to count. Their way from the user's names to the registers of the hardware is
 * a file for each step:
 *
 *   list.c		a list to items and groups
 *   named.c, raw.c	an item to an event, and to the counters that can count it
 *   assign.c		each event to a counter, in an event set
 *   extra.c		and to a second register, if it needs one
 *   plan.c		event sets to the values of PMCs and PMDs
 *
 * The parts that depend on the architecture are operations of struct pmu_arch.
 */
#ifndef PFMON_EVENTS_EVENTS_H
#define PFMON_EVENTS_EVENTS_H

#include "pmu/pmu.h"
#include "pmu/software.h"

struct event {
	char		*name;		/* as shown: the user's text, ":u" added if lowered */
	char		*full;		/* the full name, or the raw value */
	uint64_t	code;		/* the encoding */
	struct extra	extra;		/* for a second register */
	unsigned int	levels;		/* LEVEL_* that it counts at */
	enum event_kind	kind;
	uint64_t	counters;	/* the counters that can count it, a mask */
	bool		raw;		/* counts because of a raw PMC value */
	const struct software_event *software; /* an event of the kernel; NULL: of the PMU */
	unsigned int	group;		/* index of its group */
	/* Set by assign.c; not for events of the kernel, which are in no set: */
	unsigned int	set;		/* the event set that it is in */
	unsigned int	counter;	/* its counter in that set */
	unsigned int	extra_pmc;	/* its second register, if needed, which fits code */
};

/* pmcN=0x...: written as it is. */
struct raw_pmc {
	unsigned int	num;
	uint64_t	value;
	unsigned int	group;		/* as an event's */
};

/* Events that stay in one event set: "{a,b}" as a whole, or one item of the list. */
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

/* The present user's rights, and the levels of events that name none. */
struct rights {
	unsigned int	levels;		/* LEVEL_* at which this user may count */
	enum software_use use;		/* the purpose of the kernel's events */
};

/* The following events belong to a new group. */
void events_begin_group(struct events *events, bool braces);

/* Append a copy to the last group; the texts are taken over. */
void events_append(struct events *events, const struct event *event);
void events_drop_last(struct events *events);
void event_free(struct event *event);
void events_free(struct events *events);

/*
 * Is this raw value written in event set @set? It is in the set of its group's events; a value
 * whose group has none controls other events, and is written in all sets.
 */
bool raw_in_set(const struct events *events, const struct raw_pmc *raw, unsigned int set);

#endif /* PFMON_EVENTS_EVENTS_H */
