// SPDX-License-Identifier: GPL-2.0
/* The place of a session: contexts are loaded there. */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "cpus.h"
#include "program/error.h"
#include "program/place.h"
#include "session/session.h"

bool place_is_thread(pid_t tid)
{
	if (tid >= 0)
		return true;
	problem(error_why(), "%d is not the number of a thread", (int)tid);
	error_fail(EINVAL);
	return false;
}

/* A context of a CPU is loaded by a thread that runs there. */
static bool load_here(void *data, unsigned int cpu, struct problem *why)
{
	const int *fd = data;

	(void)cpu;
	return session_load(*fd, gettid(), 0, why);
}

bool place_load(const struct place *place, int fd, struct problem *why)
{
	if (place->tid < 0)
		return cpus_visit(place->cpu, load_here, &fd, why);
	return session_load(fd, place->tid ?: gettid(), 0, why);
}
