/* SPDX-License-Identifier: GPL-2.0 */
/* Patterns of names: the choice of the programs to monitor, of those that a command starts. */
#ifndef PFMON_RUN_PROGRAMS_H
#define PFMON_RUN_PROGRAMS_H

#include <sys/types.h>

#include "util.h"

/* Patterns of the shell. The zeroed structure chooses all programs. */
struct programs {
	struct strings	only;		/* one of these, if there are any ... */
	struct strings	except;		/* ... and none of these */
};

static inline bool programs_all(const struct programs *programs)
{
	return !programs->only.n && !programs->except.n;
}

/*
 * True if the program that a stopped thread runs is chosen. It has two names: that by which it was
 * executed, of a link or a script, and that of its file. A pattern with a slash is matched with a
 * whole path, another one with the name alone.
 */
bool programs_have(const struct programs *programs, pid_t tid);

/* True if a program with these two paths is chosen; an unknown path is "". */
bool programs_choose(const struct programs *programs, const char *executed, const char *file);

/* "--follow-exec=a, --follow-exec-exclude=b", for messages to the user. The caller frees it. */
char *programs_text(const struct programs *programs);

void programs_free(struct programs *programs);

#endif /* PFMON_RUN_PROGRAMS_H */
