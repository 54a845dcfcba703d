// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: access to the registers of a context, and their description.
 *
 * A vector is checked element by element up to the first bad one; the elements
 * before that are done. Checks need no access to the PMU; the work then runs
 * where the registers are, a bounded number of elements at a time, because
 * interrupts are off there.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/nospec.h>
#include <linux/string.h>
#include "bank.h"
#include "bank_claim.h"
#include "call.h"
#include "config.h"
#include "context.h"
#include "event_set.h"
#include "pmu.h"
#include "read.h"
#include "registers.h"
#include "reset.h"
#include "rules.h"
#include "run.h"
#include "set_list.h"
#include "target.h"
#include "virtual.h"

/* Elements done at a time with interrupts off, perhaps under a run-queue's lock. */
#define PFM_CHUNK	32

struct pfm_chunk {
	void		*elems;
	unsigned int	n;		/* elements of this chunk */
	unsigned int	left;		/* ... and with those of the later ones */
};

#define pfm_for_each_elem(req, chunk) \
	for ((req) = (chunk)->elems; (req) < (typeof(req))(chunk)->elems + (chunk)->n; (req)++)

/* Go to the next chunk of @chunk->left elements of @size bytes. False: there is none. */
static bool pfm_next_chunk(struct pfm_chunk *chunk, size_t size)
{
	chunk->elems += chunk->n * size;
	chunk->left -= chunk->n;
	chunk->n = min_t(unsigned int, chunk->left, PFM_CHUNK);
	return chunk->n;
}

/* Does the bitvector name existing PMDs only? */
static bool pfm_pmd_bv_valid(const u64 *bv)
{
	const u64 virtuals = GENMASK_ULL(PFM_NUM_VIRTUAL_PMDS - 1, 0) << (PFM_VIRTUAL_PMD % 64);
	u64 bad = bv[0] & ~pfm_hw_pmds;
	unsigned int i;

	for (i = 1; i < PFM_MAX_PMD_BITVECTOR; i++)
		bad |= i == PFM_VIRTUAL_PMD / 64 ? bv[i] & ~virtuals : bv[i];
	return !bad;
}

/* True if the attributes of a PMC's value are valid. A bare PMC takes no flags. */
static bool pfm_pmc_attr_valid(const struct pfm_reg_desc *desc, const pfarg_pmc_t *req)
{
	if (desc->bare)
		return !(req->reg_flags & ~PFM_REG_RETFL_MASK);
	return pfm_pmd_bv_valid(req->reg_reset_pmds) && pfm_pmd_bv_valid(req->reg_smpl_pmds);
}

/* True if the caller may monitor kernel level. Evaluated once for a vector, as it takes long. */
static bool pfm_allows_kernel(struct pfm_context *ctx, int *answer)
{
	if (*answer < 0)
		*answer = pfm_may_count_kernel(ctx);
	return *answer;
}

/*
 * Check a value for a valid PMC, and claim the registers that it needs. -EINVAL when the set cannot
 * have the value; -EBUSY when another part of the kernel uses these registers.
 */
static int pfm_check_value(struct pfm_context *ctx, const struct pfm_event_set *set,
			   unsigned int pmc, u64 value)
{
	int err = pmc < pfm_bank_pmc ? 0 : pfm_bank_check_pmc(&set->regs, pmc, value);

	if (!err)
		err = pfm_rules_check_pmc(set, pmc, value);
	if (!err && pfm_banks_share)
		err = pfm_banks_claim_for(ctx, pmc, value);
	return err;
}

/*
 * All element checks return an errno and the return flag that goes with it. A
 * good index is clamped, too, against use under misspeculation. @may: the answer of
 * pfm_allows_kernel(); -1: not asked yet.
 */
