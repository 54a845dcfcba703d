/* SPDX-License-Identifier: GPL-2.0 */
/* Samples one after the other, all of one size; call chains, counts or branches beside them. */
#ifndef PFMON_SESSION_BATCH_H
#define PFMON_SESSION_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <perfmon_branch_smpl.h>

/* At the start of a sample's chain; the addresses of each part follow, 64 bits each. */
struct chain_head {
	uint16_t	kernel, user;
	uint16_t	flags;		/* PFM_STACK_SMPL_*_CUT */
	uint16_t	reserved;
};

/* Number of 64-bit words of a chain, its head included. */
static inline size_t chain_words(const struct chain_head *head)
{
	return 1 + (size_t)head->kernel + head->user;
}

/* A sample that stands for several. */
struct batch_count {
	uint64_t	samples;
	uint64_t	periods;	/* their sum */
};

/* The branches that led to a sample, the newest first. */
struct batch_branches {
	const pfm_branch_smpl_record_t *branch;
	size_t		n;
};

struct batch {
	const void	*samples;
	size_t		sample_size;
	uint64_t	count;
	bool		more;		/* there may be others, elsewhere */
	const uint64_t	*chains;	/* one a sample, in their order; NULL: they have none */
	const struct batch_count *counts; /* likewise; NULL: each sample stands for itself */
	const struct batch_branches *branches; /* likewise; NULL: they have none of their own */
};

/* The number of samples, including those that others stand for. */
static inline uint64_t batch_total(const struct batch *batch)
{
	uint64_t total = 0, i;

	if (!batch->counts)
		return batch->count;
	for (i = 0; i < batch->count; i++)
		total += batch->counts[i].samples;
	return total;
}

#endif /* PFMON_SESSION_BATCH_H */
