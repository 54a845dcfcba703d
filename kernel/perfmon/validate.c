// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the validator of PMU tables.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/errno.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/string.h>
#include "pmu.h"

/* The mistake in one register by itself, or NULL. */
static const char *pfm_reg_mistake(const struct pfm_reg_desc *d, bool pmc)
{
	bool control = d->cls == PFM_CLASS_CONTROL;
	u64 mask = pfm_width_mask(d->width);

	if (strlen(d->name) >= 32)
		return "name too long";
	if (d->type < PFM_REG_TYPE_PMC || d->type > PFM_REG_TYPE_SOFT)
		return "bad type";
	if (!d->cls || control != pmc)
		return "bad class";
	if (d->width < 1 || d->width > 64)
		return "bad width";
	if (d->def & ~mask)
		return "default wider than the register";
	if (d->rsvd & ~mask)
		return "reserved bits beyond the register";
	if (!pmc && d->kernel_bits)
		return "kernel bits in a PMD";
	if (d->kernel_bits & (d->rsvd | d->def))
		return "kernel bits reserved or preset";
	if (d->bare && (!pmc || pfm_bv_next(d->deps, PFM_MAX_PMDS, 0) < PFM_MAX_PMDS))
		return "bare, and not a PMC without PMDs";
	if (d->cls != PFM_CLASS_COUNTER)
		return NULL;
	if (d->write_width < 2 || d->write_width > d->width)
		return "bad write width";
	if (d->direct && d->write_width < d->width)
		return "direct, and not written as a whole";
	return d->def ? "a counter starts at zero" : NULL;
}

/* No two logical registers on one hardware register: no later one on that of this one. */
static const char *pfm_unique_mistake(const struct pfm_reg_desc *regs, unsigned int num,
				      unsigned int reg)
{
	const struct pfm_reg_desc *d = &regs[reg];
	unsigned int i;

	for (i = reg + 1; i < num; i++) {
		if (!regs[i].name)
			continue;
		if (!strcmp(regs[i].name, d->name))
			return "name used twice";
		if (d->addr != PFM_REG_IDX_NONE && regs[i].addr == d->addr &&
		    regs[i].type == d->type)
			return "address used twice";
	}
	return NULL;
}

/* Each dependency must be in both descriptors, the PMC's and the PMD's. */
static const char *pfm_deps_mistake(const struct pfm_reg_desc *from, unsigned int reg,
				    const struct pfm_reg_desc *to, unsigned int num_to)
{
	unsigned int i;

	pfm_for_each_reg(i, from[reg].deps, PFM_MAX_PMDS) {
		if (i >= num_to || !to[i].name)
			return "depends on a missing register";
		if (!pfm_bv_test(to[i].deps, reg))
			return "dependency not symmetric";
	}
	return NULL;
}

static const char *pfm_side_mistake(const struct pfm_pmu *pmu, bool pmc, const char **where)
{
	const struct pfm_reg_desc *regs = pmc ? pmu->pmcs : pmu->pmds;
	const struct pfm_reg_desc *others = pmc ? pmu->pmds : pmu->pmcs;
	unsigned int num_others = pmc ? pmu->num_pmds : pmu->num_pmcs;
	unsigned int num = pmc ? pmu->num_pmcs : pmu->num_pmds;
	const char *what = NULL;
	unsigned int i;

	*where = pmc ? "PMCs" : "PMDs";
	/* Hardware PMDs have indices below the virtual ones. */
	if (!num || num > (pmc ? PFM_MAX_PMCS : PFM_MAX_HW_PMDS))
		return "bad number of registers";
	if (!regs[num - 1].name)
		return "table ends in a hole";
	for (i = 0; i < num && !what; i++) {
		if (!regs[i].name)
			continue;
		*where = regs[i].name;
		what = pfm_reg_mistake(&regs[i], pmc) ?:
		       pfm_unique_mistake(regs, num, i) ?:
		       pfm_deps_mistake(regs, i, others, num_others);
	}
	return what;
}

