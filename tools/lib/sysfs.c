// SPDX-License-Identifier: GPL-2.0
/* What the kernel tells about itself below /sys/kernel/perfmon. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "perfmon_lib.h"

#define SYSFS_ROOT	"/sys/kernel/perfmon"

int perfmon_sysfs_read(const char *name, char *buf, size_t size)
{
	char path[256];
	int fd, error;
	ssize_t n;

	if (!size || snprintf(path, sizeof(path), "%s/%s", SYSFS_ROOT, name) >=
		     (int)sizeof(path)) {
		errno = EINVAL;
		return -1;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, buf, size - 1);
	error = errno;
	close(fd);
	if (n < 0) {
		errno = error;
		return -1;
	}
	while (n > 0 && buf[n - 1] == '\n')
		n--;
	buf[n] = '\0';
	return 0;
}

int perfmon_sysfs_u64(const char *name, uint64_t *value)
{
	char text[64], *end;

	if (perfmon_sysfs_read(name, text, sizeof(text)))
		return -1;
	errno = 0;
	*value = strtoull(text, &end, 0);
	if (errno || end == text || *end) {
		errno = EINVAL;
		return -1;
	}
	return 0;
}

int perfmon_sessions(unsigned int *thread, unsigned int *system_wide)
{
	uint64_t threads, systems;

	if (perfmon_sysfs_u64("sessions/thread", &threads) ||
	    perfmon_sysfs_u64("sessions/system", &systems))
		return -1;
	*thread = (unsigned int)threads;
	*system_wide = (unsigned int)systems;
	return 0;
}
