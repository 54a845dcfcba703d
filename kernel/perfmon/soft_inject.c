// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: events of the software PMU that a test causes.
 *
 * A write of n bytes, whatever they are, to one of the files in the directory
 * perfmon of debugfs makes n events, one after the other, on the counters test0
 * to test3. If the thread has work to do on its way to user mode, a wait or a
 * signal, the write ends there and returns the number of events so far: the next
 * event comes after that work.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/perfmon.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/thread_info.h>

#include "soft.h"

/* Most events in one stretch with interrupts off. */
#define SOFT_INJECT_CHUNK	65536

static bool pfm_soft_work_pending(void)
{
	return signal_pending(current) || test_thread_flag(TIF_NOTIFY_RESUME);
}

static ssize_t pfm_soft_inject(size_t count, bool user)
{
	size_t done = 0;

	while (done < count) {
		local_irq_disable();
		done += pfm_soft_count_many(PFM_SOFT_TESTS, min_t(size_t, count - done,
								  SOFT_INJECT_CHUNK),
					    user, task_pt_regs(current));
		local_irq_enable();
		if (pfm_soft_work_pending())
			break;
	}
	return done;
}

static ssize_t pfm_soft_write_user(struct file *file, const char __user *buf, size_t count,
				   loff_t *pos)
{
	return pfm_soft_inject(count, true);
}

static ssize_t pfm_soft_write_kernel(struct file *file, const char __user *buf, size_t count,
				     loff_t *pos)
{
	return pfm_soft_inject(count, false);
}

static const struct file_operations pfm_soft_user_ops = {
	.open	= simple_open,
	.write	= pfm_soft_write_user,
};

static const struct file_operations pfm_soft_kernel_ops = {
	.open	= simple_open,
	.write	= pfm_soft_write_kernel,
};

static int __init pfm_soft_inject_init(void)
{
	struct dentry *dir;

	if (!static_key_enabled(&pfm_soft_key))
		return 0;
	dir = debugfs_create_dir("perfmon", NULL);
	debugfs_create_file("inject_user", 0200, dir, NULL, &pfm_soft_user_ops);
	debugfs_create_file("inject_kernel", 0200, dir, NULL, &pfm_soft_kernel_ops);
	return 0;
}
late_initcall(pfm_soft_inject_init);
