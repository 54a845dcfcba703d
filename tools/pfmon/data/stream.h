/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording that is read while it is made, through a pipe: what is known of processes, and
 * the samples since the last look. It does not grow with time: what led to the present state is
 * forgotten at each look, and so are processes that have ended.
 */
#ifndef PFMON_DATA_STREAM_H
#define PFMON_DATA_STREAM_H

#include "data/profile.h"

struct stream {
	struct profile	profile;	/* its hits are those of the last look */
	struct ledger	ledger;		/* of contexts that are gone */
	uint64_t	dropped;	/* bytes of samples, as they were too many for one look */
	uint64_t	last;		/* time of the latest sample */
	bool		begun;		/* events and contexts are known */
	/* Within: */
	bool		headed;
	char		*rest;		/* the beginning of a record */
	size_t		nrest, rest_room;
	char		*samples;	/* records of them, for the next look */
	size_t		nsamples, samples_room;
};

void stream_begin(struct stream *stream);

/* Bytes have come. False, with the reason: they are no recording. */
bool stream_add(struct stream *stream, const void *bytes, size_t n, struct problem *why);

/* Look: the profile has the samples since the last time, by place, thread and name. */
bool stream_look(struct stream *stream, struct problem *why);
void stream_free(struct stream *stream);

#endif /* PFMON_DATA_STREAM_H */
