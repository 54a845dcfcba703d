// SPDX-License-Identifier: GPL-2.0
/* The content of /sys/kernel/perfmon, or the backend's replacement. */
#include <errno.h>
#include <stdlib.h>

#include "backend.h"

int perfmon_sysfs_read(const char *name, char *buf, size_t size)
{
	if (!size) {
		errno = EINVAL;
		return -1;
	}
	return perfmon_this_backend()->sysfs_read(name, buf, size);
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
