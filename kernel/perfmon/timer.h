/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a timer for each CPU.
 */
#ifndef _KERNEL_PERFMON_TIMER_H
#define _KERNEL_PERFMON_TIMER_H

#include <linux/types.h>

void pfm_timers_init(void (*expired)(u64 now), void (*queued)(u64 now));
void pfm_timers_exit(void);
void pfm_timer_at(u64 end, u64 now);
void pfm_timer_forget(unsigned int cpu);

#endif /* _KERNEL_PERFMON_TIMER_H */
