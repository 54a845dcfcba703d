/* SPDX-License-Identifier: GPL-2.0 */
/* Counts of an earlier measurement, to compare with: the output of -j. */
#ifndef PFMON_STAT_BASELINE_H
#define PFMON_STAT_BASELINE_H

#include "util.h"

/* Zeroed: no counts. */
struct baseline {
	struct {
		char	*event;
		double	count;
	}	*old;
	size_t	n, room;
};

/* Read the last object of the file that has the sums. False, with the reason. */
bool baseline_read(struct baseline *baseline, const char *path, struct problem *why);
void baseline_free(struct baseline *baseline);

/* The count of the event in that measurement; below 0: none. */
double baseline_count(const struct baseline *baseline, const char *event);

#endif /* PFMON_STAT_BASELINE_H */
