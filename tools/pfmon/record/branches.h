/* SPDX-License-Identifier: GPL-2.0 */
/* The last branches that come with samples go into a record of their own. */
#ifndef PFMON_RECORD_BRANCHES_H
#define PFMON_RECORD_BRANCHES_H

#include "data/format.h"
#include "session/sampler.h"

/* Samples without branches, and the words behind the fixed part of PROFILE_BRANCHES. */
struct branches_split {
	void		*samples;
	size_t		sample_size;
	uint64_t	*words;
	size_t		nwords;
};

/* In each sample there are @n sources and @n targets, and @behind words behind them. */
void branches_split(struct branches_split *split, const struct batch *batch, size_t n,
		    size_t behind);
void branches_split_free(struct branches_split *split);

/* The same words from a batch whose branches are beside its samples; freed by the caller. */
uint64_t *branches_words(const struct batch *batch, size_t *nwords);

/*
 * The details of the branches of such a batch; freed by the caller. NULL if nothing is known of
 * any.
 */
struct profile_branch_detail *branches_details(const struct batch *batch, size_t *n);

#endif /* PFMON_RECORD_BRANCHES_H */
