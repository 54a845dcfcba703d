/* SPDX-License-Identifier: GPL-2.0 */
/* Times as nanoseconds, which the interfaces of the kernel use. */
#ifndef PERFMON_NANOSECONDS_H
#define PERFMON_NANOSECONDS_H

#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC	UINT64_C(1000000000)

static inline uint64_t nanoseconds(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NSEC_PER_SEC + (uint64_t)time->tv_nsec;
}

static inline uint64_t nanoseconds_now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return nanoseconds(&time);
}

#endif /* PERFMON_NANOSECONDS_H */
