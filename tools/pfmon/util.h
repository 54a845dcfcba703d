/* SPDX-License-Identifier: GPL-2.0 */
/* Functions for every file of pfmon: messages, and the library's ones of that kind. */
#ifndef PFMON_UTIL_H
#define PFMON_UTIL_H

#include "base.h"

/* Exit statuses that are pfmon's own while it runs a command, as env(1) uses them. */
#define EXIT_PFMON	125	/* pfmon itself failed */
#define EXIT_CANNOT_RUN	126	/* the command was found and cannot be run */
#define EXIT_NOT_FOUND	127	/* there is no such command */

/* "pfmon: what" and the hint on stderr. */
void problem_print(const struct problem *why);

/* "what: reason", with a hint if the limit of open files is the reason. Returns false. */
bool problem_errno(struct problem *why, const char *what, int error);

/* One sentence on stderr, as "pfmon: ...". */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For the library's out_of_memory. */
void complain_of_memory(void);

bool is_regular_file(int fd);

/* Call for each word of a list with commas, until one is false. */
bool each_word(void *data, const char *list, struct problem *why,
	       bool (*take)(void *data, const char *word, struct problem *why));

/* "1 task", "2 tasks": a count and its noun. */
#define PLURAL(n)	((n) == 1 ? "" : "s")

#endif /* PFMON_UTIL_H */
