/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: run a function where the registers of a context are.
 */
#ifndef _KERNEL_PERFMON_TARGET_H
#define _KERNEL_PERFMON_TARGET_H

#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include "context.h"
#include "run.h"

typedef void (*pfm_target_fn)(struct pfm_context *ctx, bool here, void *arg);
void pfm_target_call_remote(struct pfm_context *ctx, struct task_struct *task,
			    pfm_target_fn fn, void *arg);
void pfm_target_call_cpu(struct pfm_context *ctx, pfm_target_fn fn, void *arg);

/* As pfm_target_call(), for a thread, referenced, that need not be the context's yet. */
static __always_inline void pfm_target_call_task(struct pfm_context *ctx,
						 struct task_struct *task,
						 pfm_target_fn fn, void *arg)
{
	if (task == current) {
		local_irq_disable();
		fn(ctx, true, arg);
		local_irq_enable();
	} else {
		pfm_target_call_remote(ctx, task, fn, arg);
	}
}

/**
 * pfm_target_call() - Run a function where a context's registers are.
 * @ctx: the context, locked
 * @fn: called once, with interrupts off, possibly under a run-queue lock: it must be
 *	short, and neither sleep nor wake a thread; "here" is true if the context,
 *	when started, counts on this CPU
 * @arg: passed to @fn
 *
 * Context: may sleep.
 */
static __always_inline void pfm_target_call(struct pfm_context *ctx, pfm_target_fn fn, void *arg)
{
	lockdep_assert_held(&ctx->lock);
	if (ctx->task)
		pfm_target_call_task(ctx, ctx->task, fn, arg);
	else
		pfm_target_call_cpu(ctx, fn, arg);
}

typedef void (*pfm_change_fn)(struct pfm_context *ctx, void *arg);
void pfm_target_change_remote(struct pfm_context *ctx, pfm_change_fn fn, void *arg);

/**
 * pfm_target_change() - Change a context, or read it, between pfm_pause() and pfm_resume().
 * @ctx: the context, locked
 * @fn: called once as by pfm_target_call(); if the context counts, it is stopped meanwhile, and
 *	goes on as @fn leaves it
 * @arg: passed to @fn
 *
 * Context: may sleep.
 */
static __always_inline void pfm_target_change(struct pfm_context *ctx, pfm_change_fn fn, void *arg)
{
	lockdep_assert_held(&ctx->lock);
	if (ctx->task != current) {
		pfm_target_change_remote(ctx, fn, arg);
		return;
	}
	local_irq_disable();
	pfm_pause(ctx);
	fn(ctx, arg);
	pfm_resume(ctx);
	local_irq_enable();
}

#endif /* _KERNEL_PERFMON_TARGET_H */
