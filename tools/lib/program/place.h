/* SPDX-License-Identifier: GPL-2.0 */
/* Where a session is: on a thread or on a CPU. */
#ifndef PERFMON_PROGRAM_PLACE_H
#define PERFMON_PROGRAM_PLACE_H

#include <sys/types.h>

#include "base.h"

struct place {
	pid_t		tid;		/* 0: the calling thread; -1: no thread, but a CPU */
	unsigned int	cpu;
};

/* Whether a program may mean a thread by this; else perfmon_error() is set. */
bool place_is_thread(pid_t tid);

/* Load the context @fd there. On failure errno says why as well. */
bool place_load(const struct place *place, int fd, struct problem *why);

#endif /* PERFMON_PROGRAM_PLACE_H */
