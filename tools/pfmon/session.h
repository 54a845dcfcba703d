/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is written to every context of a measurement, and the life of one context.
 */
#ifndef PFMON_SESSION_H
#define PFMON_SESSION_H

#include <sys/types.h>

#include "events.h"

/* Register vectors, made once from the assigned events. */
struct plan {
	pfarg_pmc_t	*pmcs;
	int		npmcs;
	pfarg_pmd_t	*pmds;		/* one for each event, in the events' order */
	int		npmds;
};

void plan_make(struct plan *plan, const struct events *events, const struct pmu *pmu);
void plan_free(struct plan *plan);

/* Create a context and program it. Returns its descriptor, or -1. */
int session_open(const struct plan *plan, bool system_wide, struct problem *why);

/*
 * Attach to @tid (system-wide: to the CPU this thread runs on, with its own id). On
 * failure errno is the command's.
 */
bool session_load(int fd, pid_t tid, struct problem *why);
bool session_start(int fd, struct problem *why);

/* No more counts from here on; harmless when the context was unloaded meanwhile. */
void session_stop(int fd);

/* Add the counts to @sums, one for each event. */
bool session_read(const struct plan *plan, int fd, uint64_t *sums, struct problem *why);

/* The kernel unloaded the context and said so: the thread or the CPU is gone. */
bool session_ended(int fd);

/* Find out what this user may count in a context of this kind. */
bool rights_ask(struct rights *rights, const struct pmu *pmu, bool system_wide,
		struct problem *why);

#endif /* PFMON_SESSION_H */
