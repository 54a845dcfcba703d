/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples of the kernel's events: perf_events takes them, beside the context or without one.
 * What comes out of here looks like the samples of the kernel's default format.
 */
#ifndef PFMON_RECORD_KERNEL_EVENTS_H
#define PFMON_RECORD_KERNEL_EVENTS_H

#include <sys/types.h>

#include "events/events.h"
#include "ledger.h"
#include "record/ring.h"
#include "session/sampler.h"

/* In a sample, and the file: the set of these events, and the PMD of the one number @i. */
#define KERNEL_EVENTS_SET	0xffff
#define KERNEL_EVENTS_PMD(i)	((unsigned int)(i))

/* What is sampled of each thread or CPU. Zeroed: nothing. */
struct kernel_sampling {
	struct events	events;		/* all of them the kernel's */
	uint64_t	*period;	/* of each; the first one where @hz is not 0 */
	uint64_t	hz;		/* so many samples a second are wanted, as perf_events has it */
	uint64_t	buffer;		/* bytes of a ring, at most */
	bool		shares;		/* ... or so much less that later ones find room as well */
	bool		system_wide;
	unsigned int	chain_parts;	/* PFM_STACK_SMPL_*; 0: samples have no call chains */
	unsigned int	depth;		/* of each part, at most */
};

/* Of one thread or CPU. Zeroed is none. */
struct kernel_sampler {
	const struct kernel_sampling *sampling;
	int		*fd;		/* of each event; NULL: nothing is sampled */
	uint64_t	*id;
	struct ring	ring;		/* of the first one: all write there */
	void		*samples;	/* those that were taken last */
	size_t		n, room;
	uint64_t	*chains;	/* ... and theirs, as words */
	size_t		nwords, word_room;
	uint64_t	recorded, lost;
	unsigned int	throttled;	/* times */
};

/*
 * Get ready to sample a thread, or, system-wide, the CPU @cpu; it begins with a switch. Success
 * where nothing is to be sampled, too. False: errno is perf_event_open()'s or mmap()'s.
 */
bool kernel_sampler_open(struct kernel_sampler *sampler, const struct kernel_sampling *sampling,
			 pid_t tid, unsigned int cpu, struct problem *why);
void kernel_sampler_switch(const struct kernel_sampler *sampler, bool on);

/* Its descriptor to wait for samples at, or -1: there is none. */
int kernel_sampler_descriptor(const struct kernel_sampler *sampler);

/* The thread, or its right to be sampled, is gone. */
bool kernel_sampler_over(const struct kernel_sampler *sampler);

/* What is new, until the next call. */
struct batch kernel_sampler_take(struct kernel_sampler *sampler);

/* What became of the overflows; of those while perf_events throttled it nothing is known. */
struct ledger kernel_sampler_ledger(const struct kernel_sampler *sampler);
void kernel_sampler_close(struct kernel_sampler *sampler);

#endif /* PFMON_RECORD_KERNEL_EVENTS_H */
