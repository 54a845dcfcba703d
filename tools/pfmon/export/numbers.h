/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers for things as they are met: 0 for the first one, 1 for the next, and so on. */
#ifndef PFMON_EXPORT_NUMBERS_H
#define PFMON_EXPORT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#define NUMBER_WORDS	5

/* The key of a thing: numbers, or pointers to names of places. Equal keys mean the same thing. */
struct number_key {
	uint64_t	word[NUMBER_WORDS];
};

/* A zeroed structure is empty. */
struct numbers {
	void			*index;		/* a search tree */
	struct number_key	**key;		/* by number */
	size_t			n, room;
};

/* The number of this key; a new one, numbers->n - 1, if it had none. */
size_t numbers_find(struct numbers *numbers, const struct number_key *key);
void numbers_free(struct numbers *numbers);

static inline uint64_t number_of_name(const char *name)
{
	return (uintptr_t)name;
}

static inline const char *name_of_number(uint64_t number)
{
	return (const char *)(uintptr_t)number;
}

#endif /* PFMON_EXPORT_NUMBERS_H */