/* The mistake in a bank's range of PMCs, or of PMDs, or NULL. */
static const char *pfm_range_mistake(const struct pfm_reg_desc *regs, unsigned int num,
				     unsigned int first, unsigned int end, unsigned int max)
{
	unsigned int i;

	if (!end)
		return first ? "range without an end" : NULL;
	if (end <= first)
		return "range ends before it begins";
	if (end > max)
		return "range beyond any table";
	/* The range may have holes and may end beyond the table, but must have a register. */
	for (i = first; i < end && i < num; i++) {
		if (regs[i].name)
			return NULL;
	}
	return "no register in its range";
}

static const char *pfm_bank_ops_mistake(const struct pfm_bank *bank)
{
	if (bank->end_pmd && (!bank->write_pmd || !bank->read_pmd))
		return "PMDs without operations";
	if (bank->end_pmc && !bank->write_pmc && !bank->start)
		return "PMCs that are never loaded";
	if (!bank->start != !bank->stop)
		return "start and stop come together";
	if (bank->branches && !bank->end_pmd)
		return "branch records without PMDs";
	if (!bank->shares != !bank->claim || !bank->shares != !bank->unclaim)
		return "shares, claim and unclaim come together";
	return NULL;
}

/* True if two ranges have a register in common; the end of an empty one is 0. */
static bool pfm_ranges_overlap(unsigned int a, unsigned int a_end, unsigned int b,
			       unsigned int b_end)
{
	return a < b_end && b < a_end;
}

/* No bank after this one has some of its registers. */
static const char *pfm_overlap_mistake(const struct pfm_bank * const *banks)
{
	const struct pfm_bank *bank = *banks;

	while (*++banks) {
		if (pfm_ranges_overlap(bank->pmc, bank->end_pmc, (*banks)->pmc, (*banks)->end_pmc))
			return "PMCs of another bank";
		if (pfm_ranges_overlap(bank->pmd, bank->end_pmd, (*banks)->pmd, (*banks)->end_pmd))
			return "PMDs of another bank";
	}
	return NULL;
}

static const char *pfm_banks_mistake(const struct pfm_pmu *pmu, const char **where)
{
	const struct pfm_bank * const *banks = pmu->banks;
	const char *what = NULL;

	for (; banks && *banks && !what; banks++) {
		const struct pfm_bank *bank = *banks;

		*where = bank->name;
		if (banks - pmu->banks >= PFM_MAX_BANKS)
			return "too many banks";
		what = pfm_range_mistake(pmu->pmcs, pmu->num_pmcs, bank->pmc, bank->end_pmc,
					 PFM_MAX_PMCS) ?:
		       pfm_range_mistake(pmu->pmds, pmu->num_pmds, bank->pmd, bank->end_pmd,
					 PFM_MAX_HW_PMDS) ?:
		       pfm_bank_ops_mistake(bank) ?: pfm_overlap_mistake(banks);
	}
	return what;
}

/**
 * pfm_pmu_mistake() - Look for a mistake in a PMU's registers and banks.
 * @pmu: the table; the operations on its counters do not matter
 * @where: set to the name of the register or of the bank
 *
 * Return: the mistake, or NULL.
 */
const char *pfm_pmu_mistake(const struct pfm_pmu *pmu, const char **where)
{
	return pfm_side_mistake(pmu, true, where) ?: pfm_side_mistake(pmu, false, where) ?:
	       pfm_banks_mistake(pmu, where);
}

/**
 * pfm_pmu_validate() - Check a PMU description for mistakes.
 * @pmu: the description
 *
 * The log names the register, or the bank, and the mistake.
 *
 * Return: 0, or -EINVAL.
 */
int pfm_pmu_validate(const struct pfm_pmu *pmu)
{
	const struct pfm_pmu_ops *ops = pmu->ops;
	const char *what, *where = "operations";
	bool missing = !ops;

#define X(name) missing = missing || !ops->name;
	PFM_PMU_OPS(X)
#undef X
#define X(name) missing = missing || (pmu->rules && !pmu->rules->name);
	PFM_PMU_RULES(X)
#undef X
	what = missing ? "a mandatory one is missing" : pfm_pmu_mistake(pmu, &where);
	if (!what)
		return 0;
	pr_err("PMU %s: %s: %s\n", pmu->name, where, what);
	return -EINVAL;
}
