// SPDX-License-Identifier: GPL-2.0
/*
 * The system call. A file of its own, so that a test can link another one in its
 * place and drive everything above it without a patched kernel.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "perfmon_lib.h"

int perfmonctl(int fd, int cmd, void *arg, int narg)
{
	return (int)syscall(__NR_perfmonctl, fd, cmd, arg, narg);
}
