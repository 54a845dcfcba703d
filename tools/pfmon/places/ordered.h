/* SPDX-License-Identifier: GPL-2.0 */
/* All samples of a recording, in the order of time over all contexts. */
#ifndef PFMON_PLACES_ORDERED_H
#define PFMON_PLACES_ORDERED_H

#include "data/profile.h"

struct ordered {
	struct profile	profile;
	struct sample	*sample;	/* by time; those of the same time as in the file */
	size_t		n, room;
	uint64_t	*value;		/* the array of the samples' values */
	size_t		nvalues, value_room;
	struct branch	*branch;	/* and their branches */
	size_t		nbranches, branch_room;
	uint64_t	*address;	/* and their chains */
	size_t		naddresses, address_room;
};

/* Read a recording. False: there is none, or it is damaged. */
bool ordered_load(struct ordered *ordered, const char *file, struct problem *why);
void ordered_free(struct ordered *ordered);

/*
 * The event of this name, as it was written or in full, or of this number, from 1 on.
 * False, with the existing names, if there is none.
 */
bool ordered_find_event(const struct ordered *ordered, const char *name, size_t *event,
			struct problem *why);

/* Keep the samples of this event only. */
void ordered_select(struct ordered *ordered, size_t event);

#endif /* PFMON_PLACES_ORDERED_H */
