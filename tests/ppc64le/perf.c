// SPDX-License-Identifier: GPL-2.0
/*
 * The emulated PMU under the kernel's own perf_events: counts are exact, and there is one sample in
 * each period of instructions. And perf_events or perfmon owns the PMU, never both at a time.
 */
#include "../abi/count.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define PAGES		8
#define PERIOD		1000

static int open_event(__u64 period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS, .disabled = 1, .exclude_kernel = 1,
		.exclude_hv = 1, .sample_period = period, .sample_type = PERF_SAMPLE_IP,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static __u64 count(int fd, __u64 rounds)
{
	__u64 value;

	CHECK_OK(ioctl(fd, PERF_EVENT_IOC_RESET, 0));
	CHECK_OK(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	count_down(rounds);
	CHECK_OK(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));
	CHECK_EQ(read(fd, &value, sizeof(value)), sizeof(value));
	return value;
}

TEST(perf_counts_exactly)
{
	int fd = open_event(0);
	__u64 base;

	CHECK_OK(fd);
	count(fd, 1);
	base = count(fd, 1);
	CHECK_EQ(count(fd, 1), base);
	CHECK_EQ(count(fd, 1001), base + 2000);
	CHECK_EQ(count(fd, 10000001), base + 20000000);
}

/* The samples are in the ring buffer's order; each is a header and an address. */
TEST(perf_samples_each_period)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *head;
	int fd = open_event(PERIOD);
	__u64 total;

	CHECK_OK(fd);
	head = mmap(NULL, (PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHECK(head != MAP_FAILED);
	total = count(fd, 50000);
	CHECK_GE(total, 100000);
	CHECK_EQ(head->data_head / (sizeof(struct perf_event_header) + 8), total / PERIOD);
}

TEST(perf_and_perfmon_exclude_each_other)
{
	int fd, event;

	need_pmu();
	fd = create_counting(general, 0);
	event = open_event(0);
	CHECK_OK(event);
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	CHECK_OK(close(event));
	load_self(fd);
	CHECK_ERRNO(open_event(0), EBUSY);
	unload(fd);
	CHECK_OK(open_event(0));
}
