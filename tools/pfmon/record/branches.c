// SPDX-License-Identifier: GPL-2.0
/*
 * The last branches that come with samples. The kernel writes the values of PMDs in the order
 * of their numbers: all sources, then all targets, and 0 for a missing branch. In the file
 * they are pairs, as many as there are.
 */
#include <stdlib.h>
#include <string.h>

#include "record/branches.h"

static_assert(PROFILE_BRANCH_MISPREDICTED == PFM_BRANCH_SMPL_MISPREDICTED &&
	      PROFILE_BRANCH_PREDICTED == PFM_BRANCH_SMPL_PREDICTED &&
	      PROFILE_BRANCH_IN_TRANSACTION == PFM_BRANCH_SMPL_IN_TRANSACTION &&
	      PROFILE_BRANCH_ABORT == PFM_BRANCH_SMPL_ABORT &&
	      PROFILE_BRANCH_CYCLES == PFM_BRANCH_SMPL_CYCLES, "flags are written as they are");

/* Returns the number of words written to @word. */
static size_t pair(const uint64_t *from, size_t n, uint64_t *word)
{
	const uint64_t *to = from + n;
	size_t i;

	while (n && !from[n - 1] && !to[n - 1])
		n--;
	word[0] = n;
	for (i = 0; i < n; i++) {
		word[1 + 2 * i] = from[i];
		word[2 + 2 * i] = to[i];
	}
	return 1 + 2 * n;
}

void branches_split(struct branches_split *split, const struct batch *batch, size_t n,
		    size_t behind)
{
	const size_t size = 2 * n * sizeof(uint64_t), rest = behind * sizeof(uint64_t);
	const size_t kept = batch->sample_size - size, before = kept - rest;
	uint64_t i;

	split->samples = xcalloc(batch->count, kept);
	split->sample_size = kept;
	split->words = xcalloc(batch->count, size + sizeof(*split->words));
	split->nwords = 0;
	for (i = 0; i < batch->count; i++) {
		const char *sample = (const char *)batch->samples + i * batch->sample_size;
		char *to = (char *)split->samples + i * kept;

		memcpy(to, sample, before);
		memcpy(to + before, sample + before + size, rest);
		split->nwords += pair((const uint64_t *)(sample + before), n,
				      split->words + split->nwords);
	}
}

void branches_split_free(struct branches_split *split)
{
	free(split->samples);
	free(split->words);
}

static size_t number_of_branches(const struct batch *batch)
{
	size_t n = 0;
	uint64_t i;

	for (i = 0; i < batch->count; i++)
		n += batch->branches[i].n;
	return n;
}

uint64_t *branches_words(const struct batch *batch, size_t *nwords)
{
	size_t n = 0, k;
	uint64_t *words, i;

	words = xcalloc(batch->count + 2 * number_of_branches(batch), sizeof(*words));
	for (i = 0; i < batch->count; i++) {
		const struct batch_branches *branches = &batch->branches[i];

		words[n++] = branches->n;
		for (k = 0; k < branches->n; k++) {
			words[n++] = branches->branch[k].from;
			words[n++] = branches->branch[k].to;
		}
	}
	*nwords = n;
	return words;
}

struct profile_branch_detail *branches_details(const struct batch *batch, size_t *n)
{
	struct profile_branch_detail *details, *detail;
	const pfm_branch_smpl_record_t *branch;
	bool known = false;
	uint64_t i;

	details = xcalloc(number_of_branches(batch), sizeof(*details));
	detail = details;
	for (i = 0; i < batch->count; i++) {
		branch = batch->branches[i].branch;
		for (; branch < batch->branches[i].branch + batch->branches[i].n; branch++) {
			*detail++ = (struct profile_branch_detail){ branch->flags, branch->cycles };
			known |= branch->flags != 0;
		}
	}
	*n = (size_t)(detail - details);
	if (known)
		return details;
	free(details);
	return NULL;
}
