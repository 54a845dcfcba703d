/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: commands for event sets.
 */
#ifndef _KERNEL_PERFMON_EVTSET_CMDS_H
#define _KERNEL_PERFMON_EVTSET_CMDS_H

struct pfm_call;

int pfm_create_evtsets(struct pfm_call *call);
int pfm_delete_evtsets(struct pfm_call *call);
int pfm_getinfo_evtsets(struct pfm_call *call);

#endif /* _KERNEL_PERFMON_EVTSET_CMDS_H */
