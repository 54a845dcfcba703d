// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: access to the registers of a context, and what they are.
 *
 * A vector is checked element by element up to the first bad one; what precedes
 * that is done. Checks need no access to the PMU; the work on it then goes to
 * where the registers are, a bounded number of elements at a time, because
 * interrupts are off there.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/nospec.h>
#include "perfmon.h"

#define PFM_CHUNK	32

struct pfm_chunk {
	void		*elems;
	unsigned int	n;
};

static void pfm_for_chunks(struct pfm_context *ctx, pfm_target_fn fn, void *elems,
			   size_t size, unsigned int n)
{
	struct pfm_chunk chunk;

	while (n) {
		chunk.elems = elems;
		chunk.n = min_t(unsigned int, n, PFM_CHUNK);
		pfm_target_call(ctx, fn, &chunk);
		elems += chunk.n * size;
		n -= chunk.n;
	}
}

/* Does the bitvector name existing PMDs only? */
static bool pfm_pmd_bv_valid(const u64 *bv)
{
	unsigned int i;

	pfm_for_each_reg(i, bv, PFM_MAX_PMDS) {
		if (!pfm_pmd_valid(i))
			return false;
	}
	return true;
}

/*
 * All element checks return an errno and the return flag that goes with it. A
 * good index is clamped, too, against use under misspeculation.
 */
static int pfm_check_pmc(struct pfm_context *ctx, pfarg_pmc_t *req, u32 *retfl)
{
	const struct pfm_reg_desc *desc;
	u64 value;

	*retfl = PFM_REG_RETFL_EINVAL;
	if (req->reg_flags & ~PFM_REG_RETFL_MASK)
		return -EINVAL;
	if (!pfm_set_find(ctx, req->reg_set)) {
		*retfl = PFM_REG_RETFL_NOSET;
		return -EINVAL;
	}
	if (!pfm_pmc_valid(req->reg_num)) {
		*retfl = PFM_REG_RETFL_NOTAVAIL;
		return -EINVAL;
	}
	req->reg_num = array_index_nospec(req->reg_num, pfm_pmu->num_pmcs);
	if (!pfm_pmd_bv_valid(req->reg_reset_pmds) || !pfm_pmd_bv_valid(req->reg_smpl_pmds))
		return -EINVAL;

	desc = &pfm_pmu->pmcs[req->reg_num];
	value = pfm_reg_apply_rsvd(desc, req->reg_value);
	if ((value & desc->kernel_bits) && !pfm_may_count_kernel(ctx))
		return -EPERM;
	return 0;
}

static void pfm_set_pmc(struct pfm_event_set *set, const pfarg_pmc_t *req)
{
	struct pfm_pmc_attr *attr = &set->attrs[req->reg_num];
	u64 was_live[PFM_MAX_PMD_BITVECTOR];
	unsigned int i;

	set->regs.pmcs[req->reg_num] = pfm_reg_apply_rsvd(&pfm_pmu->pmcs[req->reg_num],
							  req->reg_value);
	attr->eventid = req->reg_smpl_eventid;
	for (i = 0; i < PFM_MAX_PMD_BITVECTOR; i++) {
		attr->reset_pmds[i] = req->reg_reset_pmds[i];
		attr->smpl_pmds[i] = req->reg_smpl_pmds[i];
		was_live[i] = set->regs.live_pmds[i];
	}

	pfm_bv_set(set->regs.used_pmcs, req->reg_num);
	pfm_bv_set(set->dirty_pmcs, req->reg_num);
	set->dirty = true;
	pfm_pmu->ops->prepare(&set->regs);
	/* A counter that comes alive must be loaded: somebody else's value is there. */
	for (i = 0; i < PFM_MAX_PMD_BITVECTOR; i++)
		set->dirty_pmds[i] |= set->regs.live_pmds[i] & ~was_live[i];
}

static void pfm_write_pmcs_here(struct pfm_context *ctx, bool here, void *arg)
{
	bool counting = here && pfm_cpu_pause(ctx);
	struct pfm_chunk *chunk = arg;
	const pfarg_pmc_t *req = chunk->elems;
	unsigned int i;

	for (i = 0; i < chunk->n; i++)
		pfm_set_pmc(ctx->set0, &req[i]);
	if (counting)
		pfm_cpu_in(ctx);
}

/**
 * pfm_write_pmcs() - PFM_WRITE_PMCS: program control registers.
 * @call: array of pfarg_pmc_t
 *
 * Return: 0; -EINVAL or, for kernel-level monitoring that the caller may not
 * do, -EPERM: the element with a return flag is to blame, those before it are
 * done.
 */
int pfm_write_pmcs(struct pfm_call *call)
{
	pfarg_pmc_t *req = call->args;
	unsigned int i;
	int err = 0;
	u32 retfl;

	for (i = 0; i < call->n && !err; i++) {
		err = pfm_check_pmc(call->ctx, &req[i], &retfl);
		req[i].reg_flags &= ~PFM_REG_RETFL_MASK;
		if (err)
			req[i].reg_flags |= retfl;
	}
	call->done = i;
	pfm_for_chunks(call->ctx, pfm_write_pmcs_here, req, sizeof(*req), err ? i - 1 : i);
	return err;
}

