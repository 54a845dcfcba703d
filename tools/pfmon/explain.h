/* SPDX-License-Identifier: GPL-2.0 */
/* What a failed perfmonctl() means for the user of pfmon, and the way out. */
#ifndef PFMON_EXPLAIN_H
#define PFMON_EXPLAIN_H

#include "util.h"

/*
 * Fill in @why for a command that failed with @error; @arg and @narg as in
 * perfmon_describe_error(). Returns false.
 */
bool explain(struct problem *why, int cmd, int error, const void *arg, int narg);

/* kernel.perf_event_paranoid, or -2 when it cannot be read. */
int paranoid_level(void);

/* How to be allowed to monitor at kernel level, or whole CPUs. */
const char *kernel_level_hint(void);
const char *system_wide_hint(void);

#endif /* PFMON_EXPLAIN_H */
