/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: virtual PMDs: values that the kernel computes.
 */
#ifndef _KERNEL_PERFMON_VIRTUAL_H
#define _KERNEL_PERFMON_VIRTUAL_H

#include <linux/sched.h>
#include <linux/types.h>
#include "context.h"

u64 pfm_virtual_read(struct pfm_context *ctx, struct task_struct *task, unsigned int pmd);
void __pfm_task_ids(struct pfm_context *ctx, struct task_struct *task);

/**
 * pfm_task_ids() - Bring ctx->pid and ctx->tid up to date.
 * @ctx: the context
 * @task: the thread in question
 *
 * Context: any, on the target.
 */
static inline void pfm_task_ids(struct pfm_context *ctx, struct task_struct *task)
{
	/* The numbers of one thread change by an exec at most; a CPU runs many threads. */
	if (pfm_is_system_wide(ctx) || ctx->pid_raw != task->pid)
		__pfm_task_ids(ctx, task);
}

#endif /* _KERNEL_PERFMON_VIRTUAL_H */
