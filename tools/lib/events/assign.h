/* SPDX-License-Identifier: GPL-2.0 */
/* The choice of a counter and of an event set for each event. */
#ifndef PFMON_EVENTS_ASSIGN_H
#define PFMON_EVENTS_ASSIGN_H

#include "events/events.h"

/*
 * Give every event a counter of its own, out of the counters that have it; fixed
 * counters first, so that the general ones stay free. And its second register, if it
 * needs one (extra.h). Exact: if all events can be placed, a placement is found.
 * False: @why names the event that does not fit and the events in its way.
 *
 * The events are then those of one event set: they count at the same time.
 */
bool assign_counters(struct events *events, const struct pmu *pmu, struct problem *why);

/*
 * The same with as many event sets as necessary; one if they fit. Each group goes, in
 * their order, to the first set that has counters and second registers for all of it;
 * but a group with braces not to a set before that of the last group with braces, so that these
 * keep their order. False: @why names the group that does not fit into a set of its own.
 */
bool assign_sets(struct events *events, const struct pmu *pmu, struct problem *why);

#endif /* PFMON_EVENTS_ASSIGN_H */
