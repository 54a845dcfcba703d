// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the scheduler's hooks.
 */
#include <linux/perfmon_hooks.h>
#include <linux/perfmon_host.h>
#include <linux/sched.h>
#include "context.h"
#include "cpu.h"
#include "run.h"

/**
 * __pfm_task_sched_out() - A monitored thread leaves this CPU.
 * @prev: the thread; or any, when the context bound to this CPU excludes some
 * @next: the thread that will run instead
 *
 * Context: run-queue lock held, interrupts off.
 */
void __pfm_task_sched_out(struct task_struct *prev, struct task_struct *next)
{
	struct pfm_context *ctx = pfm_thread_context(prev);

	if (ctx)
		pfm_pause(ctx);
	if (likely(!__this_cpu_read(pfm_cpu_excludes)))
		return;
	/* Stop before the switch to an excluded thread, which must not be counted at all. */
	ctx = __this_cpu_read(pfm_cpu.system_ctx);
	if (ctx && pfm_excludes(ctx, next))
		pfm_pause(ctx);
}

/**
 * __pfm_task_sched_in() - A monitored thread arrives on this CPU.
 * @next: the thread; or any, when the context bound to this CPU excludes some
 *
 * Context: run-queue lock held, interrupts off.
 */
void __pfm_task_sched_in(struct task_struct *next)
{
	struct pfm_context *ctx;

	if (unlikely(__this_cpu_read(pfm_cpu_excludes))) {
		/* The set may exclude the previous thread and not @next, or vice versa. */
		ctx = __this_cpu_read(pfm_cpu.system_ctx);
		if (ctx) {
			pfm_pause(ctx);
			pfm_resume(ctx);
		}
	}
	/* If the CPU has a context as well, one of the two is suspended. */
	ctx = pfm_thread_context(next);
	if (ctx)
		pfm_resume(ctx);
}
