// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the bound on the time that interrupts may take of a CPU.
 */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/string.h>
#include "../cpu.h"
#include "../set_switch.h"
#include "../throttle.h"
#include "pin.h"

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

/*
 * The time that was spent is paid for after @ms at the latest. They have passed when all times are
 * earlier by them: to wait would take as long at each boot.
 */
static void pay(struct kunit *test, unsigned int ms)
{
	u64 passed = ms * (u64)NSEC_PER_MSEC, until = throttled_until();

	this_cpu_ptr(&pfm_budgets)->window -= passed;
	if (until)
		__this_cpu_write(pfm_cpu.throttled_until, max_t(s64, until - passed, 1));
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

/* A time that is not measured as long as half of the window's share is there. */
static u64 unmeasured_time(u64 from)
{
	while (!hash_64(from, PFM_MEASURED_BITS))
		from--;
	return from;
}

/* Begin a window of which nothing is spent, with short interrupts. Returns its time. */
static u64 new_window(struct pfm_budget *b)
{
	b->window = unmeasured_time(local_clock());
	b->spent = 0;
	b->interrupts = 0;
	b->usual = 1;
	return b->window;
}

/* Of interrupts with @now as their time: how many there are until the CPU is throttled. */
static unsigned int charges(struct pfm_budget *b, u64 now)
{
	unsigned int n = 0;

	__this_cpu_write(pfm_cpu.throttled_until, 0);
	do {
		pfm_throttle_charge(now);
	} while (++n < 100 && !throttled_until());
	return n;
}

/* perfmon.7 has the defaults. */
static void the_limits_are_those_that_are_documented(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pfm_interrupt_rate_max, 100000U);
	KUNIT_EXPECT_EQ(test, pfm_cpu_time_max_percent, 25U);
	KUNIT_EXPECT_EQ(test, pfm_timeout_min_ns, 100000U);
	/* In ns of a window of 10 ms */
	KUNIT_EXPECT_EQ(test, pfm_budget_time(), 2500000ULL);
}

static void a_window_has_its_share_of_the_rate(struct kunit *test)
{
	unsigned int rate = pfm_interrupt_rate_max, percent = pfm_cpu_time_max_percent;
	struct pfm_budget *b;
	u64 now;

	local_irq_disable();
	b = this_cpu_ptr(&pfm_budgets);
	WRITE_ONCE(pfm_interrupt_rate_max, 1000);
	WRITE_ONCE(pfm_cpu_time_max_percent, 100);
	now = new_window(b);
	KUNIT_EXPECT_EQ(test, charges(b, now), 11U);
	/* To the end of this window, whatever was spent: all of the time may be. */
	KUNIT_EXPECT_EQ(test, throttled_until(), now + WINDOW);
	b->spent = 5 * WINDOW;
	KUNIT_EXPECT_EQ(test, charges(b, now + 1), 1U);
	KUNIT_EXPECT_EQ(test, throttled_until(), now + WINDOW);
	/* The next window begins just then, with as many interrupts. */
	b->spent = 0;
	KUNIT_EXPECT_EQ(test, charges(b, now + WINDOW), 11U);
	KUNIT_EXPECT_EQ(test, throttled_until(), now + 2 * WINDOW);
	/* With another bound of the time, too, if that is not what is exceeded. */
	WRITE_ONCE(pfm_cpu_time_max_percent, 99);
	now = new_window(b);
	b->interrupts = 10;
	KUNIT_EXPECT_EQ(test, charges(b, now), 1U);
	KUNIT_EXPECT_EQ(test, throttled_until(), now + WINDOW);
	/* Nothing is a bound any more. */
	WRITE_ONCE(pfm_interrupt_rate_max, 1000000);
	WRITE_ONCE(pfm_cpu_time_max_percent, 100);
	now = new_window(b);
	b->spent = 5 * WINDOW;
	KUNIT_EXPECT_EQ(test, charges(b, now), 100U);
	KUNIT_EXPECT_EQ(test, throttled_until(), 0ULL);
	WRITE_ONCE(pfm_interrupt_rate_max, rate);
	WRITE_ONCE(pfm_cpu_time_max_percent, percent);
	memset(b, 0, sizeof(*b));
	local_irq_enable();
}

