/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: sessions, and which of them have the PMU.
 */
#ifndef _KERNEL_PERFMON_SESSIONS_H
#define _KERNEL_PERFMON_SESSIONS_H

#include <linux/types.h>

struct pfm_context;

int pfm_gate_enter(void);
void pfm_gate_leave(void);
bool pfm_gate_is_stale(void);
int pfm_session_get(struct pfm_context *ctx, bool pmu);
void pfm_session_put(struct pfm_context *ctx);
void pfm_session_counts(unsigned int *threads, unsigned int *cpus);

#endif /* _KERNEL_PERFMON_SESSIONS_H */
