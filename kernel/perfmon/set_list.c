// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the event sets of a context, and their order.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "context.h"
#include "event_set.h"
#include "memory.h"
#include "pmu.h"
#include "set_list.h"

/*
 * A new event set, to be copied: complete, but for the parts that depend on the context. Its
 * size is bounded by PFM_MAX_*: some 25 KiB at most, 3 to 8 on x86.
 */
static struct pfm_event_set pfm_set_none;
/* Written at boot only; kmemleak does not look for pointers in a module's __ro_after_init. */
static struct pfm_event_set *pfm_set_template = &pfm_set_none;
static size_t pfm_set_size __ro_after_init = sizeof(pfm_set_none);

/* The arrays that follow the set itself in its memory. */
static void pfm_set_layout(struct pfm_event_set *set)
{
	struct pfm_pmd *pmds = (struct pfm_pmd *)(set + 1);
	struct pfm_request *counters = (struct pfm_request *)(pmds + pfm_pmu->num_pmds);
	struct pfm_request *pmcs = counters + pfm_counters_end;

	set->pmds = (struct pfm_pmd_array *)pmds;
	set->counter_requests = (struct pfm_request_array *)counters;
	set->pmc_requests = (struct pfm_request_array *)pmcs;
	set->regs.pmcs = (u64 *)(pmcs + pfm_pmu->num_pmcs);
}

/* Every register has its default value. */
static void pfm_set_defaults(struct pfm_event_set *set)
{
	const struct pfm_reg_desc *desc;
	struct pfm_pmd *pmd;
	unsigned int i;

	for (i = 0; i < pfm_pmu->num_pmcs; i++)
		set->regs.pmcs[i] = pfm_pmu->pmcs[i].def;
	pfm_for_each_bit(i, pfm_hw_pmds) {
		desc = &pfm_pmu->pmds[i];
		pmd = pfm_pmd_of(set, i);
		pmd->value = desc->def;
		if (desc->cls == PFM_CLASS_COUNTER) {
			pmd->mask = pfm_width_mask(desc->width);
			pmd->top = pfm_counter_top(desc);
		}
	}
}

/**
 * pfm_sets_forget_pmu() - Free the template that belongs to the PMU; there is no event set.
 *
 * Nor will there be one before pfm_sets_set_pmu() has made another template.
 *
 * Context: may sleep.
 */
void pfm_sets_forget_pmu(void)
{
	if (pfm_set_template != &pfm_set_none)
		kvfree(pfm_set_template);
}

/**
 * pfm_sets_set_pmu() - Event sets are those of another PMU from now on.
 *
 * Context: boot; pfm_pmu has changed, there is no context. May sleep.
 */
void pfm_sets_set_pmu(void)
{
	const struct pfm_pmu *pmu = pfm_pmu;

	pfm_sets_forget_pmu();
	pfm_set_size = sizeof(struct pfm_event_set) + pmu->num_pmds * sizeof(struct pfm_pmd) +
		       (pfm_counters_end + pmu->num_pmcs) * sizeof(struct pfm_request) +
		       pmu->num_pmcs * sizeof(u64);
	pfm_set_template = kvzalloc(pfm_set_size, GFP_KERNEL | __GFP_NOFAIL);
	pfm_set_layout(pfm_set_template);
	pfm_set_defaults(pfm_set_template);
}

/* An event set in which nothing is measured: every register has its default value. */
static struct pfm_event_set *pfm_set_alloc(u16 id, u32 ctx_flags)
{
	struct pfm_event_set *set = kvmalloc(pfm_set_size, GFP_KERNEL_ACCOUNT);

	if (!set)
		return NULL;
	memcpy(set, pfm_set_template, pfm_set_size);
	pfm_set_layout(set);
	set->id = id;
	set->regs.ctx_flags = ctx_flags;
	return set;
}

static void pfm_set_free(struct pfm_context *ctx, struct pfm_event_set *set)
{
	kvfree(set);
	pfm_memory_uncharge(ctx, pfm_set_size);
}

/**
 * pfm_set_find() - Look an event set up.
 * @ctx: the context, locked by the caller, or not in use by another thread
 * @id: number of the set
 *
 * Context: any but NMI.
 *
 * Return: the set or NULL.
 */
struct pfm_event_set *pfm_set_find(struct pfm_context *ctx, u16 id)
{
	return id ? xa_load(&ctx->sets, id) : ctx->set0;
}

/**
 * pfm_sets_init() - Give a new context its set 0.
 * @ctx: the context
 *
 * Return: 0 or -ENOMEM.
 */
