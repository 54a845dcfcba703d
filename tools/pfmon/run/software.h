/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's events of a plan, for one thread or CPU: a group of perf's descriptors beside
 * the context. They count at all times, whatever event set is active.
 */
#ifndef PFMON_RUN_SOFTWARE_H
#define PFMON_RUN_SOFTWARE_H

#include <sys/types.h>

#include "events/plan.h"

/*
 * Open them for the thread @id, or, system-wide, for the CPU @id; they count at once if @started.
 * software_end() closes them. *@group: a descriptor for each event; NULL where the plan has none.
 * On failure errno is perf_event_open()'s.
 */
bool software_begin(const struct plan *plan, bool system_wide, pid_t id, bool started,
		    int **group, struct problem *why);
void software_end(const struct plan *plan, int **group);

void software_start(const int *group);
void software_stop(const int *group);

/* Add the counts to @sums, which has one for each event of the plan. */
bool software_read(const struct plan *plan, const int *group, uint64_t *sums,
		   struct problem *why);

#endif /* PFMON_RUN_SOFTWARE_H */
