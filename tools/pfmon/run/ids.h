/* SPDX-License-Identifier: GPL-2.0 */
/* The numbers of running processes or threads, as options name them. */
#ifndef PFMON_RUN_IDS_H
#define PFMON_RUN_IDS_H

#include <sys/types.h>

#include "util.h"

/* Zeroed: none. */
struct ids {
	pid_t	*id;
	size_t	n, room;
};

/* Add a number, unless it is there. */
void ids_add(struct ids *ids, pid_t id);

/* Add those of a list with commas. False, with the reason, which names the wrong one. */
bool ids_take(struct ids *ids, const char *option, const char *list, struct problem *why);

void ids_free(struct ids *ids);

#endif /* PFMON_RUN_IDS_H */
