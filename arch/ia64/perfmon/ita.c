// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: PMU operations of the Itanium processor family.
 *
 * One bit freezes the whole PMU, and an overflow sets it: between a stop and the next
 * start it is set. Monitors have no enable bits: a PMC with another set's value would
 * count, and interrupt, in this set. So a start writes the default to each loaded PMC
 * that the set does not use. Likewise it clears loaded PMDs that the set does not use
 * when the thread may read PMDs itself.
 */
#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "access.h"
#include "work.h"

/**
 * struct pfm_ita_loaded - Contents of this CPU's registers.
 * @pmcs: PMCs that do not hold their default
 * @pmds: PMDs that were written, and may have counted since
 */
struct pfm_ita_loaded {
	u64	pmcs[PFM_MAX_PMC_BITVECTOR];
	u64	pmds;
};

static DEFINE_PER_CPU(struct pfm_ita_loaded, pfm_ita_loaded);

/* The table of this machine, with operations; and its model. */
static struct pfm_pmu ita_pmu __ro_after_init;
static const struct pfm_ita_model *ita_model __ro_after_init = &pfm_itanium2;

/* On Itanium perfmon is the only user of the PMU. */
static int ita_acquire(void)
{
	return 0;
}

static void ita_release(void)
{
}

static void ita_freeze(void)
{
	pfm_ita_set_pmc(0, PFM_ITA_FREEZE);
	pfm_ita_serialize();
}

static void ita_ack(void)
{
	unsigned int i;

	for (i = 1; i < PFM_ITA_NUM_STATUS; i++)
		pfm_ita_set_pmc(i, 0);
	ita_freeze();
}

static void ita_note_pmc(unsigned int pmc, u64 value)
{
	u64 *loaded = this_cpu_ptr(&pfm_ita_loaded)->pmcs;

	if (value != ita_pmu.pmcs[pmc].def)
		loaded[pmc / 64] |= BIT_ULL(pmc % 64);
	else
		loaded[pmc / 64] &= ~BIT_ULL(pmc % 64);
}

static void ita_write_pmc(unsigned int pmc, u64 value)
{
	if (ita_model->restricts(pmc, value))
		pfm_ita_debug_clean();
	pfm_ita_set_pmc(pmc, value);
	ita_note_pmc(pmc, value);
}

static void ita_write_debug(unsigned int pmc, u64 value)
{
	pfm_ita_debug_clean();
	if (pmc >= PFM_ITA_DBR0)
		pfm_ita_set_dbr(pmc - PFM_ITA_DBR0, value);
	else
		pfm_ita_set_ibr(pmc - PFM_ITA_IBR0, value);
	ita_note_pmc(pmc, value);
}

static void ita_write_pmd(unsigned int pmd, u64 value)
{
	this_cpu_ptr(&pfm_ita_loaded)->pmds |= BIT_ULL(pmd);
	pfm_ita_set_pmd(pmd, value);
}

/* Bits beyond the counter are copies of its highest one. */
static u64 ita_read_pmd(unsigned int pmd)
{
	unsigned int width = ita_pmu.pmds[pmd].width;

	return pfm_ita_get_pmd(pmd) & (width < 64 ? BIT_ULL(width) - 1 : ~0ULL);
}

/* The debug registers may be in use by threads that are debugged: they are left alone. */
static void ita_init_cpu(void)
{
	unsigned int i;

	ita_ack();
	for (i = 0; i < PFM_ITA_IBR0; i++) {
		if (ita_pmu.pmcs[i].name)
			ita_write_pmc(i, ita_pmu.pmcs[i].def);
	}
	for (i = 0; i < ita_pmu.num_pmds; i++) {
		if (ita_pmu.pmds[i].name)
			pfm_ita_set_pmd(i, 0);
	}
	memset(this_cpu_ptr(&pfm_ita_loaded), 0, sizeof(pfm_ita_loaded));
	pfm_ita_psr_reset();
	pfm_ita_serialize();
	pfm_ita_open_interrupt();
}

/*
 * A monitor with a privilege level is live. PMC.pm depends on the kind of the context.
 * Only psr enables monitors; its value depends on whether any of them counts the kernel.
 */
