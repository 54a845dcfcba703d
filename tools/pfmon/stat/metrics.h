/* SPDX-License-Identifier: GPL-2.0 */
/* Metric groups: events and the figures computed from them, as text files. See pfmon-stat(1). */
#ifndef PFMON_STAT_METRICS_H
#define PFMON_STAT_METRICS_H

#include "events/events.h"

/* The name of an event in formulas, and its number in the measurement. */
struct metric_event {
	char	*name;
	size_t	event;
};

struct metric {
	char	*name, *unit, *formula;
	size_t	first, n;	/* its group's events, among those of all groups */
};

/* Zeroed: no metric. */
struct metrics {
	struct metric		*metric;
	size_t			n, room;
	struct metric_event	*event;
	size_t			nevents, event_room;
};

/*
 * Add the group @name: its events to @events, where they are not there already. False, with the
 * reason: the group is missing, its file is wrong, or an event cannot be counted.
 */
bool metrics_add(struct metrics *metrics, const char *name, struct events *events,
		 const struct pmu *pmu, const struct rights *rights, struct problem *why);
void metrics_free(struct metrics *metrics);

/* The figure of a metric; @count has a value for each event. Not finite: it has no figure. */
double metric_value(const struct metrics *metrics, const struct metric *metric,
		    const double *count);

#endif /* PFMON_STAT_METRICS_H */
