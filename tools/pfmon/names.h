/* SPDX-License-Identifier: GPL-2.0 */
/* Texts that are kept once: equal texts are the same pointer. */
#ifndef PFMON_NAMES_H
#define PFMON_NAMES_H

#include "util.h"

/* Zeroed is empty. */
struct names {
	char	**text;		/* a hash table */
	size_t	n, room;
};

const char *names_keep(struct names *names, const char *text);
const char *names_keep_number(struct names *names, uint64_t number, bool hex);
void names_free(struct names *names);

#endif /* PFMON_NAMES_H */
