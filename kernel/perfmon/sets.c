// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: event sets: what a context has of them, and in which order.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "perfmon.h"

#define PFM_SETFL_ALL	(PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH |	\
			 PFM_SETFL_EXPL_NEXT | PFM_SETFL_EXCL_IDLE |		\
			 PFM_SETFL_EXCL_KERNEL_ONLY_THREADS | PFM_SETFL_ARCH)

/*
 * An event set as it is made, but for what depends on the context: to be copied. Its
 * size is bounded by PFM_MAX_*: some 25 KiB at most, 3 to 8 on x86.
 */
static struct pfm_event_set pfm_set_none;
static struct pfm_event_set *pfm_set_template __ro_after_init = &pfm_set_none;
static size_t pfm_set_size __ro_after_init = sizeof(pfm_set_none);

unsigned int pfm_counters_end __ro_after_init;

/* What follows the set itself in its memory. */
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
 * pfm_sets_use() - Event sets are those of another PMU from now on.
 *
 * Context: boot; pfm_pmu has changed, there is no context. May sleep.
 */
void pfm_sets_use(void)
{
	const struct pfm_pmu *pmu = pfm_pmu;
	unsigned int i;

	pfm_counters_end = 0;
	for (i = 0; i < pmu->num_pmds; i++) {
		if (pmu->pmds[i].cls == PFM_CLASS_COUNTER)
			pfm_counters_end = i + 1;
	}
	pfm_set_size = sizeof(struct pfm_event_set) + pmu->num_pmds * sizeof(struct pfm_pmd) +
		       (pfm_counters_end + pmu->num_pmcs) * sizeof(struct pfm_request) +
		       pmu->num_pmcs * sizeof(u64);
	if (pfm_set_template != &pfm_set_none)
		kvfree(pfm_set_template);
	pfm_set_template = kvzalloc(pfm_set_size, GFP_KERNEL | __GFP_NOFAIL);
	pfm_set_layout(pfm_set_template);
	pfm_set_defaults(pfm_set_template);
}

/**
 * pfm_set_alloc() - Make an event set in which nothing is measured.
 * @id: its number
 * @ctx_flags: its context's flags
 *
 * Every register has its default value. Context: may sleep.
 *
 * Return: the set, to be freed with pfm_set_free(), or NULL.
 */
struct pfm_event_set *pfm_set_alloc(u16 id, u32 ctx_flags)
{
	struct pfm_event_set *set = kvmalloc(pfm_set_size, GFP_KERNEL_ACCOUNT);

	if (!set)
		return NULL;
	memcpy(set, pfm_set_template, pfm_set_size);
	pfm_set_layout(set);
	set->id = id;
	set->next = set;
	set->regs.ctx_flags = ctx_flags;
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
 * @ctx: the context, locked by the caller or by whom it works for
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
		pfm_set_free(set);
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
 * pfm_sets_refresh() - Forget what the sets have left over from the last time.
 * @ctx: the context, locked, just attached
 *
 * A PFM_RESTART that the set active last waited for does not come any more. What is to
 * be reset when its set is active again still is.
 */
void pfm_sets_refresh(struct pfm_context *ctx)
{
	struct pfm_event_set *set;
	unsigned long id;

	pfm_for_each_set(ctx, id, set) {
		set->switch_pmds = 0;
		if (set == ctx->set)
			set->ovfl_pmds = 0;
	}
}

/* Find a set, or make it. */
static struct pfm_event_set *pfm_set_obtain(struct pfm_context *ctx, u16 id)
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
		pfm_set_free(set);
		pfm_memory_uncharge(ctx, pfm_set_size);
		return ERR_PTR(err);
	}
	return set;
}

static bool pfm_setdesc_valid(const struct pfm_context *ctx, const pfarg_setdesc_t *req)
{
	u32 flags = req->set_flags & ~PFM_SET_RETFL_MASK;
	const u32 methods = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH;
	const u32 exclusions = PFM_SETFL_EXCL_IDLE | PFM_SETFL_EXCL_KERNEL_ONLY_THREADS;

	if (flags & ~PFM_SETFL_ALL)
		return false;
	if ((flags & methods) == methods || (flags & exclusions) == exclusions)
		return false;
	if ((flags & PFM_SETFL_EXCL_KERNEL_ONLY_THREADS) && !pfm_is_system_wide(ctx))
		return false;
	if (!pfm_rules_allow_set(ctx->flags, flags))
		return false;
	if (req->set_id && ctx->fmt && (ctx->fmt->fmt_flags & PFM_FMTFL_NOSET))
		return false;
	if (!(flags & PFM_SETFL_TIME_SWITCH))
		return true;
	/* KTIME_MAX: what the timer can do, some 292 years. */
	return req->set_timeout.tv_sec >= 0 && req->set_timeout.tv_sec < KTIME_SEC_MAX &&
	       req->set_timeout.tv_nsec >= 0 && req->set_timeout.tv_nsec < NSEC_PER_SEC &&
	       (req->set_timeout.tv_sec || req->set_timeout.tv_nsec);
}

static void pfm_put_time(struct __kernel_timespec *ts, u64 ns)
{
	u32 rest;

	ts->tv_sec = div_u64_rem(ns, NSEC_PER_SEC, &rest);
	ts->tv_nsec = rest;
}

