/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event names, by libpfm4. The only file that includes its header is libpfm.c.
 */
#ifndef PFMON_PMU_LIBPFM_H
#define PFMON_PMU_LIBPFM_H

#include "pmu/pmu.h"

/* The present CPU's core PMU. */
struct libpfm_pmu {
	const char	*name;		/* "nhm" */
	const char	*desc;		/* "Intel Nehalem" */
	int		nevents;
};

/* False, with the reason: the library cannot be loaded, so no name of it is known. */
bool libpfm_load(struct problem *why);

/* Find it; idempotent. False: libpfm4 has no event names for this CPU. */
bool libpfm_open(struct libpfm_pmu *pmu, struct problem *why);

enum encode_result {
	ENCODE_OK,
	ENCODE_NO_EVENT,	/* no such event */
	ENCODE_UMASK,		/* its unit mask is missing or wrong */
	ENCODE_ATTR,		/* no such unit mask or modifier */
	ENCODE_OTHER,		/* error[] has the reason */
};

struct libpfm_encoding {
	struct encoding	encoding;
	uint64_t	extra;		/* value for a second register */
	bool		has_extra;
	const char	*error;
};

/*
 * Encode "EVENT:UMASK:modifier...", with @levels (LEVEL_*) where it names none.
 * Events of other PMUs than the core's are ENCODE_NO_EVENT.
 */
enum encode_result libpfm_encode(const char *name, unsigned int levels,
				 struct libpfm_encoding *encoding);

/* An event of the core PMU, or one attribute (unit mask or modifier) of an event. */
struct libpfm_item {
	const char	*name, *desc;
	int		id;
	int		nattrs;		/* of an event */
	bool		is_umask;	/* of an attribute; otherwise a modifier */
	bool		is_default;	/* of a unit mask: taken when none is named */
};

/* The first event (@id < 0) or the one after @id; false at the end. */
bool libpfm_next_event(int id, struct libpfm_item *event);

/* The event that "NAME" or "NAME:..." begins with. */
bool libpfm_find_event(const char *name, struct libpfm_item *event);

/* Attribute @n (below nattrs) of an event. */
bool libpfm_attr(const struct libpfm_item *event, int n, struct libpfm_item *attr);

#endif /* PFMON_PMU_LIBPFM_H */
