/* SPDX-License-Identifier: GPL-2.0 */
/* A context with one of the kernel's sampling formats, and its buffer. */
#ifndef PFMON_SESSION_SAMPLER_H
#define PFMON_SESSION_SAMPLER_H

#include <sys/types.h>

#include "session/batch.h"
#include "session/chains.h"
#include "session/parts.h"
#include "session/session.h"

#define SAMPLER_DEFAULT_BUFFER	0	/* as large as this user may have, within reason */

/* The samples are the same, but for the chains of the last one. */
enum sampling_format {
	SAMPLING_DEFAULT,	/* the buffer is emptied when it is full, and meanwhile nothing counts */
	SAMPLING_RING,		/* a part of it is emptied while another one is filled */
	SAMPLING_STACK,		/* as the default one, and samples have call chains */
};

/* How to sample: the same for all contexts of a recording. */
struct sampling {
	const struct plan *plan;
	size_t		nsampled;	/* so many PMDs of the plan, its first ones, are sampled */
	const uint64_t	*period;	/* of each; the values of the others come with a sample */
	const unsigned int *extra;	/* PMDs that come behind these, in this, ascending order */
	size_t		nextra;
	const char *const *extra_name;	/* of each but the branches */
	size_t		nbranches;	/* the first ones of them are so many sources and targets, */
	size_t		ncounts;	/* ... and the rest so many counts; 0: bits of registers */
	size_t		address;	/* this value, from 1 on, is the sample's address; 0: none */
	uint64_t	scale;		/* a period is so many events; 0: 1 */
	uint64_t	long_period;	/* the first one after a full buffer; 0: the usual one */
	uint64_t	hz;		/* samples a second that are wanted; 0: not so */
	uint64_t	random_mask;	/* 0: always the same period */
	uint32_t	random_seed;
	enum sampling_format format;
	unsigned int	chain_parts;	/* SAMPLING_STACK: PFM_STACK_SMPL_*, ... */
	unsigned int	depth;		/* ... each of so many addresses at most */
	uint64_t	buffer;		/* bytes, or SAMPLER_DEFAULT_BUFFER */
	uint64_t	largest_buffer;	/* then not more than this */
	bool		system_wide;
	bool		runs_on;	/* the thread does not wait while its buffer is full */
};

/* So many values come with a sample; and which PMD of the plan is the i-th of them. */
size_t sampling_values(const struct sampling *sampling);
size_t sampling_value(const struct sampling *sampling, size_t i);

struct sampler {
	int		fd;		/* -1: there is none */
	const void	*buffer;
	size_t		mapped;		/* bytes of it */
	size_t		sample_size;	/* bytes of a sample */
	uint64_t	taken;		/* so many samples of the buffer were taken */
	enum sampling_format format;
	struct parts	parts;		/* SAMPLING_RING: what of it was taken */
	struct chains	chains;		/* SAMPLING_STACK: likewise */
};

/*
 * Create a context and program it. The thread that it will be loaded on waits while its
 * full buffer is emptied, so that nothing escapes; a CPU does not.
 */
bool sampler_open(struct sampler *sampler, const struct sampling *sampling,
		  struct problem *why);

/*
 * Load it on the thread, with @set as the first event set; system-wide: on this CPU, and @tid
 * is the caller. And monitor from now on. On failure errno is the command's.
 */
bool sampler_load(struct sampler *sampler, pid_t tid, unsigned int set, struct problem *why);
bool sampler_begin(struct sampler *sampler, pid_t tid, unsigned int set, struct problem *why);

/*
 * Take what is new in the buffer; also while samples are added. Samples stay where they are
 * until sampler_restart(), in a ring and with chains until the next sampler_take().
 */
struct batch sampler_take(struct sampler *sampler);

/* After a message, and when all was taken: empty the buffer, go on. */
void sampler_restart(struct sampler *sampler);

/* The thread goes on unmonitored. */
void sampler_close(struct sampler *sampler);

#endif /* PFMON_SESSION_SAMPLER_H */
