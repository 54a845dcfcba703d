// SPDX-License-Identifier: GPL-2.0
/*
 * suspend_guest - count a loop on each CPU, before and after suspend to RAM.
 *
 * For suspend.sh, in a guest of its own: its root, which is the host's over 9p, does not survive
 * the suspend. So this program is static, locked into memory, writes to /dev/kmsg, and ends the
 * guest itself: by a reset, for the guest cannot power off after a suspend.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

static int log_fd;

static void say(const char *format, long a, long b, long c)
{
	char text[128];
	int length = snprintf(text, sizeof(text), format, a, b, c);

	if (write(log_fd, text, length) != length)
		exit(1);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		say("suspend: cannot write to a file of sysfs\n", 0, 0, 0);
		exit(1);
	}
	close(fd);
}

static int open_event(unsigned long event)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr), .config = event,
		.exclude_kernel = 1, .disabled = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void count_on(long cpu)
{
	int instructions = open_event(PERF_COUNT_HW_INSTRUCTIONS);
	int branches = open_event(PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	long counts[2] = { -1, -1 };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	ioctl(branches, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(instructions, PERF_EVENT_IOC_ENABLE, 0);
	asm volatile("mov $1000000, %%ecx; 1: dec %%ecx; jnz 1b" : : : "rcx", "cc");
	ioctl(instructions, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(branches, PERF_EVENT_IOC_DISABLE, 0);
	if (read(instructions, &counts[0], 8) != 8 || read(branches, &counts[1], 8) != 8)
		say("suspend: the counters cannot be read\n", 0, 0, 0);
	say("suspend: cpu %ld: %ld instructions, %ld branches\n", cpu, counts[0], counts[1]);
	close(instructions);
	close(branches);
}

static void count(void)
{
	long cpu, cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (cpu = 0; cpu < cpus; cpu++)
		count_on(cpu);
}

int main(void)
{
	log_fd = open("/dev/kmsg", O_WRONLY);
	if (log_fd < 0 || mlockall(MCL_CURRENT | MCL_FUTURE))
		return 1;
	count();
	put("/sys/class/rtc/rtc0/wakealarm", "+2");
	put("/sys/power/state", "mem");
	say("suspend: resumed\n", 0, 0, 0);
	count();
	reboot(RB_AUTOBOOT);
	return 1;
}
