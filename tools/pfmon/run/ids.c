// SPDX-License-Identifier: GPL-2.0
/* The numbers of running processes or threads, as options name them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "run/ids.h"

struct taker {
	struct ids	*ids;
	const char	*option;
};

void ids_add(struct ids *ids, pid_t id)
{
	size_t i;

	for (i = 0; i < ids->n; i++)
		if (ids->id[i] == id)
			return;
	GROW(ids->id, ids->n, ids->room);
	ids->id[ids->n++] = id;
}

static bool take(void *data, const char *word, struct problem *why)
{
	const struct taker *taker = data;
	uint64_t id;

	if (!parse_u64(word, &id) || !id || id > INT_MAX)
		return problem(why, "%s %s: a number from 1 to %d is wanted", taker->option, word,
			       INT_MAX);
	ids_add(taker->ids, (pid_t)id);
	return true;
}

bool ids_take(struct ids *ids, const char *option, const char *list, struct problem *why)
{
	struct taker taker = { ids, option };

	return each_word(&taker, list, why, take);
}

void ids_free(struct ids *ids)
{
	free(ids->id);
	memset(ids, 0, sizeof(*ids));
}
