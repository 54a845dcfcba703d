/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that a process leaves for profilers. It may be in a container: then its files, its number
 * and its user are others than pfmon's.
 */
#ifndef PFMON_RECORD_FILES_H
#define PFMON_RECORD_FILES_H

#include <stdio.h>
#include <sys/types.h>

#include "util.h"

/* The root directories of processes, as far as they are not pfmon's. Zeroed: none. */
struct roots {
	struct root	*first;
};

struct files {
	pid_t		pid;
	bool		known;		/* the following was read; else it is as for pfmon */
	pid_t		inner;		/* the process' number in its own PID namespace */
	uid_t		user;		/* to whom its new files belong */
	struct root	*root;		/* NULL: pfmon's own */
};

/*
 * Read where the files of the process are, for the time after its end as well. False: the process
 * has ended, or /proc is of another PID namespace; then all stays as it was.
 */
bool files_look(struct files *files, struct roots *roots);

/* Open a file below the root of the process, or below pfmon's: see open_believed(). */
FILE *files_open(const struct files *files, const char *path);
FILE *files_open_outside(const struct files *files, const char *path);

/* The process' root is no longer needed. */
void files_leave(struct files *files, struct roots *roots);

#endif /* PFMON_RECORD_FILES_H */