static int pfm_check_pmc(struct pfm_context *ctx, pfarg_pmc_t *req, u32 *retfl, int *may)
{
	const struct pfm_reg_desc *desc;
	struct pfm_event_set *set;
	u64 value;

	*retfl = PFM_REG_RETFL_EINVAL;
	if (req->reg_flags & ~(PFM_REG_RETFL_MASK | PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM |
			       PFM_REGFL_NO_64BIT_EMUL))
		return -EINVAL;
	set = pfm_set_find(ctx, req->reg_set);
	if (!set) {
		*retfl = PFM_REG_RETFL_NOSET;
		return -EINVAL;
	}
	if (!pfm_pmc_valid(req->reg_num)) {
		*retfl = PFM_REG_RETFL_NOTAVAIL;
		return -EINVAL;
	}
	req->reg_num = array_index_nospec(req->reg_num, pfm_pmu->num_pmcs);
	desc = &pfm_pmu->pmcs[req->reg_num];
	if (!pfm_pmc_attr_valid(desc, req))
		return -EINVAL;
	value = pfm_reg_apply_rsvd(desc, req->reg_value);
	if ((value & desc->kernel_bits) && !pfm_allows_kernel(ctx, may))
		return -EPERM;
	return pfm_check_value(ctx, set, req->reg_num, value);
}

static void pfm_set_bit(u64 *mask, unsigned int bit, bool on)
{
	if (on)
		*mask |= BIT_ULL(bit);
	else
		*mask &= ~BIT_ULL(bit);
}

/*
 * 64-bit emulation comes or goes: the value keeps the bits that the register has. They alone
 * decide what the register is loaded with: it need not be loaded again.
 */
static void pfm_set_narrow(struct pfm_event_set *set, unsigned int pmd, bool narrow)
{
	struct pfm_pmd *p = pfm_pmd_of(set, pmd);

	if (narrow == !!(set->narrow_pmds & BIT_ULL(pmd)))
		return;
	pfm_set_bit(&set->narrow_pmds, pmd, narrow);
	p->value &= p->mask;
	if (narrow)
		p->value |= ~p->mask;
}

static bool pfm_requests_equal(const struct pfm_request *a, const struct pfm_request *b)
{
	return a->flags == b->flags && a->eventid == b->eventid &&
	       a->reset_pmds == b->reset_pmds && a->smpl_pmds == b->smpl_pmds &&
	       a->smpl_virtual == b->smpl_virtual;
}

/* Combine the requests of a counter's PMCs; there may be several. */
static void pfm_set_request(struct pfm_event_set *set, unsigned int pmd)
{
	struct pfm_request all = { };
	const struct pfm_request *one;
	unsigned int pmc;

	pfm_for_each_reg(pmc, pfm_pmu->pmds[pmd].deps, pfm_pmu->num_pmcs) {
		one = pfm_pmc_request(set, pmc);
		all.flags |= one->flags;
		all.eventid |= one->eventid;
		all.reset_pmds |= one->reset_pmds;
		all.smpl_pmds |= one->smpl_pmds;
		all.smpl_virtual |= one->smpl_virtual;
	}
	all.smpl_count = hweight64(all.smpl_pmds) + hweight16(all.smpl_virtual);
	*pfm_counter_request(set, pmd) = all;
	pfm_set_bit(&set->notify_pmds, pmd, all.flags & PFM_REGFL_OVFL_NOTIFY);
	pfm_set_bit(&set->random_pmds, pmd, all.flags & PFM_REGFL_RANDOM);
	pfm_set_narrow(set, pmd, all.flags & PFM_REGFL_NO_64BIT_EMUL);
}

/* Set the request of a PMC; true if it differs from the one before. */
static bool pfm_set_pmc_request(struct pfm_request *one, const pfarg_pmc_t *req)
{
	/* Virtual PMDs cannot be reset. */
	const struct pfm_request new = {
		.flags = req->reg_flags,
		.eventid = req->reg_smpl_eventid,
		.reset_pmds = req->reg_reset_pmds[0],
		.smpl_pmds = req->reg_smpl_pmds[0],
		.smpl_virtual = req->reg_smpl_pmds[PFM_VIRTUAL_PMD / 64] >>
				(PFM_VIRTUAL_PMD % 64),
	};
	bool differs = !pfm_requests_equal(one, &new);

	if (differs)
		*one = new;
	return differs;
}

