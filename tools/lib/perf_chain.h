/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call chains as perf_event_open(2) delivers them, PERF_SAMPLE_CALLCHAIN, and as the stack
 * sampling format has them: first those in the kernel, then those of user level.
 *
 * In a header, because the library's backend and pfmon's own events of the kernel both use them.
 */
#ifndef PERFMON_PERF_CHAIN_H
#define PERFMON_PERF_CHAIN_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <perfmon_stack_smpl.h>

/* Both parts at their deepest, and the marks that perf_events puts before each part. */
#define PERF_CHAIN_ADDRESSES	(2 * PFM_STACK_SMPL_MAX_DEPTH)
#define PERF_CHAIN_MARKS	8
#define PERF_CHAIN_ROOM		(PERF_CHAIN_ADDRESSES + PERF_CHAIN_MARKS)

struct perf_chain {
	uint16_t	kernel, user;	/* number of addresses of each */
	uint16_t	flags;		/* PFM_STACK_SMPL_*_CUT */
	uint64_t	address[PERF_CHAIN_ADDRESSES];
};

/*
 * Number of addresses to request from perf_events, which has one bound for both parts: enough
 * for @depth of each, if the administrator's bound is no lower.
 */
static inline uint16_t perf_chain_limit(unsigned int depth)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_max_stack", "re");
	unsigned int most = 127;	/* the kernel's own default */

	if (file) {
		if (fscanf(file, "%u", &most) != 1)
			most = 127;
		fclose(file);
	}
	return (uint16_t)(most < 2 * depth ? most : 2 * depth);
}

/* Request chains with an event's samples, of the parts in @parts (PFM_STACK_SMPL_*). */
static inline void perf_chain_ask(struct perf_event_attr *attr, unsigned int parts,
				  unsigned int depth)
{
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = perf_chain_limit(depth);
	attr->exclude_callchain_kernel = !(parts & PFM_STACK_SMPL_KERNEL);
	attr->exclude_callchain_user = !(parts & PFM_STACK_SMPL_USER);
}

/*
 * Take @n words of perf_events, no more than @depth of each part. A part is cut if there were
 * more, or may have been: perf_events stops at @limit addresses and does not report that.
 */
static inline void perf_chain_take(struct perf_chain *chain, const uint64_t *word, uint64_t n,
				   unsigned int depth, unsigned int limit)
{
	unsigned int part = 0, seen = 0;
	uint16_t *count;
	uint64_t i;

	chain->kernel = chain->user = chain->flags = 0;
	for (i = 0; i < n && seen < PERF_CHAIN_ADDRESSES; i++) {
		if (word[i] >= PERF_CONTEXT_MAX) {
			part = word[i] == PERF_CONTEXT_KERNEL ? PFM_STACK_SMPL_KERNEL :
			       word[i] == PERF_CONTEXT_USER   ? PFM_STACK_SMPL_USER :
								0;
			continue;
		}
		if (!part || (part == PFM_STACK_SMPL_KERNEL && chain->user))
			continue;
		seen++;
		count = part == PFM_STACK_SMPL_KERNEL ? &chain->kernel : &chain->user;
		if (*count == depth) {
			chain->flags |= part == PFM_STACK_SMPL_KERNEL ? PFM_STACK_SMPL_KERNEL_CUT :
									PFM_STACK_SMPL_USER_CUT;
			continue;
		}
		chain->address[chain->kernel + chain->user] = word[i];
		++*count;
	}
	if (seen >= limit)
		chain->flags |= part == PFM_STACK_SMPL_KERNEL ? PFM_STACK_SMPL_KERNEL_CUT :
								PFM_STACK_SMPL_USER_CUT;
}

#endif /* PERFMON_PERF_CHAIN_H */
