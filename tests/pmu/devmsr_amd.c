// SPDX-License-Identifier: GPL-2.0
/*
 * devmsr_amd - AMD's registers of the emulated PMU: the values that they take, keep and refuse.
 *
 * By /dev/cpu/0/msr, where a #GP is an EIO. CPUID shows the registers that the model must have.
 */
#include "../msr.h"

#include <cpuid.h>
#include <sched.h>

#define PERF_CTL_OLD		0xc0010000
#define PERF_CTR_OLD		0xc0010004
#define PERF_CTL_CORE		0xc0010200
#define PERF_CTR_CORE		0xc0010201
#define GLOBAL_STATUS		0xc0000300
#define GLOBAL_CTL		0xc0000301
#define GLOBAL_STATUS_CLR	0xc0000302
#define GLOBAL_STATUS_SET	0xc0000303

#define IBS_FETCH_CTL		0xc0011030
#define IBS_FETCH_LINADDR	0xc0011031
#define IBS_OP_CTL		0xc0011033
#define IBS_OP_RIP		0xc0011034
#define IBS_CTL			0xc001103a
#define IBS_BR_TARGET		0xc001103b
#define IBS_LAST		0xc001103d

#define USR			(1ull << 16)
#define EDGE			(1ull << 18)
#define EN			(1ull << 22)
#define INSTRUCTIONS		0xc0

/* A counter that perf does not use while it counts nothing, on any model. */
#define SPARE			3

static int msr = -1;
static unsigned int family;
static bool core_ext, global, ibs;

static void find_features(void)
{
	unsigned int eax, ebx, ecx, edx;

	CHECK(__get_cpuid(1, &eax, &ebx, &ecx, &edx));
	family = eax >> 8 & 0xf;
	if (family == 0xf)
		family += eax >> 20 & 0xff;
	CHECK(__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx));
	core_ext = ecx >> 23 & 1;
	ibs = ecx >> 10 & 1;
	CHECK_EQ(ibs, family >= 0x17);
	if (ibs) {
		CHECK(ecx >> 3 & 1);
		CHECK(__get_cpuid(0x8000001b, &eax, &ebx, &ecx, &edx));
		CHECK_EQ(eax, 0xff);
	}
	global = __get_cpuid(0x80000022, &eax, &ebx, &ecx, &edx) && (eax & 1);
	if (global)
		CHECK_EQ(ebx & 0xf, 6);
}

static void begin(void)
{
	cpu_set_t first;

	allow_msr_writes();
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	CHECK_OK(sched_setaffinity(0, sizeof(first), &first));
	msr = open_msrs(0, O_RDWR);
	find_features();
	/* perfmon, and perf, let no counter count here while they have none. */
	if (global)
		wrmsr(msr, GLOBAL_CTL, rdmsr(msr, GLOBAL_CTL) | 1ull << SPARE);
}

static uint32_t ctl(unsigned int i)
{
	return core_ext ? PERF_CTL_CORE + 2 * i : PERF_CTL_OLD + i;
}

static uint32_t ctr(unsigned int i)
{
	return core_ext ? PERF_CTR_CORE + 2 * i : PERF_CTR_OLD + i;
}

TEST(there_are_the_registers_that_cpuid_says)
{
	unsigned int i;

	begin();
	for (i = 0; i < 4; i++) {
		rdmsr(msr, PERF_CTL_OLD + i);
		rdmsr(msr, PERF_CTR_OLD + i);
	}
	for (i = 0; i < 12; i++) {
		if (core_ext)
			rdmsr(msr, PERF_CTL_CORE + i);
		else
			check_absent(msr, PERF_CTL_CORE + i);
	}
	for (i = 0; i < 4; i++) {
		if (global)
			rdmsr(msr, GLOBAL_STATUS + i);
		else
			check_absent(msr, GLOBAL_STATUS + i);
	}
}

TEST(reserved_bits_are_refused_and_the_others_kept)
{
	uint64_t reserved;
	unsigned int bit;

	begin();
	reserved = 1ull << 21 | (family < 0x10 ? ~0ull << 32 :
				 1ull << 19 | 0xfull << 36 | ~0ull << 42);
	for (bit = 0; bit < 64; bit++) {
		if (reserved & 1ull << bit) {
			check_refused(msr, ctl(SPARE), 1ull << bit);
		} else if (bit != 22) {
			wrmsr(msr, ctl(SPARE), 1ull << bit);
			CHECK_EQ(rdmsr(msr, ctl(SPARE)), 1ull << bit);
		}
	}
	/* Refused for an event whose cycles are not known. */
	check_refused(msr, ctl(SPARE), INSTRUCTIONS | EDGE);
	wrmsr(msr, ctl(SPARE), 0);
}

TEST(counters_take_48_bits_and_ignore_the_others)
{
	begin();
	wrmsr(msr, ctr(SPARE), ~0ull);
	CHECK_EQ(rdmsr(msr, ctr(SPARE)), (1ull << 48) - 1);
	wrmsr(msr, ctr(SPARE), 1ull << 47);
	CHECK_EQ(rdmsr(msr, ctr(SPARE)), 1ull << 47);
	wrmsr(msr, ctr(SPARE), 0);
}