static void pfm_set_pmc(struct pfm_event_set *set, const pfarg_pmc_t *req)
{
	const struct pfm_reg_desc *desc = &pfm_pmu->pmcs[req->reg_num];
	unsigned int i;

	set->regs.pmcs[req->reg_num] = pfm_reg_apply_rsvd(desc, req->reg_value);
	if (pfm_set_pmc_request(pfm_pmc_request(set, req->reg_num), req)) {
		pfm_for_each_reg(i, desc->deps, pfm_pmu->num_pmds) {
			if (pfm_pmd_of(set, i)->mask)
				pfm_set_request(set, i);
		}
	}
	pfm_bv_set(set->regs.used_pmcs, req->reg_num);
	pfm_bv_set(set->dirty_pmcs, req->reg_num);
}

/* Derive the state of the set after pfm_set_pmc() for one PMC or several. */
static void pfm_set_settle(struct pfm_event_set *set)
{
	u64 was_live = set->regs.live_pmds;
	unsigned int i;

	set->kernel = false;
	pfm_for_each_reg(i, set->regs.used_pmcs, pfm_pmu->num_pmcs)
		set->kernel |= !!(set->regs.pmcs[i] & pfm_pmu->pmcs[i].kernel_bits);
	set->dirty = true;
	pfm_pmu_op(prepare)(&set->regs);
	/* A counter that comes alive must be loaded: it holds the value of another context. */
	set->dirty_pmds |= set->regs.live_pmds & ~was_live;
}

static void pfm_write_pmcs_paused(struct pfm_context *ctx, void *arg)
{
	struct pfm_chunk *chunk = arg;
	const pfarg_pmc_t *req = chunk->elems;
	struct pfm_event_set *set;
	unsigned int i;

	for (i = 0; i < chunk->n; i++) {
		set = pfm_set_find(ctx, req[i].reg_set);
		pfm_set_pmc(set, &req[i]);
		if (i + 1 == chunk->n || req[i + 1].reg_set != req[i].reg_set)
			pfm_set_settle(set);
	}
}

/**
 * pfm_write_pmcs() - PFM_WRITE_PMCS: program control registers.
 * @call: array of pfarg_pmc_t
 *
 * Return: 0; -EINVAL or, for kernel-level monitoring that the caller may not
 * do, -EPERM: the element with a return flag is bad, the elements before it are
 * done. No element is done if @call->wants_pmu is set: then the context is loaded and does
 * not have the PMU.
 */
int pfm_write_pmcs(struct pfm_call *call)
{
	pfarg_pmc_t *req = call->args;
	int err = 0, may = -1;
	struct pfm_chunk chunk = { .elems = req };
	unsigned int i, good;
	u32 retfl;

	for (i = 0; i < call->n && !err; i++) {
		err = pfm_check_pmc(call->ctx, &req[i], &retfl, &may);
		req[i].reg_flags &= ~PFM_REG_RETFL_MASK;
		if (err)
			req[i].reg_flags |= retfl;
	}
	good = err ? i - 1 : i;
	call->wants_pmu = good && call->ctx->state == PFM_LOADED && call->ctx->share == PFM_IDLE;
	if (call->wants_pmu)
		return 0;
	call->done = i;
	chunk.left = good;
	while (pfm_next_chunk(&chunk, sizeof(*req)))
		pfm_target_change(call->ctx, pfm_write_pmcs_paused, &chunk);
	return err;
}

/* A write ignores PFM_REGFL_READ_RESET, so that an array of reads can be passed to it. */
static int pfm_check_pmd(struct pfm_context *ctx, pfarg_pmd_t *req, bool write, u32 *retfl)
{
	*retfl = PFM_REG_RETFL_EINVAL;
	if (req->reg_flags & ~(PFM_REG_RETFL_MASK | PFM_REGFL_READ_RESET))
		return -EINVAL;
	if (req->reg_set && !pfm_set_find(ctx, req->reg_set)) {
		*retfl = PFM_REG_RETFL_NOSET;
		return -EINVAL;
	}
	if (req->reg_num < PFM_MAX_HW_PMDS && (pfm_hw_pmds & BIT_ULL(req->reg_num))) {
		req->reg_num = array_index_nospec(req->reg_num, pfm_pmu->num_pmds);
		return 0;
	}
	if (!pfm_virtual_desc(req->reg_num)) {
		*retfl = PFM_REG_RETFL_NOTAVAIL;
		return -EINVAL;
	}
	/* Virtual PMDs are read-only. */
	req->reg_num = PFM_VIRTUAL_PMD + array_index_nospec(req->reg_num - PFM_VIRTUAL_PMD,
							    PFM_NUM_VIRTUAL_PMDS);
	return write ? -EINVAL : 0;
}

