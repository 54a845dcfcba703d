/* SPDX-License-Identifier: GPL-2.0 */
/* A look at what was recorded: of how many samples is it known where they are? */
#ifndef PFMON_RECORD_PLACES_H
#define PFMON_RECORD_PLACES_H

#include <stdint.h>

struct record_places {
	uint64_t	samples;	/* that were looked at: all, or the first millions */
	uint64_t	unmapped;	/* of them where nothing is known to be mapped ... */
	uint64_t	unidentified;	/* ... or a file, but not which one of that name */
};

/* Of a recording that is finished. Nothing was looked at if it is no regular file. */
struct record_places record_places(const char *name);

#endif /* PFMON_RECORD_PLACES_H */
