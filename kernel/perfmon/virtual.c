// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: virtual PMDs: values that the kernel keeps, in the same name space
 * as the hardware's registers, so that samples can hold them.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/vmstat.h>
#include "context.h"
#include "virtual.h"

/**
 * __pfm_task_ids() - pfm_task_ids() for another thread than the last time.
 * @ctx: the context
 * @task: the thread in question
 */
void __pfm_task_ids(struct pfm_context *ctx, struct task_struct *task)
{
	ctx->pid = task_tgid_nr_ns(task, ctx->ns);
	ctx->tid = task_pid_nr_ns(task, ctx->ns);
	ctx->pid_raw = task->pid;
}

/* A thread's time up to now; the scheduler's sum is as old as its last tick. */
static u64 pfm_task_clock(struct task_struct *task)
{
	u64 sum = READ_ONCE(task->se.sum_exec_runtime);
	s64 since;

	if (task != current)
		return sum;
	since = local_clock() - READ_ONCE(task->se.exec_start);
	return sum + max(since, 0LL);
}

static u64 pfm_virtual_read_task(struct pfm_context *ctx, struct task_struct *task,
				 unsigned int pmd)
{
	switch (pmd) {
	case PFM_PMD_TASK_CLOCK:
		return pfm_task_clock(task);
	case PFM_PMD_CTX_SWITCHES:
		return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
	case PFM_PMD_MIGRATIONS:
		return READ_ONCE(task->se.nr_migrations);
	case PFM_PMD_MIN_FAULTS:
		return READ_ONCE(task->min_flt);
	case PFM_PMD_MAJ_FAULTS:
		return READ_ONCE(task->maj_flt);
	case PFM_PMD_PID:
		pfm_task_ids(ctx, task);
		return ctx->pid;
	case PFM_PMD_TID:
		pfm_task_ids(ctx, task);
		return ctx->tid;
	default:
		return 0;
	}
}

/**
 * pfm_virtual_read() - Value of a virtual PMD.
 * @ctx: the context
 * @task: the monitored thread, or the one that runs on the monitored CPU; NULL: no thread,
 *	and 0 for every PMD that belongs to a thread
 * @pmd: index, valid
 *
 * Context: any, on the target.
 */
u64 pfm_virtual_read(struct pfm_context *ctx, struct task_struct *task, unsigned int pmd)
{
	switch (pmd) {
	case PFM_PMD_CPU_CLOCK:
		return local_clock();
	case PFM_PMD_FREE_PAGES:
		return global_zone_page_state(NR_FREE_PAGES);
	case PFM_PMD_CPU:
		return task ? task_cpu(task) : raw_smp_processor_id();
	default:
		return task ? pfm_virtual_read_task(ctx, task, pmd) : 0;
	}
}
