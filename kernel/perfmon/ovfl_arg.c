// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the arguments of a sampling format's handler: what few samples need.
 */
#include <linux/bitops.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include "ovfl_arg.h"

DEFINE_PER_CPU(pfm_ovfl_arg_t, pfm_ovfl_arg);

/**
 * pfm_ovfl_values() - Read the PMDs to record with an overflow.
 * @ctx: the context; counting is stopped, all values are in software
 * @request: of the counter
 * @values: gets them, by increasing index
 *
 * Context: interrupts off, or NMI; on the target.
 */
void pfm_ovfl_values(struct pfm_context *ctx, const struct pfm_request *request, u64 *values)
{
	struct pfm_event_set *set = ctx->set;
	unsigned int reg, n = 0;

	pfm_for_each_bit(reg, request->smpl_pmds)
		values[n++] = pfm_pmd_user_value(set, reg, pfm_pmd_of(set, reg)->value);
	pfm_for_each_bit(reg, request->smpl_virtual)
		values[n++] = pfm_virtual_read(ctx, pfm_thread_here(), PFM_VIRTUAL_PMD + reg);
}

/**
 * pfm_ovfl_user_regs() - The registers of user mode of the thread that runs here.
 *
 * Return: NULL: a kernel thread has none, nor has a thread that has not been in user mode yet.
 *
 * Context: interrupts off, or NMI.
 */
struct pt_regs *pfm_ovfl_user_regs(void)
{
	struct task_struct *task = pfm_thread_here();
	struct pt_regs *regs = task->flags & PF_KTHREAD ? NULL : task_pt_regs(task);

	return regs && user_mode(regs) ? regs : NULL;
}