static int pfm_create_evtset(struct pfm_context *ctx, pfarg_setdesc_t *req)
{
	struct pfm_event_set *set;
	u64 ns;

	if (!pfm_setdesc_valid(ctx, req))
		return -EINVAL;
	set = pfm_set_obtain(ctx, req->set_id);
	if (IS_ERR(set))
		return PTR_ERR(set);
	set->id_next = req->set_id_next;
	set->flags = req->set_flags & ~PFM_SET_RETFL_MASK;
	set->regs.set_flags = set->flags;
	set->timeout = 0;
	if (set->flags & PFM_SETFL_TIME_SWITCH) {
		ns = (u64)req->set_timeout.tv_sec * NSEC_PER_SEC + req->set_timeout.tv_nsec;
		set->timeout = pfm_timeout_effective(ns);
		pfm_put_time(&req->set_timeout, set->timeout);
	}
	set->left = set->timeout;
	return 0;
}

/* Go through a vector of descriptions up to the first bad one. */
static int pfm_for_evtsets(struct pfm_call *call,
			   int (*fn)(struct pfm_context *ctx, pfarg_setdesc_t *req))
{
	pfarg_setdesc_t *req = call->args;
	unsigned int i;
	int err = 0;

	if (call->ctx->state != PFM_UNLOADED)
		return -EBUSY;
	for (i = 0; i < call->n && !err; i++) {
		err = fn(call->ctx, &req[i]);
		req[i].set_flags &= ~PFM_SET_RETFL_MASK;
		if (err == -EINVAL)
			req[i].set_flags |= PFM_SET_RETFL_EINVAL;
		else if (err == -ENOENT)
			req[i].set_flags |= PFM_SET_RETFL_NOSET;
	}
	call->done = i;
	return err == -ENOENT ? -EINVAL : err;
}

/**
 * pfm_create_evtsets() - PFM_CREATE_EVTSETS: create or modify event sets.
 * @call: array of pfarg_setdesc_t
 *
 * Return: 0; -EINVAL or -ENOMEM: the sets before the bad element are there.
 */
int pfm_create_evtsets(struct pfm_call *call)
{
	return pfm_for_evtsets(call, pfm_create_evtset);
}

static int pfm_delete_evtset(struct pfm_context *ctx, pfarg_setdesc_t *req)
{
	struct pfm_event_set *set;

	/* There is always a set 0. */
	if ((req->set_flags & ~PFM_SET_RETFL_MASK) || !req->set_id)
		return -EINVAL;
	set = xa_erase(&ctx->sets, req->set_id);
	if (!set)
		return -ENOENT;
	if (ctx->set == set)
		ctx->set = ctx->set0;
	if (ctx->loaded_set == set)
		ctx->loaded_set = NULL;
	pfm_set_free(set);
	pfm_memory_uncharge(ctx, pfm_set_size);
	return 0;
}

/**
 * pfm_delete_evtsets() - PFM_DELETE_EVTSETS: delete event sets.
 * @call: array of pfarg_setdesc_t
 *
 * Return: 0; -EINVAL: the element with a return flag names no set, or set 0.
 */
int pfm_delete_evtsets(struct pfm_call *call)
{
	return pfm_for_evtsets(call, pfm_delete_evtset);
}

struct pfm_setinfo {
	struct pfm_event_set	*set;
	pfarg_setinfo_t		*req;
};

/* Where the context runs, what the present run adds is added first. */
static void pfm_getinfo_evtset_here(struct pfm_context *ctx, bool here, void *arg)
{
	struct pfm_setinfo *info = arg;
	struct pfm_event_set *set = info->set;
	pfarg_setinfo_t *req = info->req;
	u16 id = req->set_id;

	if (here && ctx->set == set) {
		pfm_pause(ctx);
		pfm_resume(ctx);
	}
	memset(req, 0, sizeof(*req));
	req->set_id = id;
	req->set_id_next = set->id_next;
	req->set_flags = set->flags;
	if (pfm_is_suspended(ctx))
		req->set_flags |= PFM_SETFL_SUSPENDED;
	if (set->flags & PFM_SETFL_OVFL_SWITCH)
		req->set_switch_pmds[0] = set->switch_pmds;
	req->set_runs = set->runs;
	if (set->flags & PFM_SETFL_TIME_SWITCH)
		pfm_put_time(&req->set_timeout, set->left);
	pfm_put_time(&req->set_act_duration, set->active);
}

/**
 * pfm_getinfo_evtsets() - PFM_GETINFO_EVTSETS: report on event sets.
 * @call: array of pfarg_setinfo_t
 *
 * Return: 0; -EINVAL: the element with a return flag names no set.
 */
int pfm_getinfo_evtsets(struct pfm_call *call)
{
	pfarg_setinfo_t *req = call->args;
	struct pfm_setinfo info;
	unsigned int i;

	for (i = 0; i < call->n; i++) {
		call->done = i + 1;
		info.req = &req[i];
		info.set = pfm_set_find(call->ctx, req[i].set_id);
		if (!info.set) {
			/* An array that this command has filled may come again as it is. */
			req[i].set_flags &= ~PFM_SET_RETFL_MASK;
			req[i].set_flags |= PFM_SET_RETFL_NOSET;
			return -EINVAL;
		}
		pfm_target_call(call->ctx, pfm_getinfo_evtset_here, &info);
	}
	return 0;
}
