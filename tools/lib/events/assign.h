/* SPDX-License-Identifier: GPL-2.0 */
/* Which counter counts which event, and in which event set. */
#ifndef PFMON_EVENTS_ASSIGN_H
#define PFMON_EVENTS_ASSIGN_H

#include "events/events.h"

/*
 * Give every event a counter of its own, out of the counters that have it; fixed
 * counters first, so that the general ones stay free. And its second register, if it
 * needs one (extra.h). Exact: when there is any way to place all
 * events, one is found. False: says which event does not fit and what is in its way.
 *
 * The events are then those of one event set: they count at the same time.
 */
bool assign_counters(struct events *events, const struct pmu *pmu, struct problem *why);

/*
 * The same with as many event sets as it takes; one if they fit. Each group goes, in
 * their order, to the first set that has counters and second registers for all of it;
 * but one with braces to none before that of the last one with braces, so that these
 * keep their order. False: says which group does not even fit into a set of its own, and why.
 */
bool assign_sets(struct events *events, const struct pmu *pmu, struct problem *why);

#endif /* PFMON_EVENTS_ASSIGN_H */
