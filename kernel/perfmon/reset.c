// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: new values for data registers, with or without variation.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include "event_set.h"
#include "pmu.h"
#include "reset.h"

/*
 * The "minimal standard" generator of Park and Miller, in Carta's form: a
 * multiplication modulo 2^31 - 1 without a division. Source: S. Park,
 * K. Miller, "Random Number Generators: Good Ones Are Hard to Find", 1988, to
 * which the specification refers.
 */
#define PFM_RANDOM_FACTOR	16807
#define PFM_RANDOM_MODULUS	0x7fffffffU

/**
 * pfm_random_seed() - State of the generator for a seed.
 * @seed: any number; equal ones modulo 2^31 - 1 give equal series
 *
 * Return: 1 to 2^31 - 2: zero would stay zero.
 */
u32 pfm_random_seed(u32 seed)
{
	seed %= PFM_RANDOM_MODULUS;
	return seed ? seed : 1;
}

/**
 * pfm_random_next() - Next number of a series.
 * @state: the one before, or pfm_random_seed()
 *
 * Return: 1 to 2^31 - 2.
 */
u32 pfm_random_next(u32 state)
{
	u64 product = (u64)state * PFM_RANDOM_FACTOR;
	u32 sum = (product & PFM_RANDOM_MODULUS) + (u32)(product >> 31);

	/* 2^31 is 1 modulo 2^31 - 1: the high part counts like the low one. */
	return sum >= PFM_RANDOM_MODULUS ? sum - PFM_RANDOM_MODULUS : sum;
}

/* Bits in which a counter counts to its overflow: without 64-bit emulation the hardware's. */
static __always_inline u64 pfm_pmd_bits(const struct pfm_event_set *set, unsigned int pmd,
					const struct pfm_pmd *p)
{
	return unlikely(set->narrow_pmds & BIT_ULL(pmd)) ? p->mask : ~0ULL;
}

static __always_inline void pfm_pmd_set(struct pfm_event_set *set, unsigned int pmd,
					struct pfm_pmd *p, u64 value)
{
	/* A counter is 64 bits wide to its user, whatever the hardware reserves. */
	if (!p->mask)
		value = pfm_reg_apply_rsvd(&pfm_pmu->pmds[pmd], value);
	p->last_reset = value;
	p->value = value | ~pfm_pmd_bits(set, pmd, p);
	set->dirty_pmds |= BIT_ULL(pmd);
}

/**
 * pfm_pmd_set_value() - Give a hardware PMD a value, as a write or a reset does.
 * @set: event set; not counting
 * @pmd: index
 * @value: the value; bits that the register does not have are ignored
 *
 * Context: on the target.
 */
void pfm_pmd_set_value(struct pfm_event_set *set, unsigned int pmd, u64 value)
{
	pfm_pmd_set(set, pmd, pfm_pmd_of(set, pmd), value);
}

/**
 * pfm_random_reset() - Next value of a counter with random resets.
 * @p: the counter, whose generator advances
 * @reset: the value that is varied
 *
 * Return: the value.
 *
 * Context: on the target.
 */
u64 pfm_random_reset(struct pfm_pmd *p, u64 reset)
{
	p->random = pfm_random_next(p->random);
	return reset + (p->random & p->random_mask);
}

static __always_inline void pfm_reset_pmd(struct pfm_event_set *set, unsigned int pmd,
					  bool after_notify)
{
	struct pfm_pmd *p = pfm_pmd_of(set, pmd);
	u64 value = after_notify ? p->long_reset : p->short_reset;

	if (set->random_pmds & BIT_ULL(pmd))
		value = pfm_random_reset(p, value);
	pfm_pmd_set(set, pmd, p, value);
}

/**
 * pfm_reset_pmds() - Reset counters that overflowed, and the PMDs that are reset with them.
 * @set: event set; not counting
 * @overflowed: the counters; or a PMD of the hardware that is read and reset
 * @after_notify: with the long values, else with the short ones
 *
 * Context: on the target.
 */
void pfm_reset_pmds(struct pfm_event_set *set, u64 overflowed, bool after_notify)
{
	const struct pfm_request *request;
	u64 which = overflowed;
	unsigned int i;

	pfm_for_each_bit(i, overflowed) {
		request = pfm_counter_request(set, i);
		if (request)
			which |= request->reset_pmds;
	}
	pfm_for_each_bit(i, which)
		pfm_reset_pmd(set, i, after_notify);
}

/**
 * pfm_reset_overdue() - Reset the counters of a set whose reset is due.
 * @set: event set; not counting
 * @after_notify: as for pfm_reset_pmds()
 *
 * Context: on the target.
 */
