/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: new values for data registers.
 */
#ifndef _KERNEL_PERFMON_RESET_H
#define _KERNEL_PERFMON_RESET_H

#include <linux/types.h>

struct pfm_event_set;

u32 pfm_random_seed(u32 seed);
u32 pfm_random_next(u32 state);
void pfm_pmd_set_value(struct pfm_event_set *set, unsigned int pmd, u64 value);
void pfm_reset_pmds(struct pfm_event_set *set, u64 overflowed, bool after_notify);
void pfm_reset_overdue(struct pfm_event_set *set, bool after_notify);
u64 pfm_laps(u64 beyond, u64 reset, u64 *value);
bool pfm_has_lapped(const struct pfm_event_set *set, unsigned int pmd);
u64 pfm_reset_recorded(struct pfm_event_set *set, u64 which);
u64 pfm_reset_laps(struct pfm_event_set *set, unsigned int pmd, u64 overflowed);

#endif /* _KERNEL_PERFMON_RESET_H */
