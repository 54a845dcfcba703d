/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events to count. Their way from what the user names to what the hardware is told is
 * a file for each step:
 *
 *   list.c		a list to items and groups
 *   named.c, raw.c	an item to an event, and to the counters that can count it
 *   assign.c		each event to a counter, in an event set
 *   extra.c		and to a second register, if it needs one
 *   plan.c		event sets to the values of PMCs and PMDs
 *
 * What an architecture has to say of it are operations of struct pmu_arch.
 */
#ifndef PFMON_EVENTS_EVENTS_H
#define PFMON_EVENTS_EVENTS_H

#include "pmu/pmu.h"
#include "pmu/software.h"

struct event {
	char		*name;		/* as shown: what the user said, ":u" added if lowered */
	char		*full;		/* the full name, or the raw value */
	uint64_t	code;		/* the encoding */
	struct extra	extra;		/* what goes into a second register */
	unsigned int	levels;		/* LEVEL_* that it counts at */
	enum event_kind	kind;
	uint64_t	counters;	/* the counters that have it, as a mask */
	bool		raw;		/* counts because of a raw PMC value */
	const struct software_event *software; /* it is the kernel's; NULL: the PMU's */
	unsigned int	group;		/* index of its group */
	/* Once assign.c has run; not of the kernel's, which are in no set: */
	unsigned int	set;		/* the event set that it is in */
	unsigned int	counter;	/* the one that counts it there */
	unsigned int	extra_pmc;	/* the second register, if it needs one; code is for it */
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
	enum software_use use;		/* what the kernel's events are named for */
};

/* The events that come are of a new group. */
void events_begin_group(struct events *events, bool braces);

/* Append a copy to the last group; the texts are taken over. */
void events_append(struct events *events, const struct event *event);
void events_drop_last(struct events *events);
void event_free(struct event *event);
void events_free(struct events *events);

/*
 * Is this raw value written in event set @set? In that of the events of its group; one
 * that has none steers what others count, and is written in all sets.
 */
bool raw_in_set(const struct events *events, const struct raw_pmc *raw, unsigned int set);

#endif /* PFMON_EVENTS_EVENTS_H */
