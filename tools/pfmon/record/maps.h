/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process' mappings as /proc shows them, for users that may not have the sideband: they are
 * looked at whenever samples are taken, and told by how they differ. What is there now and was
 * not before was mapped after the samples that were taken last.
 */
#ifndef PFMON_RECORD_MAPS_H
#define PFMON_RECORD_MAPS_H

#include "record/recording.h"

struct maps {
	pid_t		pid;
	struct mappings	known;		/* as they are in the file */
	uint64_t	last;		/* time of the last sample; 0: there is none yet */
	uint64_t	since;		/* what is mapped newly is so since then */
	struct mappings	fresh;		/* as they are now, between the two calls below */
	bool		is_known;	/* fresh is */
};

/* What is mapped newly: to be called before samples are appended ... */
void maps_before(struct maps *maps, struct recording *recording);

/* ... and what is mapped no more, behind them; @time is that of the last sample. */
void maps_after(struct maps *maps, struct recording *recording, uint64_t time);

/* It executes another program: all that is known is over. */
void maps_exec(struct maps *maps, struct recording *recording);

/* Tell what is mapped now as if it had been since a time. */
void maps_tell(struct recording *recording, pid_t pid, uint64_t time);

void maps_free(struct maps *maps);

#endif /* PFMON_RECORD_MAPS_H */
