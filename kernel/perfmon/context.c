// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: contexts: creation, lifetime, state.
 *
 * The machine; syscall.c's table says which command is legal in which state:
 *
 *	state      LOAD     UNLOAD      thread or   last descriptor
 *	                                CPU gone    closed
 *	--------------------------------------------------------------
 *	UNLOADED   LOADED   -           -           destroyed
 *	LOADED     -        UNLOADED    UNLOADED    ZOMBIE
 *	ZOMBIE     -        -           destroyed   -
 *
 * Started or stopped is a second, independent bit, meaningful when loaded:
 * every way out of LOADED clears it. A zombie still counts on the thread that
 * it is attached to, but nobody can reach it any more. It lives from the start
 * to the end of the last close(): that takes it off its thread itself, by a
 * cross call if need be, and does not wait for the thread.
 */
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "perfmon.h"

#define PFM_FL_ALL	(PFM_FL_NOTIFY_BLOCK | PFM_FL_SYSTEM_WIDE | PFM_FL_OVFL_NO_MSG)

static struct pfm_context *pfm_context_alloc(u32 flags)
{
	struct pfm_context *ctx;

	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return NULL;
	ctx->set0 = pfm_set_alloc(0);
	if (!ctx->set0) {
		kfree(ctx);
		return NULL;
	}
	ctx->set = ctx->set0;
	refcount_set(&ctx->refs, 1);
	mutex_init(&ctx->lock);
	pfm_msgq_init(&ctx->msgq);
	ctx->flags = flags;
	ctx->state = PFM_UNLOADED;
	ctx->cpu = -1;
	ctx->last_cpu = -1;
	return ctx;
}

/**
 * pfm_context_put() - Drop a reference; the last one frees the context.
 * @ctx: the context
 *
 * Context: any but NMI.
 */
void pfm_context_put(struct pfm_context *ctx)
{
	if (!refcount_dec_and_test(&ctx->refs))
		return;
	pfm_set_free(ctx->set0);
	kfree_rcu(ctx, rcu);
}

/**
 * pfm_context_tryget() - Take a reference unless the context is being freed.
 * @ctx: a context found under RCU
 */
bool pfm_context_tryget(struct pfm_context *ctx)
{
	return refcount_inc_not_zero(&ctx->refs);
}

/**
 * pfm_create_context() - PFM_CREATE_CONTEXT: create a context.
 * @call: one pfarg_ctx_t
 *
 * Return: 0; -EINVAL for undefined or incompatible flags or an unknown sampling
 * format; -EPERM when the caller may not create such a context; -ENOMEM, -EMFILE,
 * -ENFILE.
 *
 * Context: may sleep.
 */
int pfm_create_context(struct pfm_call *call)
{
	pfarg_ctx_t *req = call->args;
	struct pfm_context *ctx;
	struct file *file;
	int fd;

	if (!pfm_may_create(req->ctx_flags))
		return -EPERM;
	if (req->ctx_flags & ~PFM_FL_ALL)
		return -EINVAL;
	if ((req->ctx_flags & PFM_FL_SYSTEM_WIDE) && (req->ctx_flags & PFM_FL_NOTIFY_BLOCK))
		return -EINVAL;
	/* No sampling format exists yet: all identifiers but "none" are unknown. */
	if (memchr_inv(req->ctx_smpl_buf_id, 0, sizeof(req->ctx_smpl_buf_id)))
		return -EINVAL;

	ctx = pfm_context_alloc(req->ctx_flags);
	if (!ctx)
		return -ENOMEM;
	fd = get_unused_fd_flags(0);
	if (fd < 0) {
		pfm_context_put(ctx);
		return fd;
	}
	file = anon_inode_getfile("[perfmon]", &pfm_file_ops, ctx, O_RDWR);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		pfm_context_put(ctx);
		return PTR_ERR(file);
	}
	ctx->filp = file;

	req->ctx_fd = fd;
	req->ctx_smpl_buf_size = 0;
	call->new_file = file;
	call->new_fd = fd;
	call->done = 1;
	return 0;
}
