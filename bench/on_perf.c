// SPDX-License-Identifier: GPL-2.0
/*
 * The bench: the perf_events side: one group, read with PERF_FORMAT_GROUP.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bench.h"

static int fds[MAX_COUNTERS], num;

static void perf_open(int n)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr), .read_format = PERF_FORMAT_GROUP,
	};

	for (num = 0; num < n; num++) {
		attr.config = bench_events[num];
		fds[num] = syscall(SYS_perf_event_open, &attr, 0, -1, num ? fds[0] : -1,
				   PERF_FLAG_FD_CLOEXEC);
		if (fds[num] < 0)
			bench_die("perf_event_open() of event %#llx",
				  (unsigned long long)attr.config);
	}
}

static void perf_read(int n)
{
	uint64_t values[1 + MAX_COUNTERS];

	if (read(fds[0], values, sizeof(values)) < (ssize_t)((1 + n) * sizeof(values[0])))
		bench_die("read() of a perf group");
}

static void perf_stop_start(void)
{
	if (ioctl(fds[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) ||
	    ioctl(fds[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP))
		bench_die("PERF_EVENT_IOC_DISABLE or _ENABLE");
}

static void perf_close(void)
{
	while (num)
		close(fds[--num]);
}

const struct side perf_side = {
	.name = "perf", .open = perf_open, .read = perf_read,
	.stop_start = perf_stop_start, .close = perf_close,
};
