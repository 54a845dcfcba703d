/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process' mappings as /proc shows them, for users that may not have the sideband. They are
 * read whenever samples are taken, and the differences go to the file. A mapping that is new was
 * made after the samples that were taken last.
 */
#ifndef PFMON_RECORD_MAPS_H
#define PFMON_RECORD_MAPS_H

#include "record/recording.h"

struct maps {
	pid_t		pid;
	struct mappings	known;		/* as they are in the file */
	uint64_t	last;		/* time of the last sample; 0: there is none yet */
	uint64_t	since;		/* the time from which new mappings are valid */
	struct mappings	fresh;		/* as they are now, between the two calls below */
	bool		is_known;	/* @fresh is valid */
};

/* The new mappings: call it before samples are appended ... */
void maps_before(struct maps *maps, struct recording *recording);

/* ... and the removed mappings, behind the samples; @time is that of the last sample. */
void maps_after(struct maps *maps, struct recording *recording, uint64_t time);

/* The process executes another program, behind @time: all known mappings are gone. */
void maps_exec(struct maps *maps, struct recording *recording, uint64_t time);

/* Record the present mappings as if they had existed since @time. */
void maps_tell(struct recording *recording, pid_t pid, uint64_t time);

void maps_free(struct maps *maps);

#endif /* PFMON_RECORD_MAPS_H */
