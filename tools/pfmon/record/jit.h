/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of code that a process made at run time: from /tmp/perf-PID.map, the file that runtimes
 * write for perf (tools/perf/Documentation/jit-interface.txt in Linux): a line each, "START SIZE
 * NAME" in hexadecimal.
 */
#ifndef PFMON_RECORD_JIT_H
#define PFMON_RECORD_JIT_H

#include "record/files.h"
#include "record/recording.h"

/* Put the names of a process into the recording, if there are any. */
void jit_tell(struct recording *recording, const struct files *files);

#endif /* PFMON_RECORD_JIT_H */
