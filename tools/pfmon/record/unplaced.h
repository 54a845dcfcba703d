/* SPDX-License-Identifier: GPL-2.0 */
/* A look at a finished recording: the number of samples whose place is unknown. */
#ifndef PFMON_RECORD_UNPLACED_H
#define PFMON_RECORD_UNPLACED_H

#include <stdint.h>

struct unplaced {
	uint64_t	samples;	/* samples read: all, or the first millions */
	uint64_t	unmapped;	/* samples at addresses without a known mapping ... */
	uint64_t	unidentified;	/* ... or in a file whose build id is unknown */
};

/* The counts of a finished recording; all 0 if it is not a regular file. */
struct unplaced unplaced_count(const char *name);

#endif /* PFMON_RECORD_UNPLACED_H */
