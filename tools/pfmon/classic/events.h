/* SPDX-License-Identifier: GPL-2.0 */
/* The events of pfmon 3's -e, with the privilege levels that it has beside them. */
#ifndef PFMON_CLASSIC_EVENTS_H
#define PFMON_CLASSIC_EVENTS_H

#include "classic/options.h"

/*
 * The events in the spelling of `pfmon stat -e`, to @sets: one text for each -e. False,
 * with the reason.
 */
bool classic_events(const struct classic *classic, struct strings *sets, struct problem *why);

/* The parts of a list with commas, a copy each. */
void split_list(struct strings *parts, const char *list);

/* A list of such parts, from one index to before another; to be freed. */
char *join_list(const struct strings *parts, size_t from, size_t to);

#endif /* PFMON_CLASSIC_EVENTS_H */
