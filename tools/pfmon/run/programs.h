/* SPDX-License-Identifier: GPL-2.0 */
/* Which of the programs that a command starts are monitored: by patterns of their names. */
#ifndef PFMON_RUN_PROGRAMS_H
#define PFMON_RUN_PROGRAMS_H

#include <sys/types.h>

#include "util.h"

/* Patterns of the shell. Zeroed, it chooses all programs. */
struct programs {
	struct strings	only;		/* one of these, if there are any ... */
	struct strings	except;		/* ... and none of these */
};

static inline bool programs_all(const struct programs *programs)
{
	return !programs->only.n && !programs->except.n;
}

/*
 * Is the program that a stopped thread runs one of them? It has two names: that by which it
 * was executed, a link's or a script's, and that of its file. A pattern with a slash is
 * matched with a whole path, another one with the name alone.
 */
bool programs_have(const struct programs *programs, pid_t tid);

/* Is a program with these two paths, "" for one that is not known, one of them? */
bool programs_choose(const struct programs *programs, const char *executed, const char *file);

/* "--follow-exec=a, --follow-exec-exclude=b", to tell the user which. To be freed. */
char *programs_text(const struct programs *programs);

void programs_free(struct programs *programs);

#endif /* PFMON_RUN_PROGRAMS_H */
