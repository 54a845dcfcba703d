/* SPDX-License-Identifier: GPL-2.0 */
/* Which counter counts which event. */
#ifndef PFMON_ASSIGN_H
#define PFMON_ASSIGN_H

#include "events.h"

/*
 * Give every event a counter of its own, out of those that can count it; fixed counters
 * first, so that the general ones stay free. Exact: when there is any way to place all
 * events, one is found. False: says which event does not fit and what is in its way.
 *
 * The events are those that count at the same time, so one event set's.
 */
bool assign_counters(struct events *events, const struct pmu *pmu, struct problem *why);

#endif /* PFMON_ASSIGN_H */