TEST(the_old_addresses_are_the_first_counters)
{
	begin();
	wrmsr(msr, ctl(SPARE), 0x510000);
	wrmsr(msr, ctr(SPARE), 0x123456789abc);
	CHECK_EQ(rdmsr(msr, PERF_CTL_OLD + SPARE), 0x510000);
	CHECK_EQ(rdmsr(msr, PERF_CTR_OLD + SPARE), 0x123456789abc);
	wrmsr(msr, PERF_CTL_OLD + SPARE, 0);
	wrmsr(msr, PERF_CTR_OLD + SPARE, 0);
	CHECK_EQ(rdmsr(msr, ctl(SPARE)), 0);
	CHECK_EQ(rdmsr(msr, ctr(SPARE)), 0);
}

/* User instructions of a loop and of the code around it. */
static uint64_t count_loop(uint64_t select, uint64_t n)
{
	wrmsr(msr, ctr(SPARE), 0);
	wrmsr(msr, ctl(SPARE), select);
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r" (n) : : "cc");
	wrmsr(msr, ctl(SPARE), 0);
	return rdmsr(msr, ctr(SPARE));
}

/* With either bit a counter does not count on a processor whose SVM is off. */
TEST(guest_only_and_host_only_count_nothing_without_svm)
{
	const uint64_t select = INSTRUCTIONS | USR | EN;

	begin();
	if (family < 0x10)
		SKIP("this PMU has no bits of guests");
	CHECK_EQ(count_loop(select | 1ull << 40, 1000), 0);
	CHECK_EQ(count_loop(select | 1ull << 41, 1000), 0);
	CHECK_GE(count_loop(select, 1000), 2000);
}

TEST(a_loop_counts_exactly)
{
	const uint64_t select = INSTRUCTIONS | USR | EN;
	uint64_t base;

	begin();
	count_loop(select, 1);
	base = count_loop(select, 1);
	CHECK_EQ(count_loop(select, 10001), base + 20000);
	/* The event's upper bits are part of it. */
	if (family >= 0x10)
		CHECK_EQ(count_loop(select | 1ull << 32, 1000), 0);
}

TEST(the_global_registers_stop_and_show_all_counters)
{
	const uint64_t select = INSTRUCTIONS | USR | EN, bit = 1ull << SPARE;
	uint64_t on;

	begin();
	if (!global)
		SKIP("this PMU has no global registers");
	on = rdmsr(msr, GLOBAL_CTL);
	wrmsr(msr, GLOBAL_CTL, on & ~bit);
	CHECK_EQ(count_loop(select, 1000), 0);
	wrmsr(msr, GLOBAL_CTL, on | bit);
	CHECK_GE(count_loop(select, 1000), 2000);

	CHECK_EQ(rdmsr(msr, GLOBAL_STATUS) & bit, 0);
	wrmsr(msr, ctr(SPARE), (1ull << 48) - 1);
	wrmsr(msr, ctl(SPARE), select);
	wrmsr(msr, ctl(SPARE), 0);
	CHECK_EQ(rdmsr(msr, GLOBAL_STATUS) & bit, bit);
	wrmsr(msr, GLOBAL_STATUS_CLR, bit);
	CHECK_EQ(rdmsr(msr, GLOBAL_STATUS) & bit, 0);
	wrmsr(msr, GLOBAL_STATUS_SET, bit);
	CHECK_EQ(rdmsr(msr, GLOBAL_STATUS) & bit, bit);
	wrmsr(msr, GLOBAL_STATUS_CLR, bit);
	wrmsr(msr, GLOBAL_CTL, on);
}

TEST(the_global_registers_refuse_what_is_not_there)
{
	begin();
	if (!global)
		SKIP("this PMU has no global registers");
	check_refused(msr, GLOBAL_STATUS, 0);
	check_refused(msr, GLOBAL_CTL, 1ull << 6);
	check_refused(msr, GLOBAL_STATUS_CLR, 1ull << 6);
	check_refused(msr, GLOBAL_STATUS_SET, 1ull << 63);
}

static void check_bits(uint32_t number, uint64_t reserved)
{
	unsigned int bit;

	for (bit = 0; bit < 64; bit++) {
		if (reserved & 1ull << bit) {
			check_refused(msr, number, 1ull << bit);
		} else {
			wrmsr(msr, number, 1ull << bit);
			CHECK_EQ(rdmsr(msr, number), 1ull << bit);
		}
	}
	wrmsr(msr, number, 0);
}

/* A period of 0, so that the enable bit starts no sampling. */
TEST(the_ibs_registers_take_what_is_there)
{
	uint32_t number;

	begin();
	for (number = IBS_FETCH_CTL; !ibs && number <= IBS_LAST; number++)
		check_absent(msr, number);
	if (!ibs)
		return;
	check_bits(IBS_FETCH_CTL, ~0ull << 58);
	check_bits(IBS_OP_CTL, 1ull << 16 | 0x1full << 27 | ~0ull << 59);
	for (number = IBS_OP_RIP; number < IBS_CTL; number++)
		check_bits(number, 0);
	check_bits(IBS_FETCH_LINADDR, 0);
	check_bits(IBS_BR_TARGET, 0);
	/* The offset of the APIC's first extended entry, if it has one. */
	CHECK_EQ(rdmsr(msr, IBS_CTL), 0x100);
	check_refused(msr, IBS_CTL, 0x100);
	check_absent(msr, IBS_BR_TARGET + 1);
	check_absent(msr, IBS_LAST);
}
