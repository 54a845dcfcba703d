// SPDX-License-Identifier: GPL-2.0
/*
 * Data of a recording beside the samples. Behind the fixed part of such a record: for each
 * sample of the PROFILE_SAMPLES that follows a word with the number of data words, and these; of
 * counts and of details of branches the words alone.
 */
#include <stdlib.h>
#include <string.h>

#include "data/beside.h"
#include "data/read.h"
#include "util.h"

static_assert(sizeof(struct profile_chains) == sizeof(struct profile_branches) &&
	      sizeof(struct profile_branch_details) == sizeof(struct profile_branches) &&
	      sizeof(struct profile_counts) == sizeof(struct profile_branches), "one layout");

bool beside_keep(struct beside *beside, const struct profile_record *record)
{
	const struct profile_branches *from = profile_fixed(record, sizeof(*from));
	const struct profile_rest rest = profile_rest(record);

	if (!from || beside->there)
		return false;
	beside->n = rest.left / sizeof(*beside->word);
	if (beside->n >= beside->room) { /* room also for none */
		beside->room = beside->n + 1;
		beside->word = xrealloc(beside->word, beside->room, sizeof(*beside->word));
	}
	if (beside->n)
		memcpy(beside->word, rest.at, beside->n * sizeof(*beside->word));
	beside->context = from->context;
	beside->left = from->count;
	beside->at = 0;
	beside->there = true;
	return true;
}

bool beside_match(const struct beside *beside, uint32_t context, uint64_t count)
{
	return !beside->there || (beside->context == context && beside->left == count);
}

/* The next word that begins the data of a sample; NULL: there is none. */
static const uint64_t *next_head(struct beside *beside)
{
	return beside->at < beside->n ? &beside->word[beside->at++] : NULL;
}

/* The next @n words, or NULL: there are fewer. */
static const uint64_t *take(struct beside *beside, uint64_t n)
{
	const uint64_t *word = &beside->word[beside->at];

	if (n > beside->n - beside->at)
		return NULL;
	beside->at += n;
	return word;
}

static void keep_branches(struct beside *beside, size_t n, const uint64_t *address,
			  const uint64_t *detail)
{
	struct branch *branch;
	size_t i;

	if (n > beside->branch_room) {
		beside->branch_room = n;
		beside->branch = xrealloc(beside->branch, n, sizeof(*branch));
	}
	for (i = 0; i < n; i++) {
		branch = &beside->branch[i];
		*branch = (struct branch){ .from = address[2 * i], .to = address[2 * i + 1] };
		if (detail)
			memcpy(&branch->detail, &detail[i], sizeof(branch->detail));
	}
}

bool beside_branches(struct beside *beside, struct beside *details, const struct branch **branch,
		     size_t *n)
{
	const uint64_t *head, *address, *detail = NULL;

	*branch = NULL;
	*n = 0;
	if (!beside->there)
		return true;
	head = next_head(beside);
	if (!head || *head > beside->n / 2)
		return false;
	address = take(beside, 2 * *head);
	if (details->there)
		detail = take(details, *head);
	if (!address || (details->there && !detail))
		return false;
	keep_branches(beside, (size_t)*head, address, detail);
	*branch = beside->branch;
	*n = (size_t)*head;
	return true;
}

bool beside_chain(struct beside *beside, struct chain *chain)
{
	struct profile_chain numbers;
	const uint64_t *head;

	*chain = (struct chain){ .address = NULL };
	if (!beside->there)
		return true;
	head = next_head(beside);
	if (!head)
		return false;
	memcpy(&numbers, head, sizeof(numbers));
	if (numbers.kernel > PROFILE_MAX_DEPTH || numbers.user > PROFILE_MAX_DEPTH)
		return false;
	chain->kernel = numbers.kernel;
	chain->user = numbers.user;
	chain->flags = numbers.flags;
	chain->address = take(beside, chain->kernel + chain->user);
	return chain->address != NULL;
}

bool beside_count(struct beside *beside, uint64_t *samples, uint64_t *periods)
{
	const uint64_t *count;

	*samples = 1;
	if (!beside->there)
		return true;
	count = take(beside, sizeof(struct profile_count) / sizeof(*count));
	if (!count || !count[0])
		return false;
	*samples = count[0];
	*periods = count[1];
	return true;
}

void beside_done(struct beside *beside)
{
	beside->there = false;
}

void beside_free(struct beside *beside)
{
	free(beside->word);
	free(beside->branch);
	memset(beside, 0, sizeof(*beside));
}
