/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: ownership of the PMU of a CPU.
 */
#ifndef _KERNEL_PERFMON_CPU_H
#define _KERNEL_PERFMON_CPU_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include "context.h"
#include "event_set.h"
#include "pmu.h"
#include "stats.h"

struct pfm_cpu {
	struct pfm_context	*ctx;		/* counting here, now */
	u64			activation;	/* full loadings so far */
	u64			epoch;		/* pfm_cpu_epoch when initialised */
	u64			last_stamp;	/* last time stamp given out */
	u64			throttled_until; /* local_clock() at the throttle's end; 0: none */
	unsigned long		wrapped;	/* jiffies at a counter's last wrap */
	bool			running;	/* values may be in hardware only */
	struct pfm_context	*parked;	/* to count here again when the CPU is back */
	struct pfm_context	*system_ctx;	/* system-wide context bound here */
};

DECLARE_PER_CPU(struct pfm_cpu, pfm_cpu);

/* The PMU is perfmon's; written under pfm_sessions.lock. */
extern bool pfm_pmu_held;
int pfm_pmu_take(void);
void pfm_pmu_let_go(void);

void pfm_cpu_in(struct pfm_context *ctx);
void pfm_cpu_load_pmds(struct pfm_context *ctx, u64 which);
u64 pfm_cpu_out(struct pfm_context *ctx);
void pfm_cpu_new_epoch(void);
void pfm_cpu_quiesce(void *unused);

/* True if counters are armed not to interrupt. Context: on the CPU, interrupts off. */
static inline bool pfm_throttled(void)
{
	return unlikely(__this_cpu_read(pfm_cpu.throttled_until));
}

/* The steps of counting, inline for the PMU interrupt. */

static __always_inline u64 pfm_cpu_arm(const struct pfm_pmd *pmd, bool interrupting)
{
	if (!pmd->mask)
		return pmd->value;
	/* Far from its overflow, but a wrap is still noticed: see pfm_counter_arm(). */
	return likely(interrupting) ? pfm_counter_arm(pmd->mask, pmd->top, pmd->value) : pmd->top;
}

static __always_inline void pfm_cpu_start(struct pfm_cpu *cpu, struct pfm_context *ctx,
					  struct pfm_event_set *set)
{
	WRITE_ONCE(cpu->running, true);
	WRITE_ONCE(cpu->ctx, ctx);
	for (;;) {
		pfm_pmu_op(start)(&set->regs);
		/*
		 * A late interrupt may have hit since, have resumed counting itself, and have
		 * handled an overflow that stops the context or changes sets.
		 */
		if (likely(READ_ONCE(cpu->ctx) == ctx && READ_ONCE(ctx->set) == set))
			break;
		pfm_pmu_op(stop)(&set->regs);
		if (!READ_ONCE(cpu->ctx))
			break;
		set = READ_ONCE(ctx->set);
	}
}

/**
 * pfm_cpu_again() - pfm_cpu_in() right after pfm_cpu_out(), if only PMDs have changed.
 * @ctx: the context, with the same active set; neither it nor the CPU is throttled
 * @i: index of a counter that has changed
 * @pmd: this counter
 *
 * Context: NMI that interrupted @ctx. pfm_cpu.ctx is NULL.
 */
static __always_inline void pfm_cpu_again(struct pfm_context *ctx, unsigned int i,
					  struct pfm_pmd *pmd)
{
	struct pfm_event_set *set = ctx->set;
	u64 others = set->dirty_pmds & ~BIT_ULL(i);

	pfm_stat_inc(activations_lazy);
	pmd->hw = pfm_cpu_arm(pmd, true);
	pfm_pmu_op(write_pmd)(i, pmd->hw);
	set->dirty_pmds = 0;
	if (unlikely(others))
		pfm_cpu_load_pmds(ctx, others);
	pfm_cpu_start(this_cpu_ptr(&pfm_cpu), ctx, set);
}

/*
 * The hardware counter has wrapped and is at @hw, or the 64-bit one has overflowed without a
 * wrap, because it was armed to count on. Returns true if the 64-bit counter overflowed.
 */
static __always_inline bool pfm_cpu_wrapped(struct pfm_event_set *set, unsigned int i,
					    struct pfm_pmd *pmd, u64 old, u64 hw)
{
	bool overflowed = pmd->value < old;

	__this_cpu_write(pfm_cpu.wrapped, jiffies);
	if (overflowed && (set->narrow_pmds & BIT_ULL(i)))
		pmd->value |= ~pmd->mask;
	/* Load again: a reset follows the overflow, or the next step does not begin at @hw. */
	if (overflowed || pfm_counter_arm(pmd->mask, pmd->top, pmd->value) != hw)
		set->dirty_pmds |= BIT_ULL(i);
	return overflowed;
}

/* Bring a PMD up to date; true when it overflowed. */
static __always_inline bool pfm_cpu_count(struct pfm_event_set *set, unsigned int i)
{
	struct pfm_pmd *pmd = pfm_pmd_of(set, i);
	u64 hw = pfm_pmu_op(read_pmd)(i);
	u64 old = pmd->value;
	bool wrapped = hw < pmd->hw;

	if (!pmd->mask) {
		pmd->value = hw;
		return false;
	}
	pmd->value = old + pfm_counter_delta(pmd, hw);
	pmd->hw = hw;
	return (wrapped || pmd->value < old) && pfm_cpu_wrapped(set, i, pmd, old, hw);
}

/* As pfm_cpu_out(). */
static __always_inline u64 pfm_cpu_count_out(struct pfm_context *ctx)
{
	struct pfm_event_set *set;
	u64 overflowed = 0;
	unsigned int i;

	this_cpu_write(pfm_cpu.ctx, NULL);
	/* Read after the pointer is cleared: until then the interrupt may switch sets. */
	set = READ_ONCE(ctx->set);
	pfm_pmu_op(stop)(&set->regs);
	pfm_for_each_bit(i, set->regs.live_pmds) {
		if (pfm_cpu_count(set, i))
			overflowed |= BIT_ULL(i);
	}
	this_cpu_write(pfm_cpu.running, false);
	ctx->seq++;
	return overflowed;
}

#endif /* _KERNEL_PERFMON_CPU_H */
