// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the lifetime of a context: the file behind its descriptors, its attachment, and
 * hooks that are at work on it hold a reference each.
 */
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "buffer.h"
#include "context.h"
#include "format.h"
#include "memory.h"
#include "message.h"
#include "refs.h"
#include "set_list.h"

/**
 * pfm_context_free() - Free a context of which only the accounts are left.
 * @ctx: the context
 */
void pfm_context_free(struct pfm_context *ctx)
{
	if (ctx->account)
		pfm_memory_uncharge(ctx, ctx->bytes);
	pfm_account_put(ctx->account);
	put_pid_ns(ctx->ns);
	free_uid(ctx->user);
	pfm_thread_free(&ctx->link);
	kfree_rcu(ctx, rcu);
}

/**
 * pfm_context_put() - Drop a reference; the last one frees the context.
 * @ctx: the context
 *
 * Context: may sleep.
 */
void pfm_context_put(struct pfm_context *ctx)
{
	if (!refcount_dec_and_test(&ctx->refs))
		return;
	if (ctx->fmt && ctx->fmt->fmt_exit)
		ctx->fmt->fmt_exit(ctx->buf);
	pfm_buffer_put(ctx);
	pfm_format_put(ctx->fmt);
	pfm_sets_destroy(ctx);
	pfm_msgq_destroy(&ctx->msgq);
	pfm_context_free(ctx);
}

/**
 * pfm_context_tryget() - Take a reference unless the context is being freed.
 * @ctx: a context found under RCU
 */
bool pfm_context_tryget(struct pfm_context *ctx)
{
	return refcount_inc_not_zero(&ctx->refs);
}

/* Under RCU. */
static struct pfm_context *pfm_context_alive(struct pfm_context *ctx)
{
	return ctx && pfm_context_tryget(ctx) ? ctx : NULL;
}

/**
 * pfm_context_get() - Get the context that a CPU has.
 * @slot: the pointer to it, valid while the context is loaded there
 *
 * Return: the context, referenced, or NULL.
 */
struct pfm_context *pfm_context_get(struct pfm_context **slot)
{
	struct pfm_context *ctx;

	rcu_read_lock();
	ctx = pfm_context_alive(READ_ONCE(*slot));
	rcu_read_unlock();
	return ctx;
}

/**
 * pfm_context_get_thread() - Get the context that a thread has.
 * @task: the thread
 *
 * Return: as pfm_context_get().
 */
struct pfm_context *pfm_context_get_thread(struct task_struct *task)
{
	struct pfm_context *ctx;

	rcu_read_lock();
	ctx = pfm_context_alive(pfm_thread_context(task));
	rcu_read_unlock();
	return ctx;
}
