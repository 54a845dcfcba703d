// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: run a function where a context's registers are.
 *
 * A context that is loaded on a thread may be counting at this very moment on
 * another CPU. Its registers are touched either there, with interrupts off, or
 * while its thread is certain not to run, under its run-queue lock. No thread is
 * stopped for it.
 */
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/wait.h>
#include "context.h"
#include "cpu.h"
#include "target.h"
#include "throttle.h"

struct pfm_target {
	struct pfm_context	*ctx;
	struct task_struct	*task;
	pfm_target_fn		fn;
	void			*arg;
	int			cpu;
	bool			done;
};

static void pfm_target_on_cpu(void *data)
{
	struct pfm_target *t = data;

	u64 began = local_clock();

	if (!t->task || t->task == current) {
		t->fn(t->ctx, true, t->arg);
		t->done = true;
	}
	/* A call on this CPU itself takes the caller's time. */
	if (in_hardirq())
		pfm_throttle_charge(began);
}

/* Under pi_lock, and rq->lock if the task is runnable. */
static int pfm_target_fixed(struct task_struct *task, void *data)
{
	struct pfm_target *t = data;

	if (task_curr(task)) {
		t->cpu = task_cpu(task);
		return -EAGAIN;
	}
	t->fn(t->ctx, false, t->arg);
	t->done = true;
	return 0;
}

/**
 * pfm_target_call_remote() - pfm_target_call_task() for a thread that is not current.
 * @ctx: context, passed to @fn
 * @task: the thread, referenced
 * @fn: as for pfm_target_call()
 * @arg: passed to @fn
 *
 * Context: may sleep.
 */
void pfm_target_call_remote(struct pfm_context *ctx, struct task_struct *task,
			    pfm_target_fn fn, void *arg)
{
	struct pfm_target t = { .ctx = ctx, .task = task, .fn = fn, .arg = arg };

	/* The thread may move between task_call_func() and the call: then try again. */
	for (;;) {
		task_call_func(task, pfm_target_fixed, &t);
		if (t.done)
			return;
		pfm_throttle_wait(t.cpu);
		smp_call_function_single(t.cpu, pfm_target_on_cpu, &t, 1);
		if (t.done)
			return;
		cond_resched();
	}
}

/**
 * pfm_target_call_cpu() - pfm_target_call() for a context that has no thread.
 * @ctx: the context, locked: system-wide, or unloaded
 * @fn: as for pfm_target_call()
 * @arg: passed to @fn
 *
 * Context: may sleep.
 */
void pfm_target_call_cpu(struct pfm_context *ctx, pfm_target_fn fn, void *arg)
{
	struct pfm_target t = { .ctx = ctx, .fn = fn, .arg = arg };

	/* A CPU that did not come back from a suspend: see hotplug.c. */
	if (ctx->cpu < 0 || per_cpu(pfm_cpu.parked, ctx->cpu) == ctx) {
		fn(ctx, false, arg);
		return;
	}
	pfm_throttle_wait(ctx->cpu);
	/*
	 * The CPU is online: it cannot go before the hotplug callback got
	 * ctx->lock and took the context off it.
	 */
	smp_call_function_single(ctx->cpu, pfm_target_on_cpu, &t, 1);
	WARN_ON_ONCE(!t.done);
}

struct pfm_change {
	pfm_change_fn	fn;
	void		*arg;
};

static void pfm_change_here(struct pfm_context *ctx, bool here, void *arg)
{
	const struct pfm_change *change = arg;

	if (here)
		pfm_pause(ctx);
	change->fn(ctx, change->arg);
	if (here)
		pfm_resume(ctx);
}

/**
 * pfm_target_change_remote() - pfm_target_change() for a context that is not on current.
 * @ctx: the context, locked
 * @fn: as for pfm_target_change()
 * @arg: passed to @fn
 *
 * Context: may sleep.
 */
void pfm_target_change_remote(struct pfm_context *ctx, pfm_change_fn fn, void *arg)
{
	struct pfm_change change = { .fn = fn, .arg = arg };

	pfm_target_call(ctx, pfm_change_here, &change);
}
