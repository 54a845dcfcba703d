/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: features of some PMUs only.
 */
#ifndef _KERNEL_PERFMON_RULES_H
#define _KERNEL_PERFMON_RULES_H

#include <linux/perfmon_pmu.h>
#include <linux/types.h>

struct pfm_context;
struct pfm_event_set;
struct task_struct;

/* Flags that belong to the architecture: bits 16-23. */
#define PFM_FL_ARCH		0x00ff0000U

int pfm_rules_check_context(u32 flags);
u32 pfm_rules_set_flags(void);
bool pfm_rules_allow_set(u32 ctx_flags, u32 set_flags);
int pfm_rules_check_pmc(const struct pfm_event_set *set, unsigned int pmc, u64 value);
bool pfm_rules_stop_excluded(u32 set_flags);
bool pfm_rules_direct(void);
void pfm_rules_thread(struct pfm_context *ctx, struct task_struct *task,
		      enum pfm_thread_event event);

#endif /* _KERNEL_PERFMON_RULES_H */
