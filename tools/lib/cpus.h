/* SPDX-License-Identifier: GPL-2.0 */
/* CPU lists, and the CPUs of this process. */
#ifndef PFMON_CPUS_H
#define PFMON_CPUS_H

#include <sched.h>

#include "base.h"

/* "0,2-3" to {0, 2, 3}; allocated, sorted as given. */
bool cpus_parse(const char *text, unsigned int **cpus, size_t *n, struct problem *why);

/* All CPUs that are online. */
bool cpus_online(unsigned int **cpus, size_t *n, struct problem *why);

/*
 * Have this thread call @work on this CPU, and return to the CPUs that it may run on. False, with
 * errno and the reason: the thread may not run there, or @work has failed.
 */
bool cpus_visit(unsigned int cpu, bool (*work)(void *data, unsigned int cpu, struct problem *why),
		void *data, struct problem *why);

/* The CPUs this thread may run on, to be restored; CPU_FREE() it. */
cpu_set_t *cpus_get_affinity(size_t *size);

#endif /* PFMON_CPUS_H */