static int pfm_check_pmd(struct pfm_context *ctx, pfarg_pmd_t *req, u32 *retfl)
{
	*retfl = PFM_REG_RETFL_EINVAL;
	if (req->reg_flags & ~PFM_REG_RETFL_MASK)
		return -EINVAL;
	if (!pfm_set_find(ctx, req->reg_set)) {
		*retfl = PFM_REG_RETFL_NOSET;
		return -EINVAL;
	}
	if (!pfm_pmd_valid(req->reg_num)) {
		*retfl = PFM_REG_RETFL_NOTAVAIL;
		return -EINVAL;
	}
	req->reg_num = array_index_nospec(req->reg_num, pfm_pmu->num_pmds);
	return 0;
}

/* Check a vector of PMDs; returns how many are good. */
static unsigned int pfm_check_pmds(struct pfm_call *call, int *err)
{
	pfarg_pmd_t *req = call->args;
	unsigned int i;
	u32 retfl;

	for (i = 0; i < call->n; i++) {
		*err = pfm_check_pmd(call->ctx, &req[i], &retfl);
		req[i].reg_flags &= ~PFM_REG_RETFL_MASK;
		req[i].reg_pad = 0;
		if (*err) {
			req[i].reg_flags |= retfl;
			call->done = i + 1;
			return i;
		}
	}
	call->done = i;
	return i;
}

static void pfm_set_pmd(struct pfm_event_set *set, const pfarg_pmd_t *req)
{
	const struct pfm_reg_desc *desc = &pfm_pmu->pmds[req->reg_num];
	struct pfm_pmd *pmd = &set->pmds[req->reg_num];
	u64 value = req->reg_value;

	/* A counter is 64 bits wide to its user, whatever the hardware reserves. */
	if (desc->cls != PFM_CLASS_COUNTER)
		value = pfm_reg_apply_rsvd(desc, value);
	pmd->value = value;
	pmd->last_reset = value;
	pmd->long_reset = req->reg_long_reset;
	pmd->short_reset = req->reg_short_reset;
	pmd->ovflsw_thres = req->reg_ovflsw_thres;
	pmd->random_mask = req->reg_random_mask;
	pmd->random_seed = req->reg_random_seed;
	pfm_bv_set(set->dirty_pmds, req->reg_num);
	set->dirty = true;
}

static void pfm_write_pmds_here(struct pfm_context *ctx, bool here, void *arg)
{
	bool counting = here && pfm_cpu_pause(ctx);
	struct pfm_chunk *chunk = arg;
	const pfarg_pmd_t *req = chunk->elems;
	unsigned int i;

	for (i = 0; i < chunk->n; i++)
		pfm_set_pmd(ctx->set0, &req[i]);
	if (counting)
		pfm_cpu_in(ctx);
}

/**
 * pfm_write_pmds() - PFM_WRITE_PMDS: set data registers.
 * @call: array of pfarg_pmd_t
 *
 * Return: 0; -EINVAL: the element with a return flag is to blame, those before
 * it are done.
 */
int pfm_write_pmds(struct pfm_call *call)
{
	unsigned int n;
	int err = 0;

	n = pfm_check_pmds(call, &err);
	pfm_for_chunks(call->ctx, pfm_write_pmds_here, call->args, sizeof(pfarg_pmd_t), n);
	return err;
}

static void pfm_read_pmds_here(struct pfm_context *ctx, bool here, void *arg)
{
	struct pfm_event_set *set = ctx->set0;
	struct pfm_chunk *chunk = arg;
	pfarg_pmd_t *req = chunk->elems;
	unsigned int i, pmd;

	for (i = 0; i < chunk->n; i++) {
		pmd = req[i].reg_num;
		req[i].reg_value = here ? pfm_cpu_read_pmd(ctx, set, pmd) :
					  set->pmds[pmd].value;
		req[i].reg_last_reset_val = set->pmds[pmd].last_reset;
		req[i].reg_ovflsw_thres = 0;
	}
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
	unsigned int n;
	int err = 0;

	n = pfm_check_pmds(call, &err);
	pfm_for_chunks(call->ctx, pfm_read_pmds_here, call->args, sizeof(pfarg_pmd_t), n);
	return err;
}

/* PMCs and PMDs have the same information structure under two names. */
static_assert(sizeof(pfarg_pmcinfo_t) == sizeof(pfarg_pmdinfo_t));

static int pfm_getinfo(struct pfm_call *call, const struct pfm_reg_desc *regs,
		       unsigned int num)
{
	pfarg_pmcinfo_t *req = call->args;
	const struct pfm_reg_desc *desc;
	unsigned int i;
	u16 reg;

	for (i = 0; i < call->n; i++, req++) {
		reg = req->reg_num;
		call->done = i + 1;
		if ((req->reg_flags & ~PFM_REG_RETFL_MASK) || reg >= num ||
		    !regs[array_index_nospec(reg, num)].name) {
			req->reg_flags = (req->reg_flags & ~PFM_REG_RETFL_MASK) |
					 PFM_REG_RETFL_EINVAL;
			return -EINVAL;
		}
		desc = &regs[array_index_nospec(reg, num)];
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
	return pfm_getinfo(call, pfm_pmu->pmcs, pfm_pmu->num_pmcs);
}

/**
 * pfm_getinfo_pmds() - PFM_GETINFO_PMDS: describe data registers.
 * @call: array of pfarg_pmdinfo_t
 *
 * Return: as pfm_getinfo_pmcs().
 */
int pfm_getinfo_pmds(struct pfm_call *call)
{
	return pfm_getinfo(call, pfm_pmu->pmds, pfm_pmu->num_pmds);
}
