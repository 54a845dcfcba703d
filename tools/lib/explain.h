/* SPDX-License-Identifier: GPL-2.0 */
/* The meaning of a failed perfmonctl() for the user of pfmon, and the way out. */
#ifndef PFMON_EXPLAIN_H
#define PFMON_EXPLAIN_H

#include "base.h"

/*
 * Fill in @why for a command that failed with @error; @arg and @narg as in
 * perfmon_describe_error(). Returns false.
 */
bool explain(struct problem *why, int cmd, int error, const void *arg, int narg);

/* kernel.perf_event_paranoid, or -2 when it cannot be read. */
int paranoid_level(void);

/* The same for PFM_CREATE_CONTEXT of a context of this kind. */
bool explain_create(struct problem *why, int error, bool system_wide);

/* The way to be allowed to monitor at kernel level. */
const char *kernel_level_hint(void);

#endif /* PFMON_EXPLAIN_H */
