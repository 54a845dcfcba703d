/* SPDX-License-Identifier: GPL-2.0 */
/* Attaching to each of the threads or CPUs that the user has named. */
#ifndef PFMON_RUN_TARGETS_H
#define PFMON_RUN_TARGETS_H

#include "run/ids.h"
#include "util.h"

/* Attach to the thread, or from the CPU that has this number to it. False: errno, and the reason. */
typedef bool (*target_attach)(void *data, pid_t id, struct problem *why);

/* Attach to all of them, or up to the first failure: false, with a reason that names the target. */
bool targets_threads(const struct ids *tids, target_attach attach, void *data,
		     struct problem *why);
bool targets_cpus(const unsigned int *cpus, size_t n, target_attach attach, void *data,
		  struct problem *why);

#endif /* PFMON_RUN_TARGETS_H */
