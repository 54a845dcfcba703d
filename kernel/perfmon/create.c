// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: contexts: creation and lifetime.
 */
#include <linux/anon_inodes.h>
#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/pid_namespace.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "buffer.h"
#include "call.h"
#include "config.h"
#include "context.h"
#include "create.h"
#include "file.h"
#include "format.h"
#include "memory.h"
#include "message.h"
#include "notify.h"
#include "pmu.h"
#include "refs.h"
#include "rules.h"
#include "set_list.h"

#define PFM_FL_ALL	(PFM_FL_NOTIFY_BLOCK | PFM_FL_SYSTEM_WIDE | PFM_FL_OVFL_NO_MSG | \
			 PFM_FL_EXTRA_MSG | PFM_FL_ARCH)

/* Contexts created since boot. */
static atomic64_t pfm_contexts_created;

/* Allocate a context's memory, with a queue of @depth messages, on its account. */
static int pfm_context_fill(struct pfm_context *ctx, unsigned int depth)
{
	int err;

	ctx->account = pfm_account_get(ctx->user);
	if (!ctx->account)
		return -ENOMEM;
	err = pfm_memory_charge(ctx, sizeof(*ctx) + pfm_msgq_size(depth));
	if (!err)
		err = pfm_msgq_init(&ctx->msgq, depth);
	if (err)
		return err;
	err = pfm_sets_init(ctx);
	if (err)
		pfm_msgq_destroy(&ctx->msgq);
	return err;
}

static struct pfm_context *pfm_context_alloc(u32 flags, const pfm_buffer_fmt_t *fmt)
{
	struct pfm_context *ctx;
	int err;

	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return ERR_PTR(-ENOMEM);
	refcount_set(&ctx->refs, 1);
	mutex_init(&ctx->lock);
	pfm_notify_init(ctx);
	init_waitqueue_head(&ctx->block_wait);
	ctx->id = atomic64_inc_return(&pfm_contexts_created);
	ctx->flags = flags;
	ctx->state = PFM_UNLOADED;
	ctx->share = PFM_IDLE;
	ctx->cpu = -1;
	ctx->user = get_uid(current_user());
	ctx->ns = get_pid_ns(task_active_pid_ns(current));
	err = pfm_context_fill(ctx, fmt ? max_t(size_t, fmt->fmt_msgq_depth, 1) :
					  PFM_MSGQ_FEW);
	if (err) {
		pfm_context_free(ctx);
		return ERR_PTR(err);
	}
	return ctx;
}

/* Get a format's argument, which follows the context's in user memory. */
static void *pfm_format_arg(const pfm_buffer_fmt_t *fmt, const void __user *from)
{
	if (!fmt->fmt_arg_size)
		return NULL;
	if (fmt->fmt_arg_size > pfm_arg_size_max())
		return ERR_PTR(-E2BIG);
	return memdup_user(from, fmt->fmt_arg_size);
}

/* Let a format check its argument, get its buffer, and initialise it. */
static int pfm_format_setup(struct pfm_context *ctx, const pfm_buffer_fmt_t *fmt, void *arg)
{
	size_t size = 0;
	int err = 0;

	if (fmt->fmt_validate)
		err = fmt->fmt_validate(ctx->flags, pfm_pmd_count(), arg);
	if (!err && fmt->fmt_getsize)
		err = fmt->fmt_getsize(ctx->flags, arg, &size);
	if (!err && size)
		err = pfm_buffer_alloc(ctx, size);
	if (!err && fmt->fmt_init)
		err = fmt->fmt_init(ctx->flags, arg, ctx->buf);
	return err;
}

/* Make a context, with its format if @req names one. */
static struct pfm_context *pfm_context_make(const pfarg_ctx_t *req, const void __user *behind)
{
	const pfm_buffer_fmt_t *fmt = NULL;
	struct pfm_context *ctx;
	void *arg = NULL;
	int err;

	if (memchr_inv(req->ctx_smpl_buf_id, 0, sizeof(req->ctx_smpl_buf_id))) {
		fmt = pfm_format_get(req->ctx_smpl_buf_id);
		if (!fmt)
			return ERR_PTR(-EINVAL);
		arg = pfm_format_arg(fmt, behind);
		if (IS_ERR(arg)) {
			pfm_format_put(fmt);
			return ERR_CAST(arg);
		}
	}
	ctx = pfm_context_alloc(req->ctx_flags, fmt);
	if (IS_ERR(ctx)) {
		pfm_format_put(fmt);
	} else if (fmt) {
		err = pfm_format_setup(ctx, fmt, arg);
		/* A format whose setup failed gets no exit call. */
		if (!err) {
			ctx->fmt = fmt;
		} else {
			pfm_format_put(fmt);
			pfm_context_put(ctx);
			ctx = ERR_PTR(err);
		}
	}
	kfree(arg);
	return ctx;
}

/**
 * pfm_create_context() - PFM_CREATE_CONTEXT: create a context.
 * @call: one pfarg_ctx_t, perhaps followed by a format's argument
 *
 * Return: 0; -EINVAL for undefined or incompatible flags or an unknown sampling
 * format; -EPERM when the caller may not create such a context; -E2BIG when the
 * format's argument is above the limit, -EFAULT when it cannot be read; -ENOMEM,
 * also for a buffer above a limit; -EMFILE, -ENFILE; or an error of the format.
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
	if (pfm_rules_check_context(req->ctx_flags))
		return -EINVAL;

	ctx = pfm_context_make(req, call->behind);
	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
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
	req->ctx_smpl_buf_size = ctx->buf_size;
	call->new_file = file;
	call->new_fd = fd;
	call->done = 1;
	return 0;
}
