/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of code that a process made at run time, from jit-PID.dump. Runtimes write this file for
 * perf, and map it so that perf finds it. Format: tools/perf/Documentation/
 * jitdump-specification.txt in Linux.
 */
#ifndef PFMON_RECORD_JITDUMP_H
#define PFMON_RECORD_JITDUMP_H

#include "record/files.h"
#include "record/recording.h"

/* Put the names of a process into the recording, if it has mapped such a file. */
void jitdump_tell(struct recording *recording, const struct files *files);

#endif /* PFMON_RECORD_JITDUMP_H */
