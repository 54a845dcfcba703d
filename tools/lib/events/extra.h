/* SPDX-License-Identifier: GPL-2.0 */
/* Second registers, which the events of a set share. */
#ifndef PFMON_EVENTS_EXTRA_H
#define PFMON_EVENTS_EXTRA_H

#include "events/events.h"

/*
 * Give each of the events @member (@n indices), which count at once, the register that
 * must hold its value, and the code for that register. One register can serve several
 * events, if they have the same value. Exact: if there is a solution, it is found.
 * False: @why names the event that does not fit and the events in its way; nothing has changed.
 */
bool extra_assign(struct events *events, const struct pmu *pmu, const size_t *member, size_t n,
		  struct problem *why);

#endif /* PFMON_EVENTS_EXTRA_H */
