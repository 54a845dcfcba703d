// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the PMU interrupt.
 *
 * A sample takes the short way: its counter alone is stopped, recorded, reset, and started again.
 * All of that is inline, because a profile consists of it. Other overflows go through overflow.c.
 */
#include <linux/bitops.h>
#include <linux/log2.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_pmu.h>
#include <linux/sched/clock.h>
#include <trace/events/perfmon.h>
#include "context.h"
#include "cpu.h"
#include "event_set.h"
#include "ledger.h"
#include "overflow.h"
#include "ovfl_arg.h"
#include "pmu.h"
#include "reset.h"
#include "run.h"
#include "stats.h"
#include "throttle.h"

/*
 * The most frequent overflow: of one counter, of which the format records a sample and wants no
 * more than the reset. Returns true for this, and the context counts again. Else the clock is
 * stopped, and all is handled.
 */
static __always_inline bool pfm_interrupt_sample(struct pfm_context *ctx, unsigned int i,
						 struct pt_regs *regs, u64 now)
{
	const struct pfm_request *request = pfm_counter_request(ctx->set, i);
	pfm_ovfl_arg_t *arg = this_cpu_ptr(&pfm_ovfl_arg);
	const pfm_ovfl_ctrl_t *ctrl = &arg->ovfl_ctrl;
	struct pfm_pmd *pmd = pfm_pmd_of(ctx->set, i);
	struct pfm_ovfl_data data;
	int err;

	pfm_ovfl_data_fill(ctx, regs, &data);
	pfm_ovfl_arg_fill(ctx, i, pmd, request, arg);
	arg->pmd_value = pmd->value;
	err = ctx->fmt->fmt_handler(ctx->buf, arg, pfm_stamp(now), &data);
	if (likely(!err && ctrl->reset_ovfl_pmds && !ctrl->notify_user && !ctrl->block_thread &&
		   !ctrl->mask_monitoring && pfm_reset_alone(ctx->set, i, pmd, request))) {
		pfm_ledger_recorded(ctx);
		ctx->set->ovfl_pmds = 0;
		pfm_cpu_again(ctx, i, pmd);
		return true;
	}
	pfm_overflow_sampled(ctx, i, err, now);
	return false;
}

/*
 * Handle the overflows, or none, with the context's clock running. Returns true if the context
 * counts again. False: the clock is stopped.
 */
static __always_inline bool pfm_interrupt_overflow(struct pfm_context *ctx, u64 overflowed,
						   struct pt_regs *regs, u64 now)
{
	const struct pfm_event_set *set = ctx->set;

	if (likely(is_power_of_2(overflowed) && ctx->fmt && !ctx->throttled && !pfm_throttled() &&
		   !(set->flags & PFM_SETFL_OVFL_SWITCH) && !set->narrow_pmds &&
		   !trace_pfm_overflow_enabled()))
		return pfm_interrupt_sample(ctx, __ffs64(overflowed), regs, now);
	pfm_clock_stop(ctx, now);
	if (overflowed)
		pfm_overflow(ctx, overflowed, regs, now);
	return false;
}

/* No context counts on this CPU. True if the interrupt is perfmon's all the same. */
static bool pfm_late_interrupt(void)
{
	bool exists = READ_ONCE(pfm_pmu_held);
	u64 now;

	if (!exists && !pfm_pmu_overflowed())
		return false;
	now = local_clock();
	if (exists)
		pfm_pmu_op(ack)();
	pfm_stat_inc(interrupts_late);
	pfm_throttle_charge(now);
	return true;
}

/**
 * pfm_pmu_interrupt() - Handle an overflow interrupt of this CPU's PMU.
 * @regs: the interrupted registers
 *
 * Adds the hardware counters up into the 64-bit ones, puts counters that count in
 * steps on their next step, and handles overflows. An interrupt that
 * arrives when no context counts any more is late: see run.c. Without
 * any session the PMU is perf_events', and its registers are left alone: an interrupt
 * is perfmon's then only for a moment, when it was on its way as the last session ended.
 *
 * Return: true if the interrupt is perfmon's.
 *
 * Context: NMI, or an interrupt with interrupts off.
 */
bool pfm_pmu_interrupt(struct pt_regs *regs)
{
	struct pfm_context *ctx = __this_cpu_read(pfm_cpu.ctx);
	u64 overflowed, now;

	if (!ctx)
		return pfm_late_interrupt();
	now = local_clock();
	pfm_stat_inc(interrupts);
	overflowed = pfm_cpu_count_out(ctx);
	pfm_pmu_op(ack)();
	/* The time of the interrupt itself counts as monitored, unless it masks. */
	if (unlikely(!pfm_interrupt_overflow(ctx, overflowed, regs, now)))
		pfm_resume_at(ctx, now);
	pfm_throttle_charge(now);
	return true;
}
