/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: PMU operations of the Itanium: the declarations that its files share.
 */
#ifndef _IA64_PERFMON_WORK_H
#define _IA64_PERFMON_WORK_H

#include <linux/percpu.h>
#include "ita_model.h"

/* In &pfm_regs.enable: some monitor counts the kernel. */
#define PFM_ITA_ENABLE_KERNEL	1

/* ita.c */
extern const struct pfm_pmu_ops pfm_ita_ops;
const struct pfm_pmu *pfm_ita_use(const struct pfm_ita_model *model);
const struct pfm_ita_model *pfm_ita_model_here(void);

/* rules.c */
extern const struct pfm_pmu_rules pfm_ita_rules;

/* psr.c: psr and dcr. */
void pfm_ita_psr_start(const struct pfm_regs *regs);
void pfm_ita_psr_stop(const struct pfm_regs *regs);
void pfm_ita_psr_reset(void);
void pfm_ita_psr_thread(struct task_struct *task, const struct pfm_regs *regs,
			enum pfm_thread_event event);
void pfm_ita_psr_switch(struct task_struct *prev, struct task_struct *next);
DECLARE_PER_CPU(unsigned long, pfm_ita_session);

/* debug.c: the debug registers, which are ptrace's as well. */
int pfm_ita_debug_claim(void);
void pfm_ita_debug_unclaim(void);
int pfm_ita_debug_thread_uses(void);
void pfm_ita_debug_thread_drops(void);
void pfm_ita_debug_clean(void);

#endif /* _IA64_PERFMON_WORK_H */
