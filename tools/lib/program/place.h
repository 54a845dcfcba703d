/* SPDX-License-Identifier: GPL-2.0 */
/* The place of a session: a thread or a CPU. */
#ifndef PERFMON_PROGRAM_PLACE_H
#define PERFMON_PROGRAM_PLACE_H

#include <sys/types.h>

#include "base.h"

struct place {
	pid_t		tid;		/* 0: the calling thread; -1: no thread, but a CPU */
	unsigned int	cpu;
};

/* True if this can be the number of a thread; else perfmon_error() is set. */
bool place_is_thread(pid_t tid);

/* Load the context @fd there. False: @why, and errno as well. */
bool place_load(const struct place *place, int fd, struct problem *why);

#endif /* PERFMON_PROGRAM_PLACE_H */