/* Check a vector of PMDs up to the first bad one: @chunk is made of the elements before that. */
static int pfm_check_pmds(struct pfm_call *call, bool write, struct pfm_chunk *chunk)
{
	pfarg_pmd_t *req = call->args;
	unsigned int i;
	int err = 0;
	u32 retfl;

	for (i = 0; i < call->n && !err; i++) {
		err = pfm_check_pmd(call->ctx, &req[i], write, &retfl);
		req[i].reg_flags &= ~PFM_REG_RETFL_MASK;
		req[i].reg_pad = 0;
		if (err)
			req[i].reg_flags |= retfl;
	}
	call->done = i;
	*chunk = (struct pfm_chunk) { .elems = req, .left = err ? i - 1 : i };
	return err;
}

static void pfm_set_pmd(struct pfm_event_set *set, const pfarg_pmd_t *req)
{
	struct pfm_pmd *pmd = pfm_pmd_of(set, req->reg_num);

	pmd->long_reset = req->reg_long_reset;
	pmd->short_reset = req->reg_short_reset;
	pmd->ovflsw_thres = req->reg_ovflsw_thres;
	pmd->ovflsw_left = req->reg_ovflsw_thres;
	pmd->random_mask = req->reg_random_mask;
	pmd->random = pfm_random_seed(req->reg_random_seed);
	pfm_set_bit(&set->trigger_pmds, req->reg_num, pmd->mask && pmd->ovflsw_thres);
	pfm_pmd_set_value(set, req->reg_num, req->reg_value);
}

static void pfm_write_pmds_paused(struct pfm_context *ctx, void *arg)
{
	const struct pfm_chunk *chunk = arg;
	const pfarg_pmd_t *req;

	pfm_for_each_elem(req, chunk)
		pfm_set_pmd(pfm_set_find(ctx, req->reg_set), req);
}

/**
 * pfm_write_pmds() - PFM_WRITE_PMDS: set data registers.
 * @call: array of pfarg_pmd_t
 *
 * Return: 0; -EINVAL: the element with a return flag is bad, the elements before
 * it are done.
 */
int pfm_write_pmds(struct pfm_call *call)
{
	struct pfm_chunk chunk;
	int err = pfm_check_pmds(call, true, &chunk);

	while (pfm_next_chunk(&chunk, sizeof(pfarg_pmd_t)))
		pfm_target_change(call->ctx, pfm_write_pmds_paused, &chunk);
	return err;
}

static void pfm_read_pmd(struct pfm_context *ctx, struct pfm_event_set *active, bool here,
			 pfarg_pmd_t *req)
{
	struct pfm_event_set *set = pfm_set_find(ctx, req->reg_set);
	u64 live = set == active ? set->regs.live_pmds : 0;
	unsigned int pmd = req->reg_num;
	struct pfm_pmd *p;

	req->reg_ovflsw_thres = 0;
	if (pfm_pmd_is_virtual(pmd)) {
		req->reg_value = pfm_virtual_read(ctx, here ? current : ctx->task, pmd);
		req->reg_last_reset_val = 0;
		return;
	}
	p = pfm_pmd_of(set, pmd);
	req->reg_value = pfm_pmd_user_value(set, pmd, pfm_present_value(p, live, pmd));
	req->reg_last_reset_val = p->last_reset;
	if ((set->flags & PFM_SETFL_OVFL_SWITCH) && (set->trigger_pmds & BIT_ULL(pmd)))
		req->reg_ovflsw_thres = p->ovflsw_left;
	if (req->reg_flags & PFM_REGFL_READ_RESET)
		pfm_reset_pmds(set, BIT_ULL(pmd), true);
}

