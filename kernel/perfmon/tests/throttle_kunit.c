// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the bound on the time that interrupts may take of a CPU.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include "../cpu.h"
#include "../throttle.h"

#define WINDOW		(10 * NSEC_PER_MSEC)

static u64 throttled_until(void)
{
	return __this_cpu_read(pfm_cpu.throttled_until);
}

/* An interrupt that takes @ms ms; 2.5 ms are allowed in a window. */
static void spend(unsigned int ms)
{
	pfm_throttle_charge(local_clock() - ms * NSEC_PER_MSEC);
}

/* Wait until the time that was spent is paid for, after @ms at the latest. */
static void pay(struct kunit *test, unsigned int ms)
{
	mdelay(ms);
	pfm_throttle_check(local_clock());
	KUNIT_EXPECT_EQ(test, throttled_until(), 0ULL);
}

static void a_cpu_is_throttled_until_all_is_paid(struct kunit *test)
{
	unsigned long flags;
	u64 until;

	local_irq_save(flags);
	pay(test, 100);
	while (!throttled_until())
		spend(4);
	until = throttled_until();
	KUNIT_EXPECT_GT(test, until, local_clock());
	/* Not before its time, and not while more is spent than a window allows. */
	pfm_throttle_check(until - 1);
	KUNIT_EXPECT_EQ(test, throttled_until(), until);
	spend(4);
	spend(4);
	pfm_throttle_check(until);
	KUNIT_EXPECT_GE(test, throttled_until(), until + WINDOW);
	pay(test, 100);
	/* A short interrupt shows how long interrupts take now. */
	spend(0);
	spend(0);
	pay(test, 100);
	spend(0);
	KUNIT_EXPECT_EQ(test, throttled_until(), 0ULL);
	local_irq_restore(flags);
}

static void a_time_without_end_is_paid_in_a_hundred_windows(struct kunit *test)
{
	unsigned long flags;

	local_irq_save(flags);
	pay(test, 100);
	while (!throttled_until())
		spend(60 * MSEC_PER_SEC);
	KUNIT_EXPECT_LE(test, throttled_until(), local_clock() + 100 * WINDOW);
	pay(test, 1010);
	/* Short interrupts show that others take no minute any more. */
	spend(0);
	spend(0);
	pay(test, 1010);
	spend(0);
	KUNIT_EXPECT_EQ(test, throttled_until(), 0ULL);
	local_irq_restore(flags);
}

/* How long a command waits for a CPU that is throttled until a time. */
static u64 waits(u64 until)
{
	int cpu = raw_smp_processor_id();
	u64 began = local_clock();

	per_cpu(pfm_cpu.throttled_until, cpu) = until;
	pfm_throttle_wait(cpu);
	per_cpu(pfm_cpu.throttled_until, cpu) = 0;
	return local_clock() - began;
}

static void a_command_waits_for_a_throttled_cpu_whatever_its_clock_says(struct kunit *test)
{
	u64 waited;

	KUNIT_EXPECT_GE(test, waits(local_clock() + 5 * NSEC_PER_MSEC), 5ULL * NSEC_PER_MSEC);
	waited = waits(local_clock() + 100 * NSEC_PER_SEC);
	KUNIT_EXPECT_GE(test, waited, (u64)WINDOW);
	KUNIT_EXPECT_LT(test, waited, 50ULL * NSEC_PER_SEC);
	/* Over here, and not there yet. */
	KUNIT_EXPECT_GE(test, waits(local_clock() - NSEC_PER_MSEC), (u64)NSEC_PER_MSEC);
}

static struct kunit_case throttle_cases[] = {
	KUNIT_CASE(a_cpu_is_throttled_until_all_is_paid),
	KUNIT_CASE(a_time_without_end_is_paid_in_a_hundred_windows),
	KUNIT_CASE(a_command_waits_for_a_throttled_cpu_whatever_its_clock_says),
	{ }
};

static struct kunit_suite throttle_suite = {
	.name = "perfmon_throttle",
	.test_cases = throttle_cases,
};

kunit_test_suite(throttle_suite);
