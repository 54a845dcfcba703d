/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From counts of a part of the time to those of the whole, and how sure these are.
 *
 * Tasks that are alike, because they run the same program, are a kind. Each kind is scaled
 * by its own times: a program that was mostly counted in one set then leaves no trace in the
 * figures of others. Each reading of a task is a sample; their spread is the uncertainty.
 */
#ifndef PFMON_STAT_ESTIMATE_H
#define PFMON_STAT_ESTIMATE_H

#include "session/session.h"

struct kind;

/* Zeroed and with a plan it is empty. */
struct estimate {
	const struct plan	*plan;
	unsigned int		first;		/* the event set that the first kind begins with */
	struct kind		*kind;
	size_t			n, room;
};

void estimate_free(struct estimate *estimate);

/* The number of the kind @name; it may be a new one. */
size_t estimate_kind(struct estimate *estimate, const char *name);

/*
 * The event set that the next task of this kind begins with: each with another one, so that
 * those which end before the first switch are not all counted in the same.
 */
unsigned int estimate_first_set(struct estimate *estimate, size_t kind);

/* What one task counted, of each event, while each set was active for so long. */
void estimate_add(struct estimate *estimate, size_t kind, const uint64_t *count,
		  const struct set_time *set);

/* One event over all that was added. */
struct estimated {
	double	value;
	double	error;		/* standard error; below 0: nothing is known of it */
};

struct estimated estimate_event(const struct estimate *estimate, size_t event);

#endif /* PFMON_STAT_ESTIMATE_H */
