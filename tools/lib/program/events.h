/* SPDX-License-Identifier: GPL-2.0 */
/* The events of a program, and their PMU. */
#ifndef PERFMON_PROGRAM_EVENTS_H
#define PERFMON_PROGRAM_EVENTS_H

#include "events/plan.h"
#include "perfmon_events.h"

/* Immutable but for the number of its users. */
struct perfmon_event_list {
	unsigned int	users;		/* the program and its sessions */
	struct events	events;
	struct plan	plan;
};

struct perfmon_event_list *events_hold(const struct perfmon_event_list *events);

#endif /* PERFMON_PROGRAM_EVENTS_H */