static __always_inline void pfm_read_chunk(struct pfm_context *ctx, bool here, void *arg)
{
	const struct pfm_chunk *chunk = arg;
	struct pfm_event_set *active = pfm_counting_set(ctx, here);
	pfarg_pmd_t *req;

	pfm_for_each_elem(req, chunk)
		pfm_read_pmd(ctx, active, here, req);
}

static void pfm_read_pmds_here(struct pfm_context *ctx, bool here, void *arg)
{
	const struct pfm_chunk *chunk = arg;
	const pfarg_pmd_t *req;
	u32 flags = 0;

	pfm_for_each_elem(req, chunk)
		flags |= req->reg_flags;
	/* Nothing may be counted between a read and its reset. */
	pfm_read_counting(ctx, here, flags ? PFM_READ_TRIES : 0, pfm_read_chunk, arg);
}

/**
 * pfm_read_pmds() - PFM_READ_PMDS: read data registers.
 * @call: array of pfarg_pmd_t
 *
 * Counters go on counting meanwhile.
 *
 * Return: as pfm_write_pmds().
 */
int pfm_read_pmds(struct pfm_call *call)
{
	struct pfm_chunk chunk;
	int err = pfm_check_pmds(call, false, &chunk);

	while (pfm_next_chunk(&chunk, sizeof(pfarg_pmd_t)))
		pfm_target_call(call->ctx, pfm_read_pmds_here, &chunk);
	return err;
}

/* PMCs and PMDs have the same information structure under two names. */
static_assert(sizeof(pfarg_pmcinfo_t) == sizeof(pfarg_pmdinfo_t));

static const struct pfm_reg_desc *pfm_pmc_desc(unsigned int reg)
{
	return pfm_pmc_valid(reg) ? &pfm_pmu->pmcs[array_index_nospec(reg, pfm_pmu->num_pmcs)] :
				    NULL;
}

static const struct pfm_reg_desc *pfm_pmd_desc(unsigned int reg)
{
	if (pfm_pmd_is_virtual(reg))
		return pfm_virtual_desc(reg);
	return pfm_pmd_valid(reg) ? &pfm_pmu->pmds[array_index_nospec(reg, pfm_pmu->num_pmds)] :
				    NULL;
}

static int pfm_getinfo(struct pfm_call *call,
		       const struct pfm_reg_desc *(*find)(unsigned int reg))
{
	pfarg_pmcinfo_t *req = call->args;
	const struct pfm_reg_desc *desc;
	unsigned int i;

	for (i = 0; i < call->n; i++, req++) {
		call->done = i + 1;
		desc = find(req->reg_num);
		if ((req->reg_flags & ~PFM_REG_RETFL_MASK) || !desc) {
			req->reg_flags = (req->reg_flags & ~PFM_REG_RETFL_MASK) |
					 PFM_REG_RETFL_EINVAL;
			return -EINVAL;
		}
		req->reg_flags = 0;
		req->reg_type = desc->type;
		req->reg_def_value = desc->def;
		req->reg_rsvd_mask = desc->rsvd;
		req->reg_index = desc->addr;
	}
	return 0;
}

/**
 * pfm_getinfo_pmcs() - PFM_GETINFO_PMCS: describe control registers.
 * @call: array of pfarg_pmcinfo_t
 *
 * Return: 0; -EINVAL: the element with a return flag names no register.
 */
int pfm_getinfo_pmcs(struct pfm_call *call)
{
	return pfm_getinfo(call, pfm_pmc_desc);
}

/**
 * pfm_getinfo_pmds() - PFM_GETINFO_PMDS: describe data registers.
 * @call: array of pfarg_pmdinfo_t
 *
 * Return: as pfm_getinfo_pmcs().
 */
int pfm_getinfo_pmds(struct pfm_call *call)
{
	return pfm_getinfo(call, pfm_pmd_desc);
}
