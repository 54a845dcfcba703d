// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: registers of banks that the rest of the kernel uses, too.
 *
 * A loaded context owns the registers that its sets need: it claims them at its load, or when
 * one of its PMCs gets a value that needs them, and gives them back when it is unloaded.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include "bank.h"
#include "bank_claim.h"
#include "context.h"
#include "event_set.h"
#include "pmu.h"
#include "set_list.h"

static_assert(PFM_MAX_BANKS <= 8 * sizeof_field(struct pfm_context, claimed));

/* Claim a bank's registers, unless the context has them. */
static int pfm_bank_claim(struct pfm_context *ctx, unsigned int n)
{
	int err = ctx->claimed & BIT(n) ? 0 : pfm_banks[n]->claim();

	if (!err)
		ctx->claimed |= BIT(n);
	return err;
}

static bool pfm_bank_is_shared(const struct pfm_bank *bank, unsigned int pmc, u64 value)
{
	return bank->shares && bank->shares(pmc, value);
}

static bool pfm_bank_set_shares(const struct pfm_bank *bank, const struct pfm_event_set *set)
{
	unsigned int i;

	pfm_for_each_reg(i, set->regs.used_pmcs, pfm_pmu->num_pmcs) {
		if (pfm_bank_is_shared(bank, i, set->regs.pmcs[i]))
			return true;
	}
	return false;
}

static bool pfm_bank_ctx_shares(const struct pfm_bank *bank, struct pfm_context *ctx)
{
	struct pfm_event_set *set;
	bool shares = false;
	unsigned long id;

	pfm_for_each_set(ctx, id, set)
		shares |= pfm_bank_set_shares(bank, set);
	return shares;
}

/**
 * pfm_banks_claim() - Claim the registers that a context needs, for its load.
 * @ctx: the context, locked
 *
 * Return: 0; -EBUSY when another part of the kernel uses some of the registers: then none is
 * claimed.
 */
int pfm_banks_claim(struct pfm_context *ctx)
{
	unsigned int n;
	int err = 0;

	if (!pfm_banks_share)
		return 0;
	for (n = 0; pfm_banks[n] && !err; n++) {
		if (pfm_banks[n]->shares && pfm_bank_ctx_shares(pfm_banks[n], ctx))
			err = pfm_bank_claim(ctx, n);
	}
	if (err)
		pfm_banks_unclaim(ctx);
	return err;
}

/**
 * pfm_banks_claim_for() - Claim the registers that a value of a PMC needs.
 * @ctx: the context, locked
 * @pmc: the PMC, valid
 * @value: the value, reserved bits applied
 *
 * For a context that is not loaded, the load makes the claim.
 *
 * Return: 0; -EBUSY when another part of the kernel uses the registers.
 */
int pfm_banks_claim_for(struct pfm_context *ctx, unsigned int pmc, u64 value)
{
	unsigned int n;
	int err = 0;

	if (ctx->state == PFM_UNLOADED)
		return 0;
	for (n = 0; pfm_banks[n] && !err; n++) {
		if (pfm_bank_is_shared(pfm_banks[n], pmc, value))
			err = pfm_bank_claim(ctx, n);
	}
	return err;
}

/**
 * pfm_banks_unclaim() - Give the registers back that a context has claimed.
 * @ctx: the context, locked, not loaded any more or without a PMC
 */
void pfm_banks_unclaim(struct pfm_context *ctx)
{
	unsigned int n;

	pfm_for_each_bit(n, ctx->claimed)
		pfm_banks[n]->unclaim();
	ctx->claimed = 0;
}
