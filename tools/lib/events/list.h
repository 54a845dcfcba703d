/* SPDX-License-Identifier: GPL-2.0 */
/* The events that the user names with -e, or the default ones. */
#ifndef PFMON_EVENTS_LIST_H
#define PFMON_EVENTS_LIST_H

#include "events/events.h"

/*
 * Add the events of a comma-separated list, in which braces make groups. False, with the
 * reason, at the first one that is unknown, not countable on this PMU or not allowed.
 */
bool events_add(struct events *events, const struct pmu *pmu, const struct rights *rights,
		const char *list, struct problem *why);

/* Add the default events, as far as they count at once here. */
bool events_add_default(struct events *events, const struct pmu *pmu,
			const struct rights *rights, struct problem *why);

#endif /* PFMON_EVENTS_LIST_H */
