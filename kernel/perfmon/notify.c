// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: telling a tool of an overflow, and stopping the thread meanwhile.
 *
 * An overflow is handled in NMI context, where nobody can be woken. An irq_work
 * does that, as soon as interrupts are on again on the same CPU, which is before
 * the thread goes back to user mode. So it can also give the thread a piece of
 * work to do before that: to wait.
 */
#include <linux/fs.h>
#include <linux/freezer.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/signal.h>
#include <linux/task_work.h>
#include "perfmon.h"

/* The monitored thread, on its way to user mode. It may be killed. */
static void pfm_block_here(struct callback_head *work)
{
	struct pfm_context *ctx = container_of(work, struct pfm_context, block_work);

	/* From here on another one may be queued; ordered before the look at blocked. */
	xchg(&ctx->block_queued, false);
	wait_event_state(ctx->block_wait, !READ_ONCE(ctx->blocked),
			 (TASK_KILLABLE | TASK_FREEZABLE));
	pfm_context_put(ctx);
}

static void pfm_block_later(struct pfm_context *ctx)
{
	/* One that is queued will find that it has to wait. */
	if (xchg(&ctx->block_queued, true))
		return;
	/* Loaded, or pfm_notify_cancel() would have waited for us: the task is there. */
	refcount_inc(&ctx->refs);
	if (task_work_add(ctx->task, &ctx->block_work, TWA_RESUME)) {
		ctx->block_queued = false;
		refcount_dec(&ctx->refs);
	} else {
		pfm_stat_inc(blocks);
	}
}

static void pfm_notify_work(struct irq_work *work)
{
	struct pfm_context *ctx = container_of(work, struct pfm_context, notify_work);

	if (xchg(&ctx->block_due, false))
		pfm_block_later(ctx);
	if (xchg(&ctx->signal_due, false)) {
		wake_up_interruptible_poll(&ctx->msgq.wait, EPOLLIN | EPOLLRDNORM);
		kill_fasync(&ctx->fasync, SIGIO, POLL_IN);
	}
}

/**
 * pfm_notify_init() - Prepare a new context.
 * @ctx: the context
 */
void pfm_notify_init(struct pfm_context *ctx)
{
	init_irq_work(&ctx->notify_work, pfm_notify_work);
	init_task_work(&ctx->block_work, pfm_block_here);
	init_waitqueue_head(&ctx->block_wait);
}

/**
 * pfm_notify() - Wake, signal and block, as ctx->signal_due and ctx->block_due say.
 * @ctx: the context; messages were appended before
 *
 * Context: any, NMI as well; on the target.
 */
void pfm_notify(struct pfm_context *ctx)
{
	irq_work_queue(&ctx->notify_work);
}

/**
 * pfm_notify_end() - Tell that monitoring ended.
 * @ctx: the context, unloaded
 *
 * Context: any but NMI.
 */
void pfm_notify_end(struct pfm_context *ctx)
{
	pfm_msgq_end(&ctx->msgq);
	kill_fasync(&ctx->fasync, SIGIO, POLL_IN);
}

static bool pfm_block_match(struct callback_head *work, void *data)
{
	return work == data;
}

/**
 * pfm_notify_cancel() - What was to be told is told; the thread waits no more.
 * @ctx: the context; it counts nowhere, ctx->task is still set
 *
 * Context: may sleep.
 */
void pfm_notify_cancel(struct pfm_context *ctx)
{
	irq_work_sync(&ctx->notify_work);
	if (READ_ONCE(ctx->block_queued) &&
	    task_work_cancel_match(ctx->task, pfm_block_match, &ctx->block_work)) {
		ctx->block_queued = false;
		refcount_dec(&ctx->refs);
	}
	pfm_unblock(ctx);
}

/**
 * pfm_unblock() - Let the thread look whether it still has to wait.
 * @ctx: the context
 *
 * Context: any but NMI.
 */
void pfm_unblock(struct pfm_context *ctx)
{
	wake_up_all(&ctx->block_wait);
}
