/* SPDX-License-Identifier: GPL-2.0 */
/* Start of the command, and its exit status. */
#ifndef PFMON_RUN_CHILD_H
#define PFMON_RUN_CHILD_H

#include <sys/time.h>
#include <sys/types.h>

#include "util.h"

/* A process that waits, and becomes the command after child_go(). */
struct child {
	pid_t	pid;
	int	link;		/* a byte written lets it go; exec's errno comes back */
};

/* Keep the signals and limits for the command, before any changes: call it first of all. */
void child_keep_environment(void);

/*
 * Raise pfmon's own limit of open files as far as the administrator allows: every thread takes a
 * descriptor. The command keeps its limit.
 */
void child_raise_file_limit(void);

bool child_start(struct child *child, char **argv, struct problem *why);
/* Have it stop for pfmon, at its exec and by @options (PTRACE_O_*). On failure it is abandoned. */
bool child_trace(struct child *child, unsigned long options, struct problem *why);
void child_go(struct child *child);

/*
 * Call it after the end: 0 if the command was executed, else the errno of execvp(). Then the
 * exit status is child_exec_status(), and @why has the reason. Closes the link.
 */
int child_exec_error(struct child *child, const char *name, struct problem *why);
int child_exec_status(int error);

/* A wait status as an exit status: 128 + the signal's number for a killed command. */
int child_status(int wait_status);

/* A time of a struct rusage in seconds. */
double child_seconds(const struct timeval *time);

/* Kill and reap a child that must not run after all. */
void child_abandon(struct child *child);

#endif /* PFMON_RUN_CHILD_H */
