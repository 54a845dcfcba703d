// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: notifying a tool.
 *
 * An overflow is handled in NMI context, where no thread can be woken. An irq_work
 * does that, as soon as interrupts are on again on the same CPU.
 */
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/signal.h>
#include <trace/events/perfmon.h>
#include "context.h"
#include "kick.h"
#include "message.h"
#include "notify.h"

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
}

/**
 * pfm_notify() - Wake readers and send SIGIO.
 * @ctx: the context; messages were appended before
 *
 * It is done before this CPU returns to user mode. On PREEMPT_RT a thread of the CPU does it, which
 * has a real-time priority. An interrupt wakes that thread, but irq_work_queue() raises none if
 * lazy work of another part of the kernel waits in the same list: both would wait for the timer
 * (__irq_work_queue_local() in kernel/irq_work.c).
 *
 * Context: any, NMI as well; on the target.
 */
void pfm_notify(struct pfm_context *ctx)
{
	irq_work_queue(&ctx->notify_work);
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		pfm_kick();
}

/**
 * pfm_notify_end() - Report the end of monitoring.
 * @ctx: the context, unloaded
 *
 * Context: any but NMI.
 */
void pfm_notify_end(struct pfm_context *ctx)
{
	trace_pfm_message(ctx, PFM_MSG_END, 0, 0, false);
	pfm_msgq_end(&ctx->msgq);
	kill_fasync(&ctx->fasync, SIGIO, POLL_IN);
}

/**
 * pfm_notify_preempt() - Report that a context is suspended, or that it is resumed.
 * @ctx: the context
 * @type: PFM_MSG_SUSPEND or PFM_MSG_RESUME
 *
 * Only a tool that asked for them, by PFM_FL_EXTRA_MSG, gets these messages.
 *
 * Context: any but NMI.
 */
void pfm_notify_preempt(struct pfm_context *ctx, u32 type)
{
	if (!(ctx->flags & PFM_FL_EXTRA_MSG))
		return;
	trace_pfm_message(ctx, type, 0, 0, false);
	pfm_msgq_preempt(&ctx->msgq, type);
	kill_fasync(&ctx->fasync, SIGIO, POLL_IN);
}

/**
 * pfm_notify_flush() - Wait for a notification that is on its way.
 * @ctx: the context, detached
 *
 * On PREEMPT_RT irq_work_sync() also waits for a grace period, which would delay every unload:
 * the memory that this protects is freed after a grace period in any case.
 *
 * Context: may sleep.
 */
void pfm_notify_flush(struct pfm_context *ctx)
{
	if (irq_work_is_busy(&ctx->notify_work))
		irq_work_sync(&ctx->notify_work);
}
