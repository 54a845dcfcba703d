/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that a sample's call chain is in, each a place at the sample's time. */
#ifndef PFMON_DATA_FRAMES_H
#define PFMON_DATA_FRAMES_H

#include "data/profile.h"

/* Both parts of a chain, and the sample's own place if it is in neither. */
#define FRAMES_MOST	(2 * PROFILE_MAX_DEPTH + 1)

/* A function that has called, or, the first one, the place of the sample. */
struct frame {
	uint64_t	ip;		/* as the chain has it */
	bool		returns;	/* a return address: the place is a byte before */
	size_t		object;
	uint64_t	address;	/* as in struct hit */
};

/* Frames of one sample after the other. Zeroed: none yet. */
struct frames {
	struct frame	*frame;		/* the innermost first: there is one at least */
	size_t		n, room;
};

/* The frames of a sample of this profile, in place of the old ones. */
void frames_of(struct frames *frames, struct profile *profile, const struct sample *sample);
void frames_free(struct frames *frames);

#endif /* PFMON_DATA_FRAMES_H */
