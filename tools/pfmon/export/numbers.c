// SPDX-License-Identifier: GPL-2.0
/* Numbers for things as they are met. */
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "export/numbers.h"
#include "util.h"

struct numbered {
	struct number_key	key;	/* the first member: keys of the array point to it */
	size_t			number;
};

static int by_key(const void *one, const void *other)
{
	return memcmp(one, other, sizeof(struct number_key));
}

size_t numbers_find(struct numbers *numbers, const struct number_key *key)
{
	void *found = tfind(key, &numbers->index, by_key);
	struct numbered *entry;

	if (found)
		return (*(struct numbered **)found)->number;
	entry = xcalloc(1, sizeof(*entry));
	entry->key = *key;
	entry->number = numbers->n;
	if (!tsearch(entry, &numbers->index, by_key)) {
		complain("out of memory");
		exit(EXIT_PFMON);
	}
	GROW(numbers->key, numbers->n, numbers->room);
	numbers->key[numbers->n++] = &entry->key;
	return entry->number;
}

void numbers_free(struct numbers *numbers)
{
	tdestroy(numbers->index, free);
	free(numbers->key);
	memset(numbers, 0, sizeof(*numbers));
}
