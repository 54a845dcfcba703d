/* SPDX-License-Identifier: GPL-2.0 */
/* Second registers, which the events of a set share. */
#ifndef PFMON_EVENTS_EXTRA_H
#define PFMON_EVENTS_EXTRA_H

#include "events/events.h"

/*
 * Give each of the events @member (@n indices), which count at once, the register that
 * its value is to be in, and the code that goes with it. One register can serve several
 * events, if they have the same value. Exact: when there is any way, one is found.
 * False: says which event does not fit and what is in its way; nothing has changed.
 */
bool extra_assign(struct events *events, const struct pmu *pmu, const size_t *member, size_t n,
		  struct problem *why);

#endif /* PFMON_EVENTS_EXTRA_H */