static void an_interrupt_is_measured_once_half_of_the_time_is_spent(struct kunit *test)
{
	struct pfm_budget *b;
	u64 now, least;

	local_irq_disable();
	b = this_cpu_ptr(&pfm_budgets);
	now = unmeasured_time(new_window(b) - NSEC_PER_MSEC);
	b->window = now;
	b->usual = 1;
	b->spent = pfm_budget_time() / 2 - 1;
	pfm_throttle_charge(now);
	KUNIT_EXPECT_EQ(test, b->usual, 1ULL);
	b->spent = pfm_budget_time() / 2 + 1;
	pfm_throttle_charge(now);
	KUNIT_EXPECT_GE(test, b->usual, (u64)NSEC_PER_MSEC);
	/* A quarter more, and half of a microsecond: what nothing can measure. */
	least = local_clock() - now;
	pfm_budget_measure(b, now);
	KUNIT_EXPECT_GE(test, b->usual, least + least / 4 + 500);
	__this_cpu_write(pfm_cpu.throttled_until, 0);
	memset(b, 0, sizeof(*b));
	local_irq_enable();
}

/* Its timer has become another CPU's, and ends nothing there. */
static void a_cpu_that_was_offline_is_not_throttled(struct kunit *test)
{
	unsigned int cpu = cpumask_last(cpu_online_mask);

	if (!cpu)
		kunit_skip(test, "needs 2 CPUs, there is 1; tools/vm/run --smp 2");
	if (!IS_ENABLED(CONFIG_HOTPLUG_CPU))
		kunit_skip(test, "this kernel has no CPU hotplug");
	KUNIT_ASSERT_EQ(test, remove_cpu(cpu), 0);
	WRITE_ONCE(per_cpu(pfm_cpu.throttled_until, cpu), U64_MAX);
	KUNIT_EXPECT_EQ(test, add_cpu(cpu), 0);
	KUNIT_EXPECT_EQ(test, READ_ONCE(per_cpu(pfm_cpu.throttled_until, cpu)), 0ULL);
	WRITE_ONCE(per_cpu(pfm_cpu.throttled_until, cpu), 0);
}

/* No context is there, and no command. */
static void a_throttle_ends_by_itself(struct kunit *test)
{
	unsigned int i;

	pfm_test_pin(true);
	local_irq_disable();
	while (!throttled_until())
		spend(4);
	local_irq_enable();
	for (i = 0; i < 1000 && throttled_until(); i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, throttled_until(), 0ULL);
	/* As after an NMI, which could not arm the timer. */
	local_irq_disable();
	memset(this_cpu_ptr(&pfm_budgets), 0, sizeof(struct pfm_budget));
	__this_cpu_write(pfm_cpu.throttled_until, local_clock() + WINDOW);
	pfm_throttle_check(local_clock());
	local_irq_enable();
	for (i = 0; i < 1000 && throttled_until(); i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, throttled_until(), 0ULL);
	__this_cpu_write(pfm_cpu.throttled_until, 0);
	pfm_test_pin(false);
}

static struct kunit_case throttle_cases[] = {
	KUNIT_CASE(a_cpu_is_throttled_until_all_is_paid),
	KUNIT_CASE(a_time_without_end_is_paid_in_a_hundred_windows),
	KUNIT_CASE(the_limits_are_those_that_are_documented),
	KUNIT_CASE(a_window_has_its_share_of_the_rate),
	KUNIT_CASE(an_interrupt_is_measured_once_half_of_the_time_is_spent),
	KUNIT_CASE(a_cpu_that_was_offline_is_not_throttled),
	KUNIT_CASE(a_throttle_ends_by_itself),
	KUNIT_CASE(a_command_waits_for_a_throttled_cpu_whatever_its_clock_says),
	{ }
};

static struct kunit_suite throttle_suite = {
	.name = "perfmon_throttle",
	.test_cases = throttle_cases,
};

kunit_test_suite(throttle_suite);
