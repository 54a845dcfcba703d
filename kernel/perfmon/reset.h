/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: new values for data registers.
 */
#ifndef _KERNEL_PERFMON_RESET_H
#define _KERNEL_PERFMON_RESET_H

#include <linux/bits.h>
#include <linux/types.h>
#include "event_set.h"

u32 pfm_random_seed(u32 seed);
u32 pfm_random_next(u32 state);
void pfm_pmd_set_value(struct pfm_event_set *set, unsigned int pmd, u64 value);
void pfm_reset_pmds(struct pfm_event_set *set, u64 overflowed, bool after_notify);
void pfm_reset_overdue(struct pfm_event_set *set, bool after_notify);
u64 pfm_laps(u64 beyond, u64 reset, u64 *value);
bool pfm_has_lapped(const struct pfm_event_set *set, unsigned int pmd);
u64 pfm_reset_recorded(struct pfm_event_set *set, u64 which);
u64 pfm_reset_laps(struct pfm_event_set *set, unsigned int pmd, u64 overflowed);
u64 pfm_random_reset(struct pfm_pmd *p, u64 reset);

/**
 * pfm_reset_alone() - pfm_reset_recorded() for one counter, if it is no more than its new value.
 * @set: event set; not counting
 * @i: index of the counter, which has 64 bits
 * @pmd: the counter
 * @request: its pfm_counter_request()
 *
 * The caller loads the counter: it is not marked dirty.
 *
 * Context: on the target.
 *
 * Return: false, and nothing is changed, if other PMDs are reset with it, or if it has overflowed
 * again.
 */
static __always_inline bool pfm_reset_alone(struct pfm_event_set *set, unsigned int i,
					    struct pfm_pmd *pmd, const struct pfm_request *request)
{
	u64 value = pmd->short_reset;

	if (unlikely(request->reset_pmds || pmd->value > ~value))
		return false;
	if (set->random_pmds & BIT_ULL(i))
		value = pfm_random_reset(pmd, value);
	pmd->last_reset = value;
	pmd->value = value;
	return true;
}

#endif /* _KERNEL_PERFMON_RESET_H */
