// SPDX-License-Identifier: GPL-2.0
/*
 * The choice of the backend. A file of its own, so that a test can link another
 * perfmonctl() in its place and drive everything above it without any kernel's help.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "door.h"

static const struct perfmon_door *chosen;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* No backend: PERFMON names none. Only commands get here before they have failed. */
static int no_call(int fd, int cmd, void *arg, int narg)
{
	(void)fd;
	(void)cmd;
	(void)arg;
	(void)narg;
	return perfmon_refuse(ENOSYS, "It can be syscall, device or perf; without it the kernel decides.",
			      "the environment variable PERFMON names no way to count: '%s'",
			      secure_getenv("PERFMON"));
}

static struct perfmon_door no_door;

static bool has_syscall(void)
{
	pfarg_config_t config;

	return !perfmon_syscall_door.call(0, PFM_GET_CONFIG, &config, 1) || errno != ENOSYS;
}

static void choose(void)
{
	const char *wish = secure_getenv("PERFMON");
	const int error = errno;

	if (!wish || !*wish) {
		if (has_syscall())
			chosen = &perfmon_syscall_door;
		else if (!perfmon_open_device())
			chosen = &perfmon_device_door;
		else
			chosen = &perfmon_perf_door;
	} else if (!strcmp(wish, "syscall")) {
		chosen = &perfmon_syscall_door;
	} else if (!strcmp(wish, "device")) {
		chosen = &perfmon_device_door;
	} else if (!strcmp(wish, "perf")) {
		chosen = &perfmon_perf_door;
	} else {
		no_door = perfmon_syscall_door;
		no_door.name = "none";
		no_door.call = no_call;
		chosen = &no_door;
	}
	errno = error;
}

const struct perfmon_door *perfmon_this_door(void)
{
	pthread_once(&once, choose);
	return chosen;
}

int perfmonctl(int fd, int cmd, void *arg, int narg)
{
	const struct perfmon_door *door = perfmon_this_door();

	perfmon_forget_refusal();
	return door->call(fd, cmd, arg, narg);
}
