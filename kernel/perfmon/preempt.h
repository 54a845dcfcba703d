/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: sessions that give way. Under pfm_sessions.lock, but for the last function.
 */
#ifndef _KERNEL_PERFMON_PREEMPT_H
#define _KERNEL_PERFMON_PREEMPT_H

struct pfm_context;

void pfm_preempt_add(struct pfm_context *ctx);
void pfm_preempt_del(struct pfm_context *ctx);
void pfm_preempt_suspend(void);
void pfm_preempt_resume(void);
void pfm_preempt_for_good(void);

#endif /* _KERNEL_PERFMON_PREEMPT_H */
