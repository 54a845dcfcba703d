/* SPDX-License-Identifier: GPL-2.0 */
/* Names that are near to one that does not exist. */
#ifndef PFMON_SUGGEST_H
#define PFMON_SUGGEST_H

#include "base.h"

#define SUGGEST_MAX	4

struct suggest {
	const char	*wanted;
	size_t		length;		/* of @wanted */
	size_t		n;
	struct {
		char		*name;
		unsigned int	distance;
	} best[SUGGEST_MAX];			/* nearest first */
};

/* Look for names near to the first @length characters of @wanted. */
void suggest_begin(struct suggest *suggest, const char *wanted, size_t length);
void suggest_offer(struct suggest *suggest, const char *name);

/* "A, B or C"; empty when nothing is near. Frees what was collected. */
void suggest_end(struct suggest *suggest, char *buf, size_t size);

/* Changes that make one name the other: insert, delete, replace, swap; case counts not. */
unsigned int edit_distance(const char *a, size_t na, const char *b, size_t nb);

#endif /* PFMON_SUGGEST_H */
