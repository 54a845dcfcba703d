/* SPDX-License-Identifier: GPL-2.0 */
/* A context with one of the kernel's sampling formats, and its buffer. */
#ifndef PFMON_SESSION_SAMPLER_H
#define PFMON_SESSION_SAMPLER_H

#include <sys/types.h>

#include <perfmon_stack_smpl.h>

#include "session/reader.h"
#include "session/session.h"

#define SAMPLER_DEFAULT_BUFFER	0	/* as large as this user may have, within reason */

/* How to sample: the same for all contexts of a recording. */
struct sampling {
	const struct plan *plan;
	size_t		nsampled;	/* number of sampled PMDs: the plan's first */
	const uint64_t	*period;	/* of each; the values of the others come with a sample */
	const unsigned int *extra;	/* further PMDs, in this, ascending order */
	size_t		nextra;
	const char *const *extra_name;	/* of each except the branches */
	size_t		nbranches;	/* extra begins with as many sources, and as many targets */
	size_t		branch_depth;	/* SAMPLING_BRANCH: most branches of a sample; not in extra */
	size_t		ncounts;	/* ... and ends with counts of the kernel; 0: it has none */
	size_t		nregisters;	/* ... or ends with register bits */
	size_t		address;	/* this value, from 1 on, is the sample's address; 0: none */
	uint64_t	scale;		/* events of a unit of the period; 0: 1 */
	uint64_t	long_period;	/* the first one after a full buffer; 0: the usual one */
	uint64_t	hz;		/* requested samples a second; 0: none */
	uint64_t	random_mask;	/* 0: always the same period */
	uint32_t	random_seed;
	enum sampling_format format;
	unsigned int	chain_parts;	/* SAMPLING_STACK: PFM_STACK_SMPL_*, ... */
	unsigned int	depth;		/* ... most addresses of each; 0: no chains */
	uint64_t	buffer;		/* bytes, or SAMPLER_DEFAULT_BUFFER */
	uint64_t	largest_buffer;	/* upper bound of the default */
	bool		system_wide;
	bool		runs_on;	/* the thread does not wait while its buffer is full */
};

/* Number of values of a sample; and the PMD of the plan that is the i-th of them. */
size_t sampling_values(const struct sampling *sampling);
size_t sampling_value(const struct sampling *sampling, size_t i);

/*
 * PFM_STACK_SMPL_* for samples of the first @n events. The calls at user level show the origin of
 * any sample. The calls in the kernel are only for users who may sample there.
 */
unsigned int sampling_chain_parts(const struct events *events, size_t n);

struct sampler {
	int		fd;		/* -1: there is none */
	const void	*buffer;
	size_t		mapped;		/* bytes of it */
	size_t		sample_size;	/* bytes of a sample */
	const struct sampling_reader *reader;	/* of its format, */
	void		*state;		/* ... and what it has taken; NULL: there is no buffer */
};

/*
 * Create a context and program it. The thread that it will be loaded on waits while its
 * full buffer is emptied, so that no sample is lost; a CPU does not wait.
 */
bool sampler_open(struct sampler *sampler, const struct sampling *sampling,
		  struct problem *why);

/*
 * Load it on the thread, with @set as the first event set; system-wide: on this CPU, and @tid
 * is the caller. sampler_begin() starts monitoring as well. On failure errno is the command's.
 */
bool sampler_load(struct sampler *sampler, pid_t tid, unsigned int set, struct problem *why);
bool sampler_begin(struct sampler *sampler, pid_t tid, unsigned int set, struct problem *why);

/*
 * Take the new samples of the buffer; also while samples are added. Samples stay where they are
 * until sampler_restart(), and with another format than the default one until the next
 * sampler_take().
 */
struct batch sampler_take(struct sampler *sampler);

/* The time on the samples' clock; 0: it is not known. */
uint64_t sampler_clock(const struct sampler *sampler);

/* After a message, and when all samples were taken: empty the buffer, go on. */
void sampler_restart(struct sampler *sampler);

/* The thread goes on unmonitored. */
void sampler_close(struct sampler *sampler);

#endif /* PFMON_SESSION_SAMPLER_H */
