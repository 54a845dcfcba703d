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

#include "backend.h"

static const struct perfmon_backend *chosen;
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

static struct perfmon_backend no_backend;

static bool has_syscall(void)
{
	pfarg_config_t config;

	return !perfmon_syscall_backend.call(0, PFM_GET_CONFIG, &config, 1) || errno != ENOSYS;
}

static void choose(void)
{
	const char *wish = secure_getenv("PERFMON");
	const int error = errno;

	if (!wish || !*wish) {
		if (has_syscall())
			chosen = &perfmon_syscall_backend;
		else if (!perfmon_open_device())
			chosen = &perfmon_device_backend;
		else
			chosen = &perfmon_perf_backend;
	} else if (!strcmp(wish, "syscall")) {
		chosen = &perfmon_syscall_backend;
	} else if (!strcmp(wish, "device")) {
		chosen = &perfmon_device_backend;
	} else if (!strcmp(wish, "perf")) {
		chosen = &perfmon_perf_backend;
	} else {
		no_backend = perfmon_syscall_backend;
		no_backend.name = "none";
		no_backend.call = no_call;
		chosen = &no_backend;
	}
	errno = error;
}

const struct perfmon_backend *perfmon_this_backend(void)
{
	pthread_once(&once, choose);
	return chosen;
}

int perfmonctl(int fd, int cmd, void *arg, int narg)
{
	const struct perfmon_backend *backend = perfmon_this_backend();

	perfmon_forget_refusal();
	return backend->call(fd, cmd, arg, narg);
}
