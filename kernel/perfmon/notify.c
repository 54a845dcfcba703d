// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: telling a tool of an overflow, and blocking the thread meanwhile.
 *
 * An overflow is handled in NMI context, where nobody can be woken. An irq_work
 * does that, as soon as interrupts are on again on the same CPU.
 *
 * To block a thread, an NMI marks it for work on its way to user mode, which is what
 * every interrupt and system call ends with, but not an NMI: so it has an interrupt
 * follow. Signals are handled on the same way, and before the wait: a blocked thread
 * that gets one leaves the wait, is stopped, traced, frozen or killed where all threads
 * are, and comes back here before it executes an instruction of the user's.
 */
#include <linux/fs.h>
#include <linux/freezer.h>
#include <linux/poll.h>
#include <linux/resume_user_mode.h>
#include <linux/sched.h>
#include <linux/signal.h>
#include "perfmon.h"

/* The interrupt is all: what is to be done is done at its end. */
static void pfm_block_kick_fn(struct irq_work *work)
{
}

static DEFINE_PER_CPU(struct irq_work, pfm_block_kick) = IRQ_WORK_INIT_HARD(pfm_block_kick_fn);

/**
 * pfm_block() - The monitored thread is to wait before it returns to user mode.
 * @ctx: the context, loaded on a thread
 *
 * Context: any, NMI as well; on the target.
 */
void pfm_block(struct pfm_context *ctx)
{
	WRITE_ONCE(ctx->blocked, true);
	pfm_stat_inc(blocks);
	set_tsk_thread_flag(ctx->task, TIF_NOTIFY_RESUME);
	if (in_nmi())
		irq_work_queue(this_cpu_ptr(&pfm_block_kick));
}

/*
 * Is this context still current's, and is it to wait? A context that was unloaded
 * meanwhile may be another thread's already.
 */
static bool pfm_is_blocked(const struct pfm_context *ctx)
{
	return READ_ONCE(current->pfm_context) == ctx && READ_ONCE(ctx->blocked);
}

/**
 * __pfm_task_to_user() - A monitored thread is about to return to user mode.
 *
 * Context: may sleep, no locks.
 */
void __pfm_task_to_user(void)
{
	struct pfm_context *ctx;

	rcu_read_lock();
	ctx = READ_ONCE(current->pfm_context);
	if (!ctx || !READ_ONCE(ctx->blocked) || !pfm_context_tryget(ctx))
		ctx = NULL;
	rcu_read_unlock();
	if (!ctx)
		return;
	/* A signal comes first; then once more. */
	if (wait_event_state(ctx->block_wait, !pfm_is_blocked(ctx),
			     (TASK_INTERRUPTIBLE | TASK_FREEZABLE)))
		set_notify_resume(current);
	pfm_context_put(ctx);
}

static void pfm_notify_work(struct irq_work *work)
{
	struct pfm_context *ctx = container_of(work, struct pfm_context, notify_work);

	wake_up_interruptible_poll(&ctx->msgq.wait, EPOLLIN | EPOLLRDNORM);
	kill_fasync(&ctx->fasync, SIGIO, POLL_IN);
}

/**
 * pfm_notify_init() - Prepare a new context.
 * @ctx: the context
 */
void pfm_notify_init(struct pfm_context *ctx)
{
	init_irq_work(&ctx->notify_work, pfm_notify_work);
	init_waitqueue_head(&ctx->block_wait);
}

/**
 * pfm_notify() - Wake and signal.
 * @ctx: the context; messages were appended before
 *
 * On PREEMPT_RT a thread does that, soon; else it is done before this CPU returns to
 * user mode.
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

/**
 * pfm_notify_preempt() - Tell that a context is suspended, or is no more.
 * @ctx: the context
 * @type: PFM_MSG_SUSPEND or PFM_MSG_RESUME
 *
 * Context: any but NMI.
 */
void pfm_notify_preempt(struct pfm_context *ctx, u32 type)
{
	pfm_msgq_preempt(&ctx->msgq, type);
	kill_fasync(&ctx->fasync, SIGIO, POLL_IN);
}

/**
 * pfm_notify_cancel() - What was to be told is told; the thread waits no more.
 * @ctx: the context; it is no thread's any more
 *
 * Context: may sleep.
 */
void pfm_notify_cancel(struct pfm_context *ctx)
{
	irq_work_sync(&ctx->notify_work);
	pfm_unblock(ctx);
}

/**
 * pfm_unblock() - Let the thread look whether it still has to wait.
 * @ctx: the context
 *
 * Context: may sleep.
 */
void pfm_unblock(struct pfm_context *ctx)
{
	wake_up_all(&ctx->block_wait);
}
