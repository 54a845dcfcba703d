/* SPDX-License-Identifier: GPL-2.0 */
/* The buffer of the ring sampling format, read without a call while it is filled. */
#ifndef PFMON_SESSION_PARTS_H
#define PFMON_SESSION_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perfmon_ring_smpl.h>

#include "session/batch.h"

struct parts {
	const pfm_ring_smpl_hdr_t *header;
	pfm_ring_smpl_reader_t	*reader;	/* its page, NULL: not mapped */
	uint64_t		position;	/* the part that is read */
	uint64_t		taken;		/* number of samples taken of it */
};

/*
 * The format's argument, which follows that of the context, for a buffer of about @size
 * bytes. Monitoring is masked only when the reader has all parts.
 */
pfm_ring_smpl_arg_t parts_argument(uint64_t size);

/* The context's buffer is mapped, @mapped bytes at @buffer. False: errno. */
bool parts_open(struct parts *parts, int fd, const void *buffer, size_t mapped);

/*
 * Take samples of @sample_size bytes that were not taken yet; the samples taken the last time
 * are given back. With @more of the batch there may be others, behind them.
 */
struct batch parts_take(struct parts *parts, size_t sample_size);

/* Does monitoring wait for a restart? */
bool parts_is_masked(const struct parts *parts);

void parts_close(struct parts *parts);

#endif /* PFMON_SESSION_PARTS_H */
