// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded into pfmon: a kernel without perfmonctl(), and, if NO_PERFMONCTL_PERF is in the
 * environment, one in which perf_event_open() fails with that errno. With NO_PERFMONCTL=perf it has
 * perfmonctl().
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include <perfmon.h>

long syscall(long number, ...)
{
	long (*real)(long number, ...) = dlsym(RTLD_NEXT, "syscall");
	const char *perf = getenv("NO_PERFMONCTL_PERF");
	long arg[6];
	va_list args;
	int i;

	va_start(args, number);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (number == __NR_perfmonctl && !getenv("NO_PERFMONCTL")) {
		errno = ENOSYS;
		return -1;
	}
	if (number == SYS_perf_event_open && perf) {
		errno = atoi(perf);
		return -1;
	}
	return real(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}
