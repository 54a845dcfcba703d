// SPDX-License-Identifier: GPL-2.0
/*
 * The PMU's registers by /dev/cpu/N/msr, where a #GP is an EIO: the same on each CPU. The tests in
 * bare/, without a kernel, have all faults, and the values that the registers keep.
 */
#include "../msr.h"

#define MSR_DEBUGCTL		0x1d9
#define MSR_FIXED0		0x309
#define MSR_FIXED_CTRL		0x38d
#define MSR_GLOBAL_OVF_CTRL	0x390
#define MSR_A_PMC0		0x4c1

/* The last of four counters, which perf does not use while it counts nothing. */
#define SPARE			3

static void on_each_cpu(void (*check)(int fd))
{
	long cpu, cpus = sysconf(_SC_NPROCESSORS_ONLN);

	allow_msr_writes();
	for (cpu = 0; cpu < cpus; cpu++) {
		int fd = open_msrs(cpu, O_RDWR);

		check(fd);
		close(fd);
	}
}

static void unknown_counters(int fd)
{
	unsigned int i;

	for (i = 4; i < 8; i++) {
		check_absent(fd, MSR_PMC0 + i);
		check_absent(fd, MSR_EVTSEL0 + i);
	}
	check_absent(fd, MSR_FIXED0 + 3);
	for (i = 0; i < 8; i++)
		check_absent(fd, MSR_A_PMC0 + i);
}

TEST(unknown_counters_are_refused)
{
	on_each_cpu(unknown_counters);
}

static void reserved_bits(int fd)
{
	check_refused(fd, MSR_EVTSEL0 + SPARE, 1ull << 32);
	check_refused(fd, MSR_EVTSEL0 + SPARE, 1ull << 63);
	check_refused(fd, MSR_FIXED0 + 2, 1ull << 48);
	check_refused(fd, MSR_FIXED_CTRL, 0x1000);
	check_refused(fd, MSR_GLOBAL_CTRL, 0x10);
	check_refused(fd, MSR_GLOBAL_CTRL, 1ull << 35);
	check_refused(fd, MSR_GLOBAL_OVF_CTRL, 0x10);
	check_refused(fd, MSR_GLOBAL_STATUS, 0);
	check_refused(fd, MSR_DEBUGCTL, 1ull << 13);
}

TEST(reserved_bits_are_refused)
{
	on_each_cpu(reserved_bits);
}

static void sign_extension(int fd)
{
	wrmsr(fd, MSR_PMC0 + SPARE, 0x80000000);
	CHECK_EQ(rdmsr(fd, MSR_PMC0 + SPARE), 0xffff80000000);
	wrmsr(fd, MSR_PMC0 + SPARE, 0x1234567fffffff);
	CHECK_EQ(rdmsr(fd, MSR_PMC0 + SPARE), 0x7fffffff);
	wrmsr(fd, MSR_PMC0 + SPARE, 0);
}

TEST(counters_take_32_bits_and_their_sign)
{
	on_each_cpu(sign_extension);
}

static void own_registers(int fd)
{
	static uint64_t next = 0x510000;

	wrmsr(fd, MSR_EVTSEL0 + SPARE, next);
	CHECK_EQ(rdmsr(fd, MSR_EVTSEL0 + SPARE), next);
	next += 0x100;
}

static void has_own_value(int fd)
{
	static uint64_t next = 0x510000;

	CHECK_EQ(rdmsr(fd, MSR_EVTSEL0 + SPARE), next);
	wrmsr(fd, MSR_EVTSEL0 + SPARE, 0);
	next += 0x100;
}

TEST(each_cpu_has_registers_of_its_own)
{
	on_each_cpu(own_registers);
	on_each_cpu(has_own_value);
}
