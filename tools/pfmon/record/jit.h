/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of code that a process made at run time: from /tmp/perf-PID.map, the file that runtimes
 * write for perf (tools/perf/Documentation/jit-interface.txt in Linux): a line each, "START SIZE
 * NAME" in hexadecimal.
 */
#ifndef PFMON_RECORD_JIT_H
#define PFMON_RECORD_JIT_H

#include <stdio.h>

#include "record/recording.h"

/*
 * Open a file that a runtime has left. NULL: the file is missing, or belongs to another user. It
 * must be the user's own unless pfmon is root: /tmp is open to all.
 */
FILE *jit_open(const char *path);

/* Put the names of a process into the recording, if there are any. */
void jit_tell(struct recording *recording, pid_t pid);

#endif /* PFMON_RECORD_JIT_H */
