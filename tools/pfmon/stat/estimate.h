/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From counts of a part of the time to those of the whole, with their uncertainty.
 *
 * Tasks that are alike, because they run the same program, are a kind. Each kind is scaled by its
 * own times: so a program that was mostly counted in one set does not distort the figures of
 * others. Each reading of a task is a sample; the spread of the samples is the uncertainty.
 */
#ifndef PFMON_STAT_ESTIMATE_H
#define PFMON_STAT_ESTIMATE_H

#include "session/session.h"

struct kind;

/* Zeroed, with a plan: empty. */
struct estimate {
	const struct plan	*plan;
	unsigned int		first;		/* the event set with which the first kind begins */
	struct kind		*kind;
	size_t			n, room;
};

void estimate_free(struct estimate *estimate);

/* The number of the kind @name, which is added if it is new. */
size_t estimate_kind(struct estimate *estimate, const char *name);

/*
 * The event set with which the next task of this kind begins: each begins with another one, so that
 * tasks which end before the first switch are not all counted in the same set.
 */
unsigned int estimate_first_set(struct estimate *estimate, size_t kind);

/* Add the counts of one task, of each event, and the active time of each set. */
void estimate_add(struct estimate *estimate, size_t kind, const uint64_t *count,
		  const struct set_time *set);

/* The estimate of one event over all added counts. */
struct estimated {
	double	value;
	double	error;		/* standard error; below 0: unknown */
};

struct estimated estimate_event(const struct estimate *estimate, size_t event);

#endif /* PFMON_STAT_ESTIMATE_H */
