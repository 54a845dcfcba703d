/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the bound on the time that interrupts take of a CPU.
 */
#ifndef _KERNEL_PERFMON_THROTTLE_H
#define _KERNEL_PERFMON_THROTTLE_H

#include <linux/types.h>

extern unsigned int pfm_interrupt_rate_max;
extern unsigned int pfm_cpu_time_max_percent;
void pfm_throttle_charge(u64 began);
void pfm_throttle_check(u64 now);
void pfm_throttle_wait(int cpu);

#endif /* _KERNEL_PERFMON_THROTTLE_H */
