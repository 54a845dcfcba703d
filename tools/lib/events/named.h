/* SPDX-License-Identifier: GPL-2.0 */
/* Events by name. */
#ifndef PFMON_EVENTS_NAMED_H
#define PFMON_EVENTS_NAMED_H

#include "events/events.h"

/*
 * Add the event @name to the last group. False, with the reason: it is unknown, not
 * countable on this PMU or not allowed.
 */
bool events_add_named(struct events *events, const struct pmu *pmu,
		      const struct rights *rights, const char *name, struct problem *why);

#endif /* PFMON_EVENTS_NAMED_H */
