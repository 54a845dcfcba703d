/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: an event set: one complete software state of the PMU.
 */
#ifndef _KERNEL_PERFMON_EVENT_SET_H
#define _KERNEL_PERFMON_EVENT_SET_H

#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/types.h>
#include "pmu.h"

struct pfm_pmd_array;
struct pfm_request_array;

/**
 * struct pfm_pmd - Software side of a PMD in an event set.
 * @value: 64-bit value when the hardware register held @hw; where 64-bit
 *	emulation is off, the bits beyond the register are ones, so that it
 *	overflows where the register does
 * @hw: hardware value when @value was last brought up to date
 * @mask: bits that the hardware counter has; 0: it is no counter
 * @top: of these, the result of pfm_counter_top()
 * @last_reset: value last loaded by a write or a reset
 * @long_reset: reload value after a notification
 * @short_reset: reload value after an overflow without one
 * @random_mask: bits of a reset that vary
 * @random: state of the generator of the variation
 * @ovflsw_thres: overflows until the set is left; 0: this counter does not cause a switch
 * @ovflsw_left: of these, those still to come
 *
 * The present value of a live counter is value + ((register - hw) mod 2^width).
 */
struct pfm_pmd {
	u64			value;
	u64			hw;
	u64			mask;
	u64			top;
	u64			last_reset;
	u64			long_reset;
	u64			short_reset;
	u64			random_mask;
	u32			random;
	u64			ovflsw_thres;
	u64			ovflsw_left;
};

/**
 * struct pfm_request - Work requested for the overflow of a counter.
 * @flags: PFM_REGFL_*
 * @smpl_count: number of PMDs to record
 * @smpl_virtual: of these the virtual ones, from PFM_VIRTUAL_PMD on
 * @smpl_pmds: of these the hardware's
 * @reset_pmds: PMDs to reset with it
 * @eventid: opaque, for the sampling format
 *
 * A PMC has one request for all its counters; a counter has the union of its PMCs' requests.
 */
struct pfm_request {
	u32			flags;
	u16			smpl_count;
	u16			smpl_virtual;
	u64			smpl_pmds;
	u64			reset_pmds;
	u64			eventid;
};

static_assert(PFM_NUM_VIRTUAL_PMDS <= 16 && PFM_VIRTUAL_PMD % 64 + PFM_NUM_VIRTUAL_PMDS <= 64);

/**
 * struct pfm_event_set - One complete software state of the PMU.
 *
 * Access to fields is as for those of struct pfm_context that are marked H, except where
 * noted.
 *
 * @regs: the part that the architecture works with
 * @dirty: PMCs were changed since they were last loaded
 * @kernel: kernel level is counted, too
 * @dirty_pmds: PMDs that were changed since they were last loaded
 * @dirty_pmcs: PMCs, likewise
 * @notify_pmds: counters whose overflow notifies
 * @random_pmds: counters whose resets vary
 * @narrow_pmds: counters without 64-bit emulation
 * @trigger_pmds: counters that have a threshold
 * @ovfl_pmds: counters that overflowed and whose reset waits for a restart or an activation
 * @switch_pmds: counters that last made the context leave this set
 * @timeout: time until the set is left, ns [I while loaded]
 * @left: of @timeout, still to come
 * @active: time for which the set was monitoring, ns
 * @runs: how often it became the active set
 * @next: the set that follows [valid and I while loaded]
 * @id: number of the set [I]
 * @id_next: explicit successor [I while loaded]
 * @flags: PFM_SETFL_* [I while loaded]
 * @pmds: by index, pfm_pmd_of() [the pointer: I]
 * @counter_requests: by PMD index, up to the last counter, pfm_counter_request() [the
 *	pointer: I]
 * @pmc_requests: by PMC index, pfm_pmc_request() [the pointer: I]
 *
 * The three arrays have incomplete types: an index that no accessor has checked does not
 * compile.
 */
struct pfm_event_set {
	struct pfm_regs		regs;
	bool			dirty;
	bool			kernel;
	u64			dirty_pmds;
	u64			dirty_pmcs[PFM_MAX_PMC_BITVECTOR];
	u64			notify_pmds;
	u64			random_pmds;
	u64			narrow_pmds;
	u64			trigger_pmds;
	u64			ovfl_pmds;
	u64			switch_pmds;
	u64			timeout;
	u64			left;
	u64			active;
	u64			runs;
	struct pfm_event_set	*next;
	u16			id;
	u16			id_next;
	u32			flags;
	struct pfm_pmd_array	*pmds;
	struct pfm_request_array *counter_requests;
	struct pfm_request_array *pmc_requests;
};

/* An index beyond the PMU's registers is a bug of the caller: register 0 instead. */
static __always_inline struct pfm_pmd *pfm_pmd_of(const struct pfm_event_set *set,
						  unsigned int pmd)
{
	if (WARN_ON_ONCE(pmd >= pfm_num_pmds))
		pmd = 0;
	return (struct pfm_pmd *)set->pmds + pmd;
}

/* NULL: the PMD is no counter, and cannot overflow. */
static __always_inline struct pfm_request *pfm_counter_request(const struct pfm_event_set *set,
							       unsigned int pmd)
{
	return pmd < pfm_counters_end ? (struct pfm_request *)set->counter_requests + pmd : NULL;
}

/* As pfm_pmd_of(). */
static __always_inline struct pfm_request *pfm_pmc_request(const struct pfm_event_set *set,
							   unsigned int pmc)
{
	if (WARN_ON_ONCE(pmc >= pfm_pmu->num_pmcs))
		pmc = 0;
	return (struct pfm_request *)set->pmc_requests + pmc;
}

/* Events between two readings of a counter: fewer than its range. */
static inline u64 pfm_counter_delta(const struct pfm_pmd *pmd, u64 to)
{
	return (to - pmd->hw) & pmd->mask;
}

/**
 * pfm_counter_arm() - Value to load into a hardware counter for a 64-bit value.
 * @mask: bits of the hardware counter
 * @top: pfm_counter_top() of it
 * @value: 64-bit value of the logical counter
 *
 * The hardware counter must overflow at the latest when the logical one does,
 * that is, when it reaches 2^64; overflows before that are steps on the way.
 * It gets the low bits of @value if these are near enough to the
 * overflow, else the farthest point before it that a write can set and whose
 * highest bit is set. So after an overflow the counter always reads lower than
 * before: a counter that begins at zero could wrap unnoticed.
 *
 * Return: the value to load.
 */
static inline u64 pfm_counter_arm(u64 mask, u64 top, u64 value)
{
	u64 low = value & mask;

	return (low & top) == top ? low : top;
}

/* A PMD's value as its user sees it: without 64-bit emulation, just the register. */
static inline u64 pfm_pmd_user_value(const struct pfm_event_set *set, unsigned int pmd, u64 value)
{
	return set->narrow_pmds & BIT_ULL(pmd) ? value & pfm_pmd_of(set, pmd)->mask : value;
}

#endif /* _KERNEL_PERFMON_EVENT_SET_H */
