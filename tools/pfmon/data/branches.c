// SPDX-License-Identifier: GPL-2.0
/*
 * The last branches before each sample. Behind the fixed part of PROFILE_BRANCHES: for each
 * sample of the PROFILE_SAMPLES that follows a number of branches, and so many pairs of
 * addresses.
 */
#include <stdlib.h>
#include <string.h>

#include "data/branches.h"
#include "data/read.h"
#include "util.h"

bool branches_keep(struct branches *branches, const struct profile_record *record)
{
	const struct profile_branches *from = profile_fixed(record, sizeof(*from));
	const struct profile_rest rest = profile_rest(record);

	if (!from || branches->there)
		return false;
	branches->n = rest.left / sizeof(*branches->word);
	if (branches->n > branches->room) {
		branches->room = branches->n;
		branches->word = xrealloc(branches->word, branches->room, sizeof(*branches->word));
	}
	if (branches->n)
		memcpy(branches->word, rest.at, branches->n * sizeof(*branches->word));
	branches->context = from->context;
	branches->left = from->count;
	branches->at = 0;
	branches->there = true;
	return true;
}

bool branches_match(const struct branches *branches, uint32_t context, uint64_t count)
{
	return !branches->there || (branches->context == context && branches->left == count);
}

bool branches_next(struct branches *branches, const struct branch **branch, size_t *n)
{
	uint64_t count;

	*branch = NULL;
	*n = 0;
	if (!branches->there)
		return true;
	if (branches->at == branches->n)
		return false;
	count = branches->word[branches->at++];
	if (count > (branches->n - branches->at) / 2)
		return false;
	*branch = (const struct branch *)&branches->word[branches->at];
	*n = (size_t)count;
	branches->at += 2 * *n;
	return true;
}

void branches_done(struct branches *branches)
{
	branches->there = false;
}

void branches_free(struct branches *branches)
{
	free(branches->word);
	memset(branches, 0, sizeof(*branches));
}