static void ita_prepare(struct pfm_regs *regs)
{
	bool privileged = pfm_ita_privileged(regs->ctx_flags);
	unsigned int i;
	u64 pm;

	regs->live_pmds = 0;
	regs->enable = 0;
	pfm_for_each_bit(i, regs->used_pmcs[0] & (ita_model->pm6 | ita_model->pm4)) {
		pm = ita_model->pm6 & BIT_ULL(i) ? BIT_ULL(6) : BIT_ULL(4);
		regs->pmcs[i] &= ~pm;
		if (privileged)
			regs->pmcs[i] |= pm;
		if (regs->pmcs[i] & PFM_ITA_PLM)
			regs->live_pmds |= ita_pmu.pmcs[i].deps[0];
		if (regs->pmcs[i] & PFM_ITA_PLM_KERNEL)
			regs->enable = PFM_ITA_ENABLE_KERNEL;
	}
}

static void ita_clear_pmcs(const struct pfm_regs *regs)
{
	const u64 *loaded = this_cpu_ptr(&pfm_ita_loaded)->pmcs;
	unsigned int word, bit, i;

	for (word = 0; word < PFM_MAX_PMC_BITVECTOR; word++) {
		pfm_for_each_bit(bit, loaded[word] & ~regs->used_pmcs[word]) {
			i = word * 64 + bit;
			if (pfm_ita_is_debug(i))
				ita_write_debug(i, ita_pmu.pmcs[i].def);
			else
				ita_write_pmc(i, ita_pmu.pmcs[i].def);
		}
	}
}

static void ita_clear_pmds(const struct pfm_regs *regs)
{
	u64 *loaded = &this_cpu_ptr(&pfm_ita_loaded)->pmds;
	unsigned int i;

	pfm_for_each_bit(i, *loaded & ~regs->live_pmds)
		pfm_ita_set_pmd(i, 0);
	*loaded &= regs->live_pmds;
}

static void ita_start(const struct pfm_regs *regs)
{
	ita_clear_pmcs(regs);
	if (!(*pfm_ita_user_psr(current) & PFM_ITA_PSR_SP))
		ita_clear_pmds(regs);
	pfm_ita_psr_start(regs);
	pfm_ita_set_pmc(0, 0);
	pfm_ita_serialize();
}

static void ita_stop(const struct pfm_regs *regs)
{
	ita_freeze();
	pfm_ita_psr_stop(regs);
}

const struct pfm_pmu_ops pfm_ita_ops = {
	.acquire	= ita_acquire,
	.release	= ita_release,
	.init_cpu	= ita_init_cpu,
	.prepare	= ita_prepare,
	.start		= ita_start,
	.stop		= ita_stop,
	.ack		= ita_ack,
	.write_pmc	= ita_write_pmc,
	.write_pmd	= ita_write_pmd,
	.read_pmd	= ita_read_pmd,
};

/* A restriction that programs no debug registers would find another owner's values. */
static bool ita_debug_shares(unsigned int pmc, u64 value)
{
	return pfm_ita_is_debug(pmc) || ita_model->restricts(pmc, value);
}

/* They limit monitors to ranges of addresses, which other PMCs choose. */
static const struct pfm_bank ita_debug_bank = {
	.name		= "debug registers",
	.pmc		= PFM_ITA_IBR0,
	.end_pmc	= PFM_ITA_NUM_PMCS,
	.write_pmc	= ita_write_debug,
	.shares		= ita_debug_shares,
	.claim		= pfm_ita_debug_claim,
	.unclaim	= pfm_ita_debug_unclaim,
};

static const struct pfm_bank * const ita_banks[] = { &ita_debug_bank, NULL };

/**
 * pfm_ita_use() - Set the processor's model.
 * @model: the model
 *
 * Context: boot; there is no context.
 *
 * Return: its description, with operations.
 */
const struct pfm_pmu *pfm_ita_use(const struct pfm_ita_model *model)
{
	ita_model = model;
	ita_pmu = *model->pmu;
	ita_pmu.ops = &pfm_ita_ops;
	ita_pmu.banks = ita_banks;
	ita_pmu.rules = &pfm_ita_rules;
	return &ita_pmu;
}

/**
 * pfm_ita_model_here() - Get the processor's model.
 */
const struct pfm_ita_model *pfm_ita_model_here(void)
{
	return ita_model;
}
