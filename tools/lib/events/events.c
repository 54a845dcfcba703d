// SPDX-License-Identifier: GPL-2.0
/* The events of a measurement, with their groups and raw values. */
#include <stdlib.h>
#include <string.h>

#include "events/events.h"

void events_begin_group(struct events *events, bool braces)
{
	GROW(events->group, events->ngroups, events->group_room);
	events->group[events->ngroups++].braces = braces;
}

void events_append(struct events *events, const struct event *event)
{
	GROW(events->event, events->n, events->room);
	events->event[events->n] = *event;
	events->event[events->n++].group = events->ngroups ?
						   (unsigned int)events->ngroups - 1 : 0;
}

void event_free(struct event *event)
{
	free(event->name);
	free(event->full);
}

void events_drop_last(struct events *events)
{
	event_free(&events->event[--events->n]);
}

void events_free(struct events *events)
{
	while (events->n)
		events_drop_last(events);
	free(events->event);
	free(events->raw);
	free(events->group);
	memset(events, 0, sizeof(*events));
}

bool raw_in_set(const struct events *events, const struct raw_pmc *raw, unsigned int set)
{
	bool alone = true;
	size_t i;

	for (i = 0; i < events->n; i++) {
		if (events->event[i].group != raw->group)
			continue;
		if (events->event[i].set == set)
			return true;
		alone = false;
	}
	return alone;
}
