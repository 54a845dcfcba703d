/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of perf_events, and of other users of the PMU. */
#ifndef TESTS_ABI_PERF_H
#define TESTS_ABI_PERF_H

#include "count.h"

#include <linux/perf_event.h>

#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"

static inline int try_perf(__u32 type, __u64 event)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = event, .exclude_kernel = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static inline void need_shared_pmu(void)
{
	need_pmu();
	need_hardware("counters that perf uses as well");
}

static inline int try_perf_hardware(void)
{
	need_shared_pmu();
	return try_perf(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

static inline int perf_hardware(void)
{
	int fd = try_perf_hardware();

	CHECK_OK(fd);
	return fd;
}

static inline void check_perf_counts(int fd)
{
	__u64 before, after;

	CHECK_EQ(read(fd, &before, sizeof(before)), sizeof(before));
	loop(1000);
	CHECK_EQ(read(fd, &after, sizeof(after)), sizeof(after));
	CHECK_GE(after, before + 2000);
}

#endif /* TESTS_ABI_PERF_H */
