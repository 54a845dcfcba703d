/* SPDX-License-Identifier: GPL-2.0 */
/* Starting the command, and telling how it ended. */
#ifndef PFMON_RUN_CHILD_H
#define PFMON_RUN_CHILD_H

#include <sys/time.h>
#include <sys/types.h>

#include "util.h"

/* A process that will become the command when it is let go. */
struct child {
	pid_t	pid;
	int	link;		/* writing a byte lets it go; exec's errno comes back */
};

/* Keep the signals and limits for the command, before any changes; the first thing of all. */
void child_keep_environment(void);

bool child_start(struct child *child, char **argv, struct problem *why);
/* Have it stop for us, at its exec and as PTRACE_O_* options say; else it is abandoned. */
bool child_trace(struct child *child, unsigned long options, struct problem *why);
void child_go(struct child *child);

/*
 * After its end: 0 when the command was executed, else the errno of execvp(). Then the
 * exit status is child_exec_status(), and @why says what happened. Closes the link.
 */
int child_exec_error(struct child *child, const char *name, struct problem *why);
int child_exec_status(int error);

/* A wait status as an exit status: 128 + the signal's number for a killed command. */
int child_status(int wait_status);

/* Seconds, of a figure in a struct rusage. */
double child_seconds(const struct timeval *time);

/* Kill and reap one that shall not run after all. */
void child_abandon(struct child *child);

#endif /* PFMON_RUN_CHILD_H */
