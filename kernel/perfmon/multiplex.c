// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the active event set, the time it has, and what follows it.
 *
 * Time runs while a context counts. The clock is stopped and read on the way
 * out and started on the way in, so a set's time is that of its monitoring, to
 * the nanosecond, whatever happens in between.
 *
 * One timer a CPU says when to look, for the throttle as well. It is armed lazily: a
 * context that leaves the CPU leaves it running, one that comes only makes it earlier. A
 * timer that finds that it is not time yet is armed again for when it will be.
 */
#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/sched/clock.h>
#include "perfmon.h"

/**
 * struct pfm_timer - A CPU's timer.
 * @timer: the timer
 * @expires: local_clock() when it will go off, not later; U64_MAX: it will not
 * @work: arms it, for NMI context; in hard interrupt context on PREEMPT_RT, too, where
 *	the context that counts cannot go away
 */
struct pfm_timer {
	struct hrtimer		timer;
	u64			expires;
	struct irq_work		work;
};

static DEFINE_PER_CPU(struct pfm_timer, pfm_timers);

/* Shortest time for a set, ns; /sys/kernel/perfmon/limits. */
unsigned int pfm_timeout_min_ns = 100 * NSEC_PER_USEC;

/**
 * pfm_timeout_effective() - The time that a set gets for what was asked.
 * @ns: asked for, not 0
 *
 * Return: @ns, raised to the minimum, rounded up to the timer's resolution; not
 * less than @ns.
 */
u64 pfm_timeout_effective(u64 ns)
{
	u64 rounded;

	ns = max_t(u64, ns, READ_ONCE(pfm_timeout_min_ns));
	rounded = DIV64_U64_ROUND_UP(ns, hrtimer_resolution) * hrtimer_resolution;
	return max(ns, rounded);
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
 * @after_notify: counters of the new set that were not reset yet get their long
 *	values, else their short ones
 *
 * Context: on the target.
 */
void pfm_set_switch(struct pfm_context *ctx, bool after_notify)
{
	pfm_set_activate(ctx, ctx->set->next);
	pfm_reset_overdue(ctx->set, after_notify);
}

/**
 * pfm_clock_in() - Time begins to run.
 * @ctx: the context
 * @now: local_clock()
 */
void pfm_clock_in(struct pfm_context *ctx, u64 now)
{
	ctx->since = now;
}

/**
 * pfm_clock_out() - Account the time since pfm_clock_in() to the active set.
 * @ctx: the context
 * @now: local_clock()
 *
 * While a thread runs that the set excludes, its timeout runs, but it is not
 * monitored with.
 */
void pfm_clock_out(struct pfm_context *ctx, u64 now)
{
	struct pfm_event_set *set = ctx->set;
	u64 elapsed = now > ctx->since ? now - ctx->since : 0;

	if (!ctx->excluded)
		set->active += elapsed;
	if (set->flags & PFM_SETFL_TIME_SWITCH)
		set->left -= min(set->left, elapsed);
}

/**
 * pfm_timer_at() - Have this CPU's timer go off at a time, or before.
 * @end: local_clock() then
 * @now: local_clock(), lately
 *
 * Context: interrupts off, or NMI.
 */
void pfm_timer_at(u64 end, u64 now)
{
	struct pfm_timer *t = this_cpu_ptr(&pfm_timers);

	if (READ_ONCE(t->expires) <= end)
		return;
	if (in_nmi()) {
		irq_work_queue(&t->work);
		return;
	}
	WRITE_ONCE(t->expires, end);
	hrtimer_start(&t->timer, ns_to_ktime(end > now ? end - now : 0),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * pfm_timer_arm() - See to it that the active set's end is noticed.
 * @ctx: the context, after pfm_clock_in()
 *
 * Context: interrupts off, or NMI.
 */
void pfm_timer_arm(struct pfm_context *ctx)
{
	struct pfm_event_set *set = ctx->set;
	u64 end;

	if (!(set->flags & PFM_SETFL_TIME_SWITCH))
		return;
	end = ctx->since + set->left;
	/* A switch that comes too early waits. */
	if (pfm_throttled())
		end = max(end, __this_cpu_read(pfm_cpu.coarse_until));
	pfm_timer_at(end, ctx->since);
}

/**
 * pfm_timer_forget() - Nothing has been armed on a CPU.
 * @cpu: the CPU
 *
 * While it was offline, its timer was another CPU's, perhaps is still to expire there,
 * and would be taken for one that is going to look in time.
 *
 * Context: may sleep; the CPU comes online.
 */
void pfm_timer_forget(unsigned int cpu)
{
	struct pfm_timer *t = per_cpu_ptr(&pfm_timers, cpu);

	hrtimer_cancel(&t->timer);
	WRITE_ONCE(t->expires, U64_MAX);
}

/* Whose time runs on this CPU? */
static struct pfm_context *pfm_timer_owner(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpu);
	struct pfm_context *ctx = READ_ONCE(cpu->ctx);

	if (ctx)
		return ctx;
	ctx = READ_ONCE(cpu->system_ctx);
	return ctx && ctx->excluded ? ctx : NULL;
}

static enum hrtimer_restart pfm_timer_fn(struct hrtimer *timer)
{
	struct pfm_timer *t = container_of(timer, struct pfm_timer, timer);
	struct pfm_context *ctx;
	u64 now = local_clock();

	WRITE_ONCE(t->expires, U64_MAX);
	/* A timer of a CPU that went offline ends its life elsewhere. */
	if (t != this_cpu_ptr(&pfm_timers))
		return HRTIMER_NORESTART;
	pfm_throttle_check(now);
	ctx = pfm_timer_owner();
	if (ctx) {
		pfm_timer_expired(ctx);
		pfm_throttle_charge(now);
	}
	return HRTIMER_NORESTART;
}

static void pfm_timer_work(struct irq_work *work)
{
	struct pfm_context *ctx = pfm_timer_owner();

	if (ctx)
		pfm_timer_arm(ctx);
	pfm_throttle_check(local_clock());
}

static int __init pfm_timers_init(void)
{
	struct pfm_timer *t;
	int cpu;

	for_each_possible_cpu(cpu) {
		t = per_cpu_ptr(&pfm_timers, cpu);
		hrtimer_init(&t->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		t->timer.function = pfm_timer_fn;
		t->expires = U64_MAX;
		t->work = IRQ_WORK_INIT_HARD(pfm_timer_work);
	}
	return 0;
}
core_initcall(pfm_timers_init);
