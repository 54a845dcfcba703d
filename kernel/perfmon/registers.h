/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: commands for registers.
 */
#ifndef _KERNEL_PERFMON_REGISTERS_H
#define _KERNEL_PERFMON_REGISTERS_H

struct pfm_call;

int pfm_write_pmcs(struct pfm_call *call);
int pfm_write_pmds(struct pfm_call *call);
int pfm_read_pmds(struct pfm_call *call);
int pfm_getinfo_pmcs(struct pfm_call *call);
int pfm_getinfo_pmds(struct pfm_call *call);

#endif /* _KERNEL_PERFMON_REGISTERS_H */
