/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2 as a module: the hooks, which are tracepoints' probes: see ../../hooks.c.
 */
#ifndef _LINUX_PERFMON_H
#define _LINUX_PERFMON_H

#include <linux/percpu.h>
#include <linux/types.h>

struct pfm_context;
struct pt_regs;
struct task_struct;

/* The context bound to this CPU excludes some threads. */
DECLARE_PER_CPU(bool, pfm_cpu_excludes);

unsigned int pfm_perf_users(void);
void __pfm_task_sched_out(struct task_struct *prev, struct task_struct *next);
void __pfm_task_sched_in(struct task_struct *next);
void __pfm_task_to_user(void);
void __pfm_task_gone(struct task_struct *task, bool exec);
void pfm_pmu_claim(void);
void pfm_pmu_unclaim(void);
void pfm_pmu_hand_over(void);

#endif /* _LINUX_PERFMON_H */
