/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording that is read while it is made, through a pipe: the data of processes, and
 * the samples since the last look. It does not grow with time: each look drops the changes that
 * led to the present state, and processes that have ended.
 */
#ifndef PFMON_DATA_STREAM_H
#define PFMON_DATA_STREAM_H

#include "data/profile.h"

struct stream {
	struct profile	profile;	/* its hits are those of the last look */
	struct ledger	ledger;		/* of contexts that are gone */
	uint64_t	dropped;	/* bytes of samples beyond one look's limit */
	uint64_t	last;		/* time of the latest sample */
	bool		begun;		/* events and contexts are known */
	/* Internal: */
	bool		headed;
	char		*rest;		/* the beginning of a record */
	size_t		nrest, rest_room;
	char		*samples;	/* records of them, for the next look */
	size_t		nsamples, samples_room;
};

void stream_begin(struct stream *stream);

/* Take new bytes. False, with the reason: they are no recording. */
bool stream_add(struct stream *stream, const void *bytes, size_t n, struct problem *why);

/* Look: the profile gets the samples since the last time, by place, thread and name. */
bool stream_look(struct stream *stream, struct problem *why);
void stream_free(struct stream *stream);

#endif /* PFMON_DATA_STREAM_H */
