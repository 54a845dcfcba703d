// SPDX-License-Identifier: GPL-2.0
/* See backend.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <perfmon.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../command_table.h"
#include "backend.h"

/* Above the descriptors that are closed and replaced at random. */
#define KEPT_FD		900

static int device = -1;

int open_kept(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC), kept;

	if (fd < 0)
		return -1;
	kept = fcntl(fd, F_DUPFD_CLOEXEC, KEPT_FD);
	close(fd);
	return kept;
}

void backend_find(void)
{
	if (!syscall(__NR_perfmonctl, -1, -1, NULL, 0) || errno != ENOSYS)
		return;
	device = open_kept("/dev/perfmon", O_RDWR);
	if (device < 0) {
		perror("fuzz: no system call, and /dev/perfmon");
		exit(2);
	}
}

bool backend_is_device(void)
{
	return device >= 0;
}

int backend_call(int fd, int cmd, void *arg, int narg)
{
	struct pfm_ioctl_call call = {
		.fd = fd, .cmd = cmd, .arg = (uintptr_t)arg, .narg = narg,
	};

	static atomic_uint turn;
	int ret;

	if (!backend_is_device())
		return (int)syscall(__NR_perfmonctl, fd, cmd, arg, narg);
	/* Commands of a context have a second form: use the two alternately. */
	if (has_short_form(command_of(cmd), narg) && atomic_fetch_add(&turn, 1) % 2) {
		ret = ioctl(fd, PFM_IOCTL_COMMAND(cmd, narg), arg);
		if (!ret || errno != ENOTTY)
			return ret;
	}
	return ioctl(device, PFM_IOCTL_CALL, &call);
}
