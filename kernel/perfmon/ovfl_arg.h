/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the arguments of a sampling format's handler.
 *
 * Inline, and without the rare parts, because each sample comes this way.
 */
#ifndef _KERNEL_PERFMON_OVFL_ARG_H
#define _KERNEL_PERFMON_OVFL_ARG_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include "context.h"
#include "cpu.h"
#include "event_set.h"
#include "virtual.h"

/* Too large for the stack. Used with counting stopped. */
DECLARE_PER_CPU(pfm_ovfl_arg_t, pfm_ovfl_arg);

void pfm_ovfl_values(struct pfm_context *ctx, const struct pfm_request *request, u64 *values);
struct pt_regs *pfm_ovfl_user_regs(void);

/* A time stamp that this CPU has not given out yet. */
static __always_inline u64 pfm_stamp(u64 now)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpu);

	cpu->last_stamp = max(now, cpu->last_stamp + 1);
	return cpu->last_stamp;
}

/* All but the counter's value. */
static __always_inline void pfm_ovfl_arg_fill(struct pfm_context *ctx, unsigned int i,
					      const struct pfm_pmd *pmd,
					      const struct pfm_request *request,
					      pfm_ovfl_arg_t *arg)
{
	const struct pfm_event_set *set = ctx->set;

	arg->ovfl_pmd = i;
	arg->active_set = set->id;
	arg->ovfl_notify = !!(set->notify_pmds & BIT_ULL(i));
	memset(&arg->ovfl_ctrl, 0, sizeof(arg->ovfl_ctrl));
	arg->pmd_last_reset = pmd->last_reset;
	arg->pmd_eventid = request->eventid;
	/* The other words stay zero. */
	arg->smpl_pmds[0] = request->smpl_pmds;
	arg->smpl_pmds[PFM_VIRTUAL_PMD / 64] =
		(u64)request->smpl_virtual << (PFM_VIRTUAL_PMD % 64);
	arg->num_smpl_pmds = request->smpl_count;
	if (unlikely(request->smpl_count))
		pfm_ovfl_values(ctx, request, arg->smpl_pmds_values);
}

/*
 * The registers to show: those of user mode, if only user level is monitored and the
 * interrupt came late, in the kernel, whose addresses are secret.
 */
static __always_inline struct pt_regs *pfm_ovfl_regs(const struct pfm_event_set *set,
						     struct pt_regs *regs)
{
	return likely(regs && (set->kernel || user_mode(regs))) ? regs : pfm_ovfl_user_regs();
}

static __always_inline void pfm_ovfl_data_fill(struct pfm_context *ctx, struct pt_regs *regs,
					       struct pfm_ovfl_data *data)
{
	pfm_task_ids(ctx, pfm_thread_here());
	*data = (struct pfm_ovfl_data){
		.regs = pfm_ovfl_regs(ctx->set, regs), .live_pmds = ctx->set->regs.live_pmds,
		.pid = ctx->pid, .tid = ctx->tid,
	};
}

#endif /* _KERNEL_PERFMON_OVFL_ARG_H */
