/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: start, stop, restart.
 */
#ifndef _KERNEL_PERFMON_CONTROL_H
#define _KERNEL_PERFMON_CONTROL_H

struct pfm_call;

int pfm_start(struct pfm_call *call);
int pfm_stop(struct pfm_call *call);
int pfm_restart(struct pfm_call *call);

#endif /* _KERNEL_PERFMON_CONTROL_H */
