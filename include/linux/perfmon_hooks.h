/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the core's functions for the hooks: perfmon.h calls them where perfmon is built
 * in, the module calls them from tracepoints.
 */
#ifndef _LINUX_PERFMON_HOOKS_H
#define _LINUX_PERFMON_HOOKS_H

#include <linux/percpu.h>
#include <linux/types.h>

struct task_struct;

/* Events that hold the PMU through perf_events; 0 where the number is not known. */
unsigned int pfm_perf_users(void);

#if defined(CONFIG_PERFMON) || defined(PFM_MODULE)

/* The context bound to this CPU excludes some threads. */
DECLARE_PER_CPU(bool, pfm_cpu_excludes);

void __pfm_task_sched_out(struct task_struct *prev, struct task_struct *next);
void __pfm_task_sched_in(struct task_struct *next);
void __pfm_task_to_user(void);
void __pfm_task_gone(struct task_struct *task, bool exec);
void pfm_pmu_claim(void);
void pfm_pmu_unclaim(void);
void pfm_pmu_hand_over(void);

#endif

#endif /* _LINUX_PERFMON_HOOKS_H */