int pfm_sets_init(struct pfm_context *ctx)
{
	int err = pfm_memory_charge(ctx, pfm_set_size);

	if (err)
		return err;
	xa_init(&ctx->sets);
	ctx->set0 = pfm_set_alloc(0, ctx->flags);
	ctx->set = ctx->set0;
	return ctx->set0 ? 0 : -ENOMEM;
}

/**
 * pfm_sets_destroy() - Free all sets of a context.
 * @ctx: the context
 */
void pfm_sets_destroy(struct pfm_context *ctx)
{
	struct pfm_event_set *set;
	unsigned long id;

	pfm_for_each_set(ctx, id, set)
		kvfree(set);
	xa_destroy(&ctx->sets);
}

/**
 * pfm_sets_chain() - Check and link the sets' order, before they are used.
 * @ctx: the context, locked, not loaded
 *
 * A set is followed by the one that it names, or else by the next in number, and
 * the last one by the first.
 *
 * Return: 0; -EINVAL when a set names one that does not exist.
 */
int pfm_sets_chain(struct pfm_context *ctx)
{
	struct pfm_event_set *set, *last = NULL;
	unsigned long id;

	lockdep_assert_held(&ctx->lock);
	pfm_for_each_set(ctx, id, set) {
		if ((set->flags & PFM_SETFL_EXPL_NEXT) && !pfm_set_find(ctx, set->id_next))
			return -EINVAL;
	}
	pfm_for_each_set(ctx, id, set) {
		if (last && !(last->flags & PFM_SETFL_EXPL_NEXT))
			last->next = set;
		if (set->flags & PFM_SETFL_EXPL_NEXT)
			set->next = pfm_set_find(ctx, set->id_next);
		last = set;
	}
	if (!(last->flags & PFM_SETFL_EXPL_NEXT))
		last->next = ctx->set0;
	return 0;
}

/**
 * pfm_sets_have_pmc() - Does a set of a context have a PMC?
 * @ctx: the context, locked
 */
bool pfm_sets_have_pmc(struct pfm_context *ctx)
{
	struct pfm_event_set *set;
	unsigned long id;

	pfm_for_each_set(ctx, id, set) {
		if (pfm_bv_next(set->regs.used_pmcs, PFM_MAX_PMCS, 0) < PFM_MAX_PMCS)
			return true;
	}
	return false;
}

/**
 * pfm_sets_refresh() - Clear the state of the sets that is left from the last load.
 * @ctx: the context, locked, just attached
 *
 * A reset of the last active set that waited for PFM_RESTART is not made any more. A reset that
 * waits until its set becomes active still waits.
 */
void pfm_sets_refresh(struct pfm_context *ctx)
{
	struct pfm_event_set *set;
	unsigned long id;

	/* A set that was made since may be where the loaded one was. */
	ctx->loaded_set = NULL;
	pfm_for_each_set(ctx, id, set) {
		set->switch_pmds = 0;
		if (set == ctx->set)
			set->ovfl_pmds = 0;
	}
}

/**
 * pfm_set_obtain() - Find a set, or make it.
 * @ctx: the context, locked, not loaded
 * @id: number of the set
 *
 * Return: the set, or ERR_PTR(-ENOMEM).
 */
struct pfm_event_set *pfm_set_obtain(struct pfm_context *ctx, u16 id)
{
	struct pfm_event_set *set = pfm_set_find(ctx, id);
	int err;

	if (set)
		return set;
	err = pfm_memory_charge(ctx, pfm_set_size);
	if (err)
		return ERR_PTR(err);
	set = pfm_set_alloc(id, ctx->flags);
	err = set ? xa_err(xa_store(&ctx->sets, id, set, GFP_KERNEL_ACCOUNT)) : -ENOMEM;
	if (err) {
		pfm_set_free(ctx, set);
		return ERR_PTR(err);
	}
	ctx->last_set = max(ctx->last_set, id);
	return set;
}

/**
 * pfm_set_remove() - Free a set.
 * @ctx: the context, locked, not loaded
 * @id: number of the set, not 0
 *
 * Return: true if it existed.
 */
bool pfm_set_remove(struct pfm_context *ctx, u16 id)
{
	struct pfm_event_set *set = xa_erase(&ctx->sets, id);

	if (!set)
		return false;
	/* As long as others are left, it may be higher than theirs. */
	if (xa_empty(&ctx->sets))
		ctx->last_set = 0;
	if (ctx->set == set)
		ctx->set = ctx->set0;
	pfm_set_free(ctx, set);
	return true;
}
