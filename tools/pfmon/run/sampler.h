/* SPDX-License-Identifier: GPL-2.0 */
/* A context with the kernel's default sampling format, and its buffer. */
#ifndef PFMON_RUN_SAMPLER_H
#define PFMON_RUN_SAMPLER_H

#include <sys/types.h>

#include "run/session.h"

#define SAMPLER_DEFAULT_BUFFER	0	/* as large as this user may have, within reason */

/* How to sample: the same for all contexts of a recording. */
struct sampling {
	const struct plan *plan;	/* of one event */
	uint64_t	period;
	uint64_t	random_mask;	/* 0: always the same period */
	uint32_t	random_seed;
	uint64_t	buffer;		/* bytes, or SAMPLER_DEFAULT_BUFFER */
};

struct sampler {
	int		fd;		/* -1: there is none */
	const void	*buffer;
	size_t		mapped;		/* bytes of it */
	size_t		taken;		/* offset behind the last sample that was taken, or 0 */
	uint64_t	taken_count;	/* so many samples are before that */
};

/*
 * Create a context and program it. The thread that it will be loaded on waits while its
 * full buffer is emptied, so that nothing escapes.
 */
bool sampler_open(struct sampler *sampler, const struct sampling *sampling,
		  struct problem *why);

/* Monitor the thread, from now on. errno is the command's. */
bool sampler_begin(struct sampler *sampler, pid_t tid, struct problem *why);

/* Samples that were not taken yet; they stay where they are until sampler_restart(). */
struct batch {
	const void	*samples;
	size_t		size;
	uint64_t	count;
};

/*
 * Take what is new in the buffer. To be called while nothing is added: the thread is
 * stopped or gone, or its monitoring masked.
 */
struct batch sampler_take(struct sampler *sampler);

/* After a message: empty the buffer, go on. */
void sampler_restart(struct sampler *sampler);

/* The thread goes on unmonitored. */
void sampler_close(struct sampler *sampler);

#endif /* PFMON_RUN_SAMPLER_H */
