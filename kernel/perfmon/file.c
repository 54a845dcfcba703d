// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the descriptor of a context.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "attach.h"
#include "buffer.h"
#include "context.h"
#include "file.h"
#include "message.h"
#include "pmu.h"
#include "refs.h"
#include "run.h"
#include "target.h"

/* Copy the queued messages, at most @count bytes; the readers' mutex is held. */
static ssize_t pfm_read_messages(struct pfm_msgq *q, char __user *buf, size_t count)
{
	size_t copied = 0;
	pfm_msg_t msg;
	unsigned long nr;

	while (copied < count && pfm_msgq_peek(q, &msg, &nr)) {
		if (copy_to_user(buf + copied, &msg, sizeof(msg)))
			return copied ? copied : -EFAULT;
		pfm_msgq_pop(q, &msg, nr);
		copied += sizeof(msg);
	}
	return copied;
}

/*
 * Whole messages only: as many as there are and fit, and at least one. A
 * message whose copy fails stays in the queue.
 */
static ssize_t pfm_file_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	struct pfm_context *ctx = file->private_data;
	struct pfm_msgq *q = &ctx->msgq;
	ssize_t ret;

	if (count % sizeof(pfm_msg_t))
		return -EINVAL;
	if (!count)
		return 0;
	for (;;) {
		if (mutex_lock_interruptible(&q->readers))
			return -ERESTARTSYS;
		ret = pfm_read_messages(q, buf, count);
		mutex_unlock(&q->readers);
		if (ret)
			return ret;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(q->wait, !pfm_msgq_empty(q)))
			return -ERESTARTSYS;
	}
}

static __poll_t pfm_file_poll(struct file *file, poll_table *wait)
{
	struct pfm_context *ctx = file->private_data;

	poll_wait(file, &ctx->msgq.wait, wait);
	return pfm_msgq_empty(&ctx->msgq) ? 0 : EPOLLIN | EPOLLRDNORM;
}

static int pfm_file_mmap(struct file *file, struct vm_area_struct *vma)
{
	return pfm_buffer_mmap(file->private_data, vma);
}

static int pfm_file_fasync(int fd, struct file *file, int on)
{
	struct pfm_context *ctx = file->private_data;

	return fasync_helper(fd, file, on, &ctx->fasync);
}

/*
 * A descriptor is closed, in the table @id. If a thread with this table has loaded the
 * context onto itself by that descriptor, the thread stops being
 * monitored, even if other processes, or other descriptors, keep the context.
 */
static int pfm_file_flush(struct file *file, fl_owner_t id)
{
	struct pfm_context *ctx = file->private_data;

	if (!READ_ONCE(ctx->self) || id != current->files)
		return 0;
	mutex_lock(&ctx->lock);
	if (ctx->self && READ_ONCE(ctx->task->files) == id &&
	    !pfm_files_have(id, ctx->fd, file))
		pfm_detach(ctx, false);
	mutex_unlock(&ctx->lock);
	return 0;
}

/*
 * The pause makes the sums consistent, because no overflow comes in between, and brings them up
 * to date.
 */
static void pfm_copy_ledger_paused(struct pfm_context *ctx, void *arg)
{
	struct pfm_ledger *ledger = arg;

	*ledger = ctx->ledger;
}

/* State of the context, and account of its overflows: /proc/PID/fdinfo/FD. */
static void pfm_file_show_fdinfo(struct seq_file *seq, struct file *file)
{
	struct pfm_context *ctx = file->private_data;
	struct pfm_ledger ledger;

	mutex_lock(&ctx->lock);
	pfm_target_change(ctx, pfm_copy_ledger_paused, &ledger);
	seq_printf(seq, "pfm-state:\t%s\n", ctx->state == PFM_UNLOADED ? "unloaded" :
		   pfm_is_suspended(ctx) ? "suspended" : ctx->masked ? "masked" : "loaded");
#define X(name, label) seq_printf(seq, label ":\t%llu\n", ledger.name);
	PFM_LEDGER(X)
#undef X
	mutex_unlock(&ctx->lock);
}

/* The last descriptor is closed. */
static int pfm_file_release(struct inode *inode, struct file *file)
{
	struct pfm_context *ctx = file->private_data;

	mutex_lock(&ctx->lock);
	if (ctx->state != PFM_UNLOADED)
		pfm_detach(ctx, false);
	mutex_unlock(&ctx->lock);
	pfm_context_put(ctx);
	return 0;
}

const struct file_operations pfm_file_ops = {
	.owner		= THIS_MODULE,
	.read		= pfm_file_read,
	.poll		= pfm_file_poll,
	.mmap		= pfm_file_mmap,
	.fasync		= pfm_file_fasync,
	.show_fdinfo	= pfm_file_show_fdinfo,
	.flush		= pfm_file_flush,
	.release	= pfm_file_release,
	PFM_HOST_FILE_OPS
};
