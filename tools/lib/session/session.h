/* SPDX-License-Identifier: GPL-2.0 */
/* The life of one context, from a plan to its counts. */
#ifndef PFMON_SESSION_SESSION_H
#define PFMON_SESSION_SESSION_H

#include <sys/types.h>

#include "events/plan.h"

/* The time for which an event set was the active one, in all sessions together. */
struct set_time {
	uint64_t	active_ns;
	uint64_t	turns;
};

/*
 * Find out, before anything runs, if this kernel accepts a plan with several event
 * sets; its timeout is then the effective one.
 */
bool plan_try(struct plan *plan, bool system_wide, struct problem *why);

/* Create the event sets of a plan that has several, in a context. */
bool session_create_sets(const struct plan *plan, int fd, struct problem *why);

/* Create a context and program it. Returns its descriptor, or -1. */
int session_open(const struct plan *plan, bool system_wide, struct problem *why);

/*
 * Attach to @tid (system-wide: to the CPU this thread runs on, with its own id); @set is
 * the first active one. On failure errno is the command's.
 */
bool session_load(int fd, pid_t tid, unsigned int set, struct problem *why);

/* Start a loaded context; errno is ESRCH if its thread has ended meanwhile. */
bool session_start(int fd, struct problem *why);

/* No more counts from here on; harmless when the context was unloaded meanwhile. */
void session_stop(int fd);

/*
 * Add the counts to @sums, one for each event of the PMU; and to @times, one for each event set.
 * With one set, which is always active, @times is left alone.
 */
bool session_read(const struct plan *plan, int fd, uint64_t *sums, struct set_time *times,
		  struct problem *why);

/* The kernel has unloaded the context and reported that: the thread or the CPU is gone. */
bool session_ended(int fd);

/* Time in which it counted nothing, because a privileged user had the PMU. */
uint64_t session_suspended_ns(int fd);

/* Add the report's note on that time; none for 0. */
void session_note_suspended(struct strings *notes, uint64_t ns);

/* Find out the rights of this user in a context of this kind. */
bool rights_ask(struct rights *rights, const struct pmu *pmu, bool system_wide,
		struct problem *why);

#endif /* PFMON_SESSION_SESSION_H */
