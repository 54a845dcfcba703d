// SPDX-License-Identifier: GPL-2.0
/* The place of a session: contexts are loaded there. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <string.h>
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

/* A context of a CPU is loaded by a thread that moves there, and then back. */
static bool load_cpu(unsigned int cpu, int fd, struct problem *why)
{
	cpu_set_t *before;
	size_t size;
	int error;
	bool ok;

	before = cpus_get_affinity(&size);
	ok = cpus_move_to(cpu);
	if (!ok) {
		error = errno;
		problem(why, "CPU %u: %s", cpu, strerror(error));
		problem_hint(why, "It is offline, or this process may not run there\n"
				  "(see /sys/devices/system/cpu/online, cpusets).");
	} else {
		ok = session_load(fd, gettid(), 0, why);
		error = errno;
	}
	sched_setaffinity(0, size, before);
	CPU_FREE(before);
	errno = error;
	return ok;
}

bool place_load(const struct place *place, int fd, struct problem *why)
{
	if (place->tid < 0)
		return load_cpu(place->cpu, fd, why);
	return session_load(fd, place->tid ?: gettid(), 0, why);
}
