// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the bound on the time that interrupts take of a CPU.
 *
 * The time of the PMU's interrupts, cross calls and timed set switches on a CPU is added up,
 * whichever contexts they are for. Above the bound, of the time or of the number in a
 * window, the CPU is throttled until the end of as many windows as can hold that time: the
 * excess is not forgotten at a window's end.
 *
 * Once half of the time is spent, the clock is read at the end of each interrupt. Before that,
 * only one of several is measured, and stands for the next ones: reading the clock is a good
 * part of an interrupt. The choice is random, so no program can influence it.
 *
 * On a throttled CPU counters are armed as far from their overflow as the hardware allows:
 * they go on counting, and nothing interrupts. Whenever the counters are brought up to
 * date, at the latest after the throttle's end, their values show how often they
 * have overflowed: overflow.c accounts for that. Counters that cannot count in such steps stand
 * still, and that time is accounted for. Sets are not switched, cross calls wait.
 */
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <trace/events/perfmon.h>
#include "cpu.h"
#include "throttle.h"
#include "timer.h"

/* Windows for which time beyond the bound is remembered: a virtual CPU may have stood still. */
#define PFM_WINDOWS_MAX		100

/* The shortest wait for the end of another CPU's throttle. */
#define PFM_WAIT_MIN_NS		NSEC_PER_MSEC

/*
 * An interrupt takes time before its handler reads the clock, and after that: a constant, and
 * a part of the measured time, which shows how fast this kernel is.
 */
#define PFM_UNSEEN_NS		500
#define PFM_UNSEEN_SHIFT	2

/* Interrupts a second, on a CPU; /sys/kernel/perfmon/limits. */
unsigned int pfm_interrupt_rate_max = 100000;
/* Per cent of a CPU's time, 100: there is no bound; likewise. */
unsigned int pfm_cpu_time_max_percent = 25;

DEFINE_PER_CPU(struct pfm_budget, pfm_budgets);

/**
 * pfm_budget_new_window() - Begin a new window, perhaps long after the last one.
 * @b: this CPU's
 * @now: local_clock(), at least PFM_WINDOW_NS after the window's begin
 *
 * Context: interrupts off, or NMI.
 */
void pfm_budget_new_window(struct pfm_budget *b, u64 now)
{
	u64 windows = div_u64(now - b->window, PFM_WINDOW_NS);

	b->spent -= min(b->spent, min_t(u64, windows, PFM_WINDOWS_MAX) * pfm_budget_time());
	b->interrupts = 0;
	b->window += windows * PFM_WINDOW_NS;
}

/**
 * pfm_budget_measure() - Measure an interrupt that ends now.
 * @b: this CPU's
 * @began: local_clock() when the interrupt began
 *
 * Context: interrupts off, or NMI.
 */
void pfm_budget_measure(struct pfm_budget *b, u64 began)
{
	u64 took = local_clock() - began;

	b->usual = took + (took >> PFM_UNSEEN_SHIFT) + PFM_UNSEEN_NS;
}

/**
 * pfm_throttle_begin() - Throttle this CPU.
 * @b: its budget, which is exceeded
 * @now: local_clock(), lately
 *
 * To the end of this window, or of the later one in which time is left again. Running counters
 * are not rearmed: the next interrupt finds that the CPU is throttled.
 *
 * Context: interrupts off, or NMI.
 */
void pfm_throttle_begin(struct pfm_budget *b, u64 now)
{
	u64 windows = 1, time = pfm_budget_time(), until;

	b->spent = min(b->spent, time * PFM_WINDOWS_MAX);
	if (time < PFM_WINDOW_NS)
		windows = max_t(u64, div64_u64(b->spent, time), 1);
	until = b->window + windows * PFM_WINDOW_NS;
	__this_cpu_write(pfm_cpu.throttled_until, until);
	trace_pfm_throttle_begin(until, b->spent, b->interrupts);
	pfm_timer_at(until, now);
}

/**
 * pfm_throttle_check() - End the throttle of this CPU, if it is time.
 * @now: local_clock()
 *
 * Running counters are not rearmed.
 *
 * Context: interrupts off, or NMI.
 */
void pfm_throttle_check(u64 now)
{
	u64 until = __this_cpu_read(pfm_cpu.throttled_until);
	struct pfm_budget *b = this_cpu_ptr(&pfm_budgets);

	if (!until)
		return;
	if (now < until) {
		pfm_timer_at(until, now);
		return;
	}
	pfm_budget_roll(b, now);
	if (pfm_budget_exceeded(b, pfm_budget_time())) {
		pfm_throttle_begin(b, now);
	} else {
		__this_cpu_write(pfm_cpu.throttled_until, 0);
		trace_pfm_throttle_end(until);
	}
}

/**
 * pfm_throttle_wait() - Wait before a cross call to a throttled CPU.
 * @cpu: the CPU that will be called
 *
 * Waits for one window at most; a fatal signal ends the wait. Where the throttle is over by this
 * CPU's clock, the other CPU's clock is behind, or its timer is just going off.
 *
 * Context: may sleep.
 */
void pfm_throttle_wait(int cpu)
{
	u64 until = READ_ONCE(per_cpu(pfm_cpu.throttled_until, cpu));
	ktime_t left;

	if (likely(!until))
		return;
	left = clamp_t(s64, until - local_clock(), PFM_WAIT_MIN_NS, PFM_WINDOW_NS);
	set_current_state(TASK_KILLABLE);
	schedule_hrtimeout(&left, HRTIMER_MODE_REL);
}
