// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the active event set, its time, and its successor.
 *
 * Time runs while a context counts. The clock is stopped and read on the way
 * out and started on the way in, so a set's time is that of its monitoring, to
 * the nanosecond, whatever happens in between.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/sched/clock.h>
#include <trace/events/perfmon.h>
#include "context.h"
#include "cpu.h"
#include "event_set.h"
#include "reset.h"
#include "set_switch.h"
#include "stats.h"
#include "timer.h"

/* Shortest time for a set, ns; /sys/kernel/perfmon/limits. */
unsigned int pfm_timeout_min_ns = 100 * NSEC_PER_USEC;

/**
 * pfm_timeout_rounded() - Round a time up to a multiple of a resolution.
 * @ns: the time
 * @resolution: ns, not 0
 *
 * Return: the multiple; @ns, if there is none in 64 bits.
 */
u64 pfm_timeout_rounded(u64 ns, u64 resolution)
{
	return max(ns, DIV64_U64_ROUND_UP(ns, resolution) * resolution);
}

/**
 * pfm_timeout_effective() - The timeout that a set gets for a requested one.
 * @ns: requested, not 0
 *
 * Return: @ns, raised to the minimum, rounded up to the timer's resolution; not
 * less than @ns.
 */
u64 pfm_timeout_effective(u64 ns)
{
	return pfm_timeout_rounded(max_t(u64, ns, READ_ONCE(pfm_timeout_min_ns)),
				   hrtimer_resolution);
}

/**
 * pfm_set_activate() - Make a set the active one.
 * @ctx: the context; not counting
 * @set: the set
 *
 * Its time and its thresholds start anew.
 *
 * Context: on the target.
 */
void pfm_set_activate(struct pfm_context *ctx, struct pfm_event_set *set)
{
	struct pfm_pmd *pmd;
	unsigned int i;

	pfm_for_each_bit(i, set->trigger_pmds) {
		pmd = pfm_pmd_of(set, i);
		pmd->ovflsw_left = pmd->ovflsw_thres;
	}
	set->left = set->timeout;
	set->runs++;
	WRITE_ONCE(ctx->set, set);
}

/**
 * pfm_set_switch() - Go on with the set that follows the active one.
 * @ctx: the context; not counting
 * @cause: why
 *
 * Counters of the new set that were not reset yet get their long values after
 * PFM_RESTART, else their short ones.
 *
 * Context: on the target.
 */
void pfm_set_switch(struct pfm_context *ctx, enum pfm_switch_cause cause)
{
	if (cause == PFM_SWITCH_TIME)
		pfm_stat_inc(switches_time);
	else
		pfm_stat_inc(switches_overflow);
	trace_pfm_set_switch(ctx, ctx->set->next, cause);
	pfm_set_activate(ctx, ctx->set->next);
	pfm_reset_overdue(ctx->set, cause == PFM_SWITCH_RESTART);
}

/**
 * pfm_clock_out() - Account the time since pfm_clock_in() to the active set.
 * @ctx: the context
 * @now: local_clock()
 *
 * While a thread runs that the set excludes, the set's timeout runs, but not its monitoring
 * time.
 */
void pfm_clock_out(struct pfm_context *ctx, u64 now)
{
	struct pfm_event_set *set = ctx->set;
	u64 elapsed = now - min(now, ctx->since);

	if (ctx->mode != PFM_EXCLUDED)
		set->active += elapsed;
	/* 0 in a set without a timeout. */
	set->left -= min(set->left, elapsed);
}

/**
 * __pfm_timer_arm() - pfm_timer_arm() for a set that has a timeout.
 * @ctx: the context
 */
void __pfm_timer_arm(struct pfm_context *ctx)
{
	u64 end = ctx->since + ctx->set->left;

	/* On a throttled CPU the switch waits for the end of the throttle. */
	if (pfm_throttled())
		end = max(end, __this_cpu_read(pfm_cpu.throttled_until));
	pfm_timer_at(end, ctx->since);
}
