// SPDX-License-Identifier: GPL-2.0
/*
 * The bench: the perf_events side: one group, read with PERF_FORMAT_GROUP.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bench.h"

static int fds[MAX_GROUPS * GROUP_COUNTERS], num;

/* A group of @n events more, of a thread or of a CPU. */
static void open_group(int n, uint64_t read_format, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr), .read_format = read_format,
	};
	int i, leader = -1;

	for (i = 0; i < n; i++) {
		attr.config = bench_events[i];
		fds[num] = syscall(SYS_perf_event_open, &attr, pid, cpu, leader,
				   PERF_FLAG_FD_CLOEXEC);
		if (fds[num] < 0)
			bench_die("perf_event_open() of event %#llx",
				  (unsigned long long)attr.config);
		if (!i)
			leader = fds[num];
		num++;
	}
}

static void perf_open(int n)
{
	num = 0;
	open_group(n, PERF_FORMAT_GROUP, 0, -1);
}

static void perf_cpus_open(int cpus)
{
	int cpu;

	num = 0;
	for (cpu = 0; cpu < cpus; cpu++)
		open_group(GROUP_COUNTERS, PERF_FORMAT_GROUP, -1, cpu);
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

#define RING_PAGES	64
#define PAGE		4096

static struct perf_event_mmap_page *ring;

static void perf_close(void)
{
	while (num)
		close(fds[--num]);
	if (ring)
		munmap(ring, (1 + RING_PAGES) * PAGE);
	ring = NULL;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		bench_die("%s", path);
}

/* The fields of perf record without call chains: place, process, time, period. */
static void perf_sample_open(uint64_t period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr), .config = bench_events[0],
		.sample_period = period, .exclude_kernel = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_PERIOD,
		.watermark = 1, .wakeup_watermark = RING_PAGES * PAGE,
	};

	/* perf_events must not lower the rate by itself. */
	write_file("/proc/sys/kernel/perf_cpu_time_max_percent", "0");
	fds[0] = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fds[0] < 0)
		bench_die("perf_event_open() for sampling");
	num = 1;
	ring = mmap(NULL, (1 + RING_PAGES) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0);
	if (ring == MAP_FAILED)
		bench_die("mmap() of perf's ring buffer");
}

static uint64_t perf_samples(uint64_t *bytes)
{
	const char *data = (const char *)ring + PAGE;
	const struct perf_event_header *header;
	uint64_t at, n = 0;

	*bytes = 0;
	for (at = 0; at < ring->data_head; at += header->size) {
		header = (const struct perf_event_header *)(data + at);
		if (header->type != PERF_RECORD_SAMPLE)
			continue;
		n++;
		*bytes += header->size;
	}
	return n;
}

/* More events than there are counters: perf rotates them. */
static void perf_turns_open(int groups)
{
	write_file("/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms", "1");
	num = 0;
	while (groups--)
		open_group(GROUP_COUNTERS, PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED,
			   0, -1);
}

/* perf does not count its rotations: one in each millisecond, as set above. */
static uint64_t perf_turns(void)
{
	struct {
		uint64_t nr, enabled, values[GROUP_COUNTERS];
	} group;

	if (read(fds[0], &group, sizeof(group)) < 0)
		bench_die("read() of a perf group");
	return group.enabled / 1000000;
}

const struct side perf_side = {
	.name = "perf", .open = perf_open, .read = perf_read,
	.stop_start = perf_stop_start, .close = perf_close,
	.sample_open = perf_sample_open, .parts_open = perf_sample_open,
	.sums_open = perf_sample_open,
	.compact_open = perf_sample_open, .samples = perf_samples,
	.turns_open = perf_turns_open, .turns = perf_turns,
	.cpus_open = perf_cpus_open, .cpus_close = perf_close,
};
