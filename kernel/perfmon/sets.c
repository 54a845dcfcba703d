// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: event sets. A context has set 0.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "perfmon.h"

/**
 * pfm_set_alloc() - Make an event set in which nothing is measured.
 * @id: its number
 *
 * Every register has its default value. Context: may sleep.
 *
 * Return: the set, to be freed with pfm_set_free(), or NULL.
 */
struct pfm_event_set *pfm_set_alloc(u16 id)
{
	const struct pfm_pmu *pmu = pfm_pmu;
	struct pfm_event_set *set;
	unsigned int i;
	size_t size;

	/* Bounded by PFM_MAX_*: some 70 KiB at most, 4 KiB on x86. */
	size = sizeof(*set) + pmu->num_pmds * sizeof(*set->pmds) +
	       pmu->num_pmcs * (sizeof(*set->attrs) + sizeof(*set->regs.pmcs));
	set = kvzalloc(size, GFP_KERNEL_ACCOUNT);
	if (!set)
		return NULL;

	set->id = id;
	set->pmds = (struct pfm_pmd *)(set + 1);
	set->attrs = (struct pfm_pmc_attr *)(set->pmds + pmu->num_pmds);
	set->regs.pmcs = (u64 *)(set->attrs + pmu->num_pmcs);
	for (i = 0; i < pmu->num_pmcs; i++)
		set->regs.pmcs[i] = pmu->pmcs[i].def;
	for (i = 0; i < pmu->num_pmds; i++)
		set->pmds[i].value = pmu->pmds[i].def;
	return set;
}

/**
 * pfm_set_free() - Free an event set.
 * @set: the set, or NULL
 */
void pfm_set_free(struct pfm_event_set *set)
{
	kvfree(set);
}

/**
 * pfm_set_find() - Look an event set up.
 * @ctx: the context, locked
 * @id: number of the set
 *
 * Return: the set or NULL.
 */
struct pfm_event_set *pfm_set_find(struct pfm_context *ctx, u16 id)
{
	lockdep_assert_held(&ctx->lock);
	return ctx->set0->id == id ? ctx->set0 : NULL;
}
