/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the bound on the time that interrupts take of a CPU; see throttle.c.
 *
 * The account of an interrupt is inline, because each sample pays it.
 */
#ifndef _KERNEL_PERFMON_THROTTLE_H
#define _KERNEL_PERFMON_THROTTLE_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include "cpu.h"

#define PFM_WINDOW_NS		(10 * NSEC_PER_MSEC)
#define PFM_WINDOWS_PER_SEC	(NSEC_PER_SEC / PFM_WINDOW_NS)

/* One interrupt in 2^3 is measured. */
#define PFM_MEASURED_BITS	3

/**
 * struct pfm_budget - Time and interrupts that a CPU has spent.
 * @window: local_clock() when the present window began
 * @spent: ns in the window, and the excess of earlier ones
 * @interrupts: number in the window
 * @usual: ns of the last interrupt that was measured
 *
 * Interrupts off. An NMI may hit between a read and a write: then its part is forgotten.
 */
struct pfm_budget {
	u64	window;
	u64	spent;
	u64	interrupts;
	u64	usual;
};

DECLARE_PER_CPU(struct pfm_budget, pfm_budgets);

extern unsigned int pfm_interrupt_rate_max;
extern unsigned int pfm_cpu_time_max_percent;
void pfm_budget_new_window(struct pfm_budget *b, u64 now);
void pfm_budget_measure(struct pfm_budget *b, u64 began);
void pfm_throttle_begin(struct pfm_budget *b, u64 now);
void pfm_throttle_check(u64 now);
void pfm_throttle_wait(int cpu);

/* ns a window */
static __always_inline u64 pfm_budget_time(void)
{
	return READ_ONCE(pfm_cpu_time_max_percent) * (PFM_WINDOW_NS / 100);
}

/* @time: pfm_budget_time() */
static __always_inline bool pfm_budget_exceeded(const struct pfm_budget *b, u64 time)
{
	return (b->spent > time && time < PFM_WINDOW_NS) ||
	       b->interrupts > READ_ONCE(pfm_interrupt_rate_max) / PFM_WINDOWS_PER_SEC;
}

/* Begin a new window if it is time. An NMI may have begun one since @now. */
static __always_inline void pfm_budget_roll(struct pfm_budget *b, u64 now)
{
	if (unlikely((s64)(now - b->window) >= (s64)PFM_WINDOW_NS))
		pfm_budget_new_window(b, now);
}

/**
 * pfm_throttle_charge() - Account for an interrupt of this CPU; throttle it if need be.
 * @began: local_clock() when it began
 *
 * Running counters are not rearmed: the next interrupt finds that the CPU is throttled.
 *
 * Context: interrupts off, or NMI.
 */
static __always_inline void pfm_throttle_charge(u64 began)
{
	struct pfm_budget *b = this_cpu_ptr(&pfm_budgets);
	u64 time = pfm_budget_time();

	pfm_budget_roll(b, began);
	/* A hash of a time in ns is as good as random. */
	if (unlikely(!hash_64(began, PFM_MEASURED_BITS) || b->spent > time / 2))
		pfm_budget_measure(b, began);
	b->spent += b->usual;
	b->interrupts++;
	if (unlikely(pfm_budget_exceeded(b, time)) && !pfm_throttled())
		pfm_throttle_begin(b, began);
}

#endif /* _KERNEL_PERFMON_THROTTLE_H */