void pfm_reset_overdue(struct pfm_event_set *set, bool after_notify)
{
	pfm_reset_pmds(set, set->ovfl_pmds, after_notify);
	set->ovfl_pmds = 0;
}

/**
 * pfm_laps() - Number of periods that a counter has completed since an overflow.
 * @beyond: events since the overflow
 * @reset: value that each overflow sets
 * @value: set to the counter's value after these periods
 *
 * Return: the overflows after the first one.
 */
u64 pfm_laps(u64 beyond, u64 reset, u64 *value)
{
	u64 rest = beyond, laps = 0;

	/* From 0 the next overflow is 2^64 events away, more than @beyond can be. */
	if (beyond > ~reset)
		laps = div64_u64_rem(beyond, -reset, &rest);
	*value = reset + rest;
	return laps;
}

/* Random periods that are followed one by one; further ones are taken at their mean. */
#define PFM_RANDOM_LAPS		16

/* @ones: bits that are set in all values of the counter */
static u64 pfm_random_laps(struct pfm_pmd *p, u64 beyond, u64 ones, u64 *reset, u64 *value)
{
	u64 mean = (p->short_reset + p->random_mask / 2) | ones;
	u64 laps;

	for (laps = 0; laps < PFM_RANDOM_LAPS; laps++) {
		*reset = pfm_random_reset(p, p->short_reset);
		if (beyond <= ~(*reset | ones)) {
			*value = (*reset | ones) + beyond;
			return laps;
		}
		beyond += *reset | ones;
	}
	laps += pfm_laps(beyond, mean, value);
	*reset = pfm_random_reset(p, p->short_reset);
	/* This period may be shorter than the mean: then it ends with the next event. */
	*value = (*reset | ones) + min(*value - mean, ~(*reset | ones));
	return laps;
}

/**
 * pfm_has_lapped() - Is a counter a whole period past its overflow?
 * @set: event set; not counting
 * @pmd: the counter
 */
bool pfm_has_lapped(const struct pfm_event_set *set, unsigned int pmd)
{
	const struct pfm_pmd *p = pfm_pmd_of(set, pmd);
	u64 bits = pfm_pmd_bits(set, pmd, p);

	return (p->value & bits) > (~p->short_reset & bits);
}

/**
 * pfm_reset_laps() - Reset a counter as if each of its overflows had reset it at once.
 * @set: event set; not counting
 * @pmd: the counter, which has overflowed
 * @overflowed: all counters that have overflowed: @pmd does not reset them
 *
 * With random resets, the number is estimated by their mean after some periods.
 *
 * Context: on the target.
 *
 * Return: number of overflows after the first one.
 */
u64 pfm_reset_laps(struct pfm_event_set *set, unsigned int pmd, u64 overflowed)
{
	const struct pfm_request *request = pfm_counter_request(set, pmd);
	struct pfm_pmd *p = pfm_pmd_of(set, pmd);
	u64 bits = pfm_pmd_bits(set, pmd, p), beyond = p->value & bits;
	u64 reset = p->short_reset, value, laps;
	unsigned int i;

	if (set->random_pmds & BIT_ULL(pmd))
		laps = pfm_random_laps(p, beyond, ~bits, &reset, &value);
	else
		laps = pfm_laps(beyond, reset | ~bits, &value);
	pfm_pmd_set(set, pmd, p, value);
	p->last_reset = reset;
	if (!request)
		return laps;
	pfm_for_each_bit(i, request->reset_pmds & ~overflowed)
		pfm_reset_pmd(set, i, false);
	return laps;
}

/**
 * pfm_reset_recorded() - Reset counters whose overflows were recorded, and PMDs with them.
 * @set: event set; not counting
 * @which: the counters
 *
 * A counter that overflowed again meanwhile, because events come too fast, keeps the events since.
 *
 * Context: on the target.
 *
 * Return: number of further overflows, of which none was recorded.
 */
u64 pfm_reset_recorded(struct pfm_event_set *set, u64 which)
{
	const struct pfm_request *request;
	u64 others = 0, lost = 0;
	unsigned int i;

	pfm_for_each_bit(i, which) {
		if (unlikely(pfm_has_lapped(set, i))) {
			lost += pfm_reset_laps(set, i, which);
			continue;
		}
		request = pfm_counter_request(set, i);
		if (request)
			others |= request->reset_pmds;
		pfm_reset_pmd(set, i, false);
	}
	pfm_for_each_bit(i, others & ~which)
		pfm_reset_pmd(set, i, false);
	return lost;
}
