// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the only access to a context that counts.
 *
 * A counting context is read or changed only between pfm_pause(), which brings all values
 * into software, and pfm_resume(). The context switch, the timer, the PMU interrupt
 * and every command come this way.
 *
 * Usually the PMU interrupt reports an overflow. When a counter
 * overflows just before it is stopped for another reason, the interrupt comes
 * too late; then the pause finds the overflow in the counter's value and has it handled in
 * the same way. So none is lost, and none counts twice.
 */
#include <linux/init.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/perfmon_host.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include "context.h"
#include "cpu.h"
#include "overflow.h"
#include "rules.h"
#include "run.h"
#include "set_switch.h"
#include "throttle.h"
#include "timer.h"

/*
 * True if contexts are suspended, indexed by ctx->share. PFM_YIELDS is written under
 * pfm_sessions.lock, which is enough to read it. When the kernel ends, PFM_KEEPS is set, too.
 * A context of PFM_IDLE never counts.
 */
bool pfm_suspended[] = { [PFM_KEEPS] = false, [PFM_YIELDS] = false, [PFM_IDLE] = true };

/**
 * pfm_excludes() - Does the active set leave out a thread?
 * @ctx: the context
 * @task: a thread that runs, or is about to, on its CPU
 *
 * Context: on the target, interrupts off, or NMI.
 */
bool pfm_excludes(const struct pfm_context *ctx, const struct task_struct *task)
{
	u32 flags = ctx->set->flags;

	if (!pfm_is_system_wide(ctx))
		return false;
	return (((flags & PFM_SETFL_EXCL_IDLE) && is_idle_task(task)) ||
		((flags & PFM_SETFL_EXCL_KERNEL_ONLY_THREADS) && (task->flags & PF_KTHREAD))) &&
	       pfm_rules_stop_excluded(flags);
}

/* A masked context would not have counted either, had it not been suspended. */
static void pfm_blind_out(struct pfm_context *ctx, u64 now)
{
	u64 elapsed = now - min(now, ctx->since);

	if (ctx->masked)
		ctx->ledger.masked_ns += elapsed;
	else
		ctx->ledger.suspended_ns += elapsed;
}

static void pfm_count_out(struct pfm_context *ctx)
{
	u64 overflowed = pfm_cpu_out(ctx), now = local_clock();

	pfm_clock_stop(ctx, now);
	if (overflowed)
		pfm_overflow(ctx, overflowed, NULL, now);
}

/**
 * pfm_pause() - Stop a context, to read it or to change it.
 * @ctx: any context
 *
 * On return its values are in software; overflows are handled.
 *
 * Context: interrupts off, on the target, and this CPU is it.
 */
void pfm_pause(struct pfm_context *ctx)
{
	lockdep_assert_irqs_disabled();
	switch (ctx->mode) {
	case PFM_OFF:
		return;
	case PFM_COUNTING:
		pfm_count_out(ctx);
		break;
	case PFM_EXCLUDED:
		pfm_clock_out(ctx, local_clock());
		break;
	case PFM_BLIND:
		pfm_blind_out(ctx, local_clock());
		break;
	}
	ctx->mode = PFM_OFF;
}

/**
 * pfm_resume_at() - As pfm_resume(), at a known time.
 * @ctx: as there; its mode is not up to date
 * @now: local_clock(), or the time at which the clock was stopped: then the time in between
 *	counts as monitored
 *
 * Context: as there.
 */
void pfm_resume_at(struct pfm_context *ctx, u64 now)
{
	if (!pfm_may_run(ctx)) {
		bool blind = ctx->started && ctx->share != PFM_IDLE &&
			     !pfm_excludes(ctx, pfm_thread_here());

		ctx->mode = blind ? PFM_BLIND : PFM_OFF;
		ctx->since = now;
		return;
	}
	if (pfm_throttled())
		pfm_throttle_check(now);
	pfm_clock_in(ctx, now);
	if (unlikely(pfm_excludes(ctx, pfm_thread_here()))) {
		ctx->mode = PFM_EXCLUDED;
	} else {
		ctx->mode = PFM_COUNTING;
		pfm_cpu_in(ctx);
	}
	pfm_timer_arm(ctx);
}

/**
 * pfm_resume() - Go on counting with a context, if it may count.
 * @ctx: loaded context that does not count
 *
 * Context: interrupts off, on the target, and this CPU is it; or NMI.
 */
void pfm_resume(struct pfm_context *ctx)
{
	if (ctx->started)
		pfm_resume_at(ctx, local_clock());
}

/* The context whose time runs on this CPU. */
static struct pfm_context *pfm_timer_owner(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpu);
	struct pfm_context *ctx = READ_ONCE(cpu->ctx);

	if (ctx)
		return ctx;
	ctx = READ_ONCE(cpu->system_ctx);
	return ctx && ctx->mode == PFM_EXCLUDED ? ctx : NULL;
}

/* The active set's time is up, or soon will be. */
static void pfm_run_timeout(struct pfm_context *ctx)
{
	pfm_pause(ctx);
	if (!ctx->masked && (ctx->set->flags & PFM_SETFL_TIME_SWITCH) && !ctx->set->left &&
	    !pfm_throttled())
		pfm_set_switch(ctx, PFM_SWITCH_TIME);
	pfm_resume(ctx);
}

/* This CPU's timer has gone off. */
static void pfm_run_timer(u64 now)
{
	struct pfm_context *ctx;

	pfm_throttle_check(now);
	ctx = pfm_timer_owner();
	if (!ctx)
		return;
	pfm_run_timeout(ctx);
	pfm_throttle_charge(now);
}

/* The timer must be armed, which an NMI could not do. */
static void pfm_run_timer_queued(u64 now)
{
	struct pfm_context *ctx = pfm_timer_owner();

	if (ctx)
		pfm_timer_arm(ctx);
	pfm_throttle_check(now);
}

/**
 * pfm_run_init() - Get ready for timers.
 *
 * Return: 0.
 */
int __init pfm_run_init(void)
{
	pfm_timers_init(pfm_run_timer, pfm_run_timer_queued);
	return 0;
}
pfm_initcall(core, pfm_run_init);

/**
 * pfm_run_exit() - Undo pfm_run_init(); there is no context.
 */
void __exit pfm_run_exit(void)
{
	pfm_timers_exit();
}

/**
 * pfm_pmu_suspend() - Take the context off this CPU, whose PMU will lose power.
 *
 * Context: interrupts off, nothing else runs. pfm_pmu_resume() follows.
 */
void pfm_pmu_suspend(void)
{
	struct pfm_context *ctx = __this_cpu_read(pfm_cpu.ctx);

	__this_cpu_write(pfm_cpu.parked, ctx);
	if (ctx)
		pfm_pause(ctx);
}

/**
 * pfm_pmu_resume() - The PMU of this CPU was reset: carry on.
 *
 * Context: as pfm_pmu_suspend().
 */
void pfm_pmu_resume(void)
{
	struct pfm_context *ctx = __this_cpu_read(pfm_cpu.parked);

	__this_cpu_write(pfm_cpu.parked, NULL);
	__this_cpu_write(pfm_cpu.epoch, 0);
	if (ctx)
		pfm_resume(ctx);
}
