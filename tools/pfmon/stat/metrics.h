/* SPDX-License-Identifier: GPL-2.0 */
/* Metric groups: events and what is computed from them, as text files. See pfmon-stat(1). */
#ifndef PFMON_STAT_METRICS_H
#define PFMON_STAT_METRICS_H

#include "events/events.h"

/* What a formula calls an event, and which of the measurement's it is. */
struct metric_event {
	char	*name;
	size_t	event;
};

struct metric {
	char	*name, *unit, *formula;
	size_t	first, n;	/* its group's events, among those of all groups */
};

/* Zeroed is none. */
struct metrics {
	struct metric		*metric;
	size_t			n, room;
	struct metric_event	*event;
	size_t			nevents, event_room;
};

/*
 * Add the group @name: its events to @events, where they are not there already. False, with
 * the reason: there is no such group, its file is wrong, or an event is not to be had.
 */
bool metrics_add(struct metrics *metrics, const char *name, struct events *events,
		 const struct pmu *pmu, const struct rights *rights, struct problem *why);
void metrics_free(struct metrics *metrics);

/* The figure of a metric; @count has a value for each event. Not finite: there is none. */
double metric_value(const struct metrics *metrics, const struct metric *metric,
		    const double *count);

#endif /* PFMON_STAT_METRICS_H */
