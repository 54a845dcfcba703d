// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: blocking a monitored thread until its tool has handled an overflow.
 *
 * An NMI marks the thread for work on its way to user mode. Every interrupt and system call ends
 * with that work, but an NMI does not: so the NMI raises an interrupt. Signals are handled there,
 * too, and before the wait: a blocked thread that gets a signal leaves the wait, is stopped,
 * traced, frozen or killed where all threads are, and comes back here before it executes an
 * instruction at user level.
 */
#include <linux/freezer.h>
#include <linux/perfmon_host.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "block.h"
#include "context.h"
#include "kick.h"
#include "refs.h"
#include "stats.h"

/**
 * pfm_block() - Have the monitored thread wait before it returns to user mode.
 * @ctx: the context, loaded on a thread
 *
 * Context: any, NMI as well; on the target.
 */
void pfm_block(struct pfm_context *ctx)
{
	WRITE_ONCE(ctx->blocked, true);
	pfm_stat_inc(blocks);
	if (pfm_thread_to_user(ctx->task, &ctx->link) && in_nmi())
		pfm_kick();
}

/*
 * True if @ctx is still current's context, and blocks it. A context that was unloaded
 * meanwhile may be another thread's already.
 */
static bool pfm_is_blocked(const struct pfm_context *ctx)
{
	return pfm_thread_context(current) == ctx && READ_ONCE(ctx->blocked);
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
	ctx = pfm_thread_context(current);
	if (!ctx || !pfm_context_tryget(ctx))
		ctx = NULL;
	rcu_read_unlock();
	if (!ctx)
		return;
	/* A signal is handled first, then this work is done again. */
	if (wait_event_state(ctx->block_wait, !pfm_is_blocked(ctx),
			     (TASK_INTERRUPTIBLE | TASK_FREEZABLE)))
		pfm_thread_again();
	pfm_context_put(ctx);
}

/**
 * pfm_unblock() - Have the thread check if it still has to wait.
 * @ctx: the context
 *
 * Context: may sleep.
 */
void pfm_unblock(struct pfm_context *ctx)
{
	wake_up_all(&ctx->block_wait);
}
