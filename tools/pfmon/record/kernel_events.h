/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples of the kernel's events: perf_events takes them, beside the context or without one.
 * The results here look like the samples of the kernel's default format.
 */
#ifndef PFMON_RECORD_KERNEL_EVENTS_H
#define PFMON_RECORD_KERNEL_EVENTS_H

#include <sys/types.h>

#include "events/events.h"
#include "ledger.h"
#include "record/ring.h"
#include "session/sampler.h"

/* In a sample and in the file: the set of these events, and the PMD of event number @i. */
#define KERNEL_EVENTS_SET	0xffff
#define KERNEL_EVENTS_PMD(i)	((unsigned int)(i))

/* The events to sample of each thread or CPU. Zeroed: none. */
struct kernel_sampling {
	struct events	events;		/* all of them the kernel's */
	uint64_t	*period;	/* of each event; the first one where @hz is not 0 */
	uint64_t	hz;		/* samples a second, requested from perf_events */
	uint64_t	buffer;		/* bytes of a ring, at most */
	bool		shares;		/* ... or less, to leave memory for later rings */
	bool		system_wide;
	unsigned int	chain_parts;	/* PFM_STACK_SMPL_*; 0: samples have no call chains */
	unsigned int	depth;		/* of each part, at most */
};

/* The sampler of one thread or CPU. Zeroed: none. */
struct kernel_sampler {
	const struct kernel_sampling *sampling;
	int		*fd;		/* of each event; NULL: nothing is sampled */
	uint64_t	*id;
	struct ring	ring;		/* of the first one: all write there */
	void		*samples;	/* the samples taken last */
	size_t		n, room;
	uint64_t	*chains;	/* ... and their call chains, as words */
	size_t		nwords, word_room;
	uint64_t	recorded, lost;
	unsigned int	throttled;	/* times */
};

/*
 * Prepare to sample a thread, or, system-wide, the CPU @cpu; kernel_sampler_switch() starts it.
 * True also if there are no events to sample. False: errno is perf_event_open()'s or mmap()'s.
 */
bool kernel_sampler_open(struct kernel_sampler *sampler, const struct kernel_sampling *sampling,
			 pid_t tid, unsigned int cpu, struct problem *why);
void kernel_sampler_switch(const struct kernel_sampler *sampler, bool on);

/* Its descriptor to wait for samples at, or -1: there is none. */
int kernel_sampler_descriptor(const struct kernel_sampler *sampler);

/* The thread, or its right to be sampled, is gone. */
bool kernel_sampler_over(const struct kernel_sampler *sampler);

/* The new samples; they are valid until the next call. */
struct batch kernel_sampler_take(struct kernel_sampler *sampler);

/* The ledger of the overflows. The number of those while perf_events throttled it is unknown. */
struct ledger kernel_sampler_ledger(const struct kernel_sampler *sampler);
void kernel_sampler_close(struct kernel_sampler *sampler);

#endif /* PFMON_RECORD_KERNEL_EVENTS_H */
