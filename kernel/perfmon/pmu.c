// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the PMU of this machine, and the validator of PMU tables.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/string.h>
#include "perfmon.h"

static int pfm_none_acquire(void)
{
	return 0;
}

static void pfm_none_release(void)
{
}

static void pfm_none_init_cpu(void)
{
}

static void pfm_none_prepare(struct pfm_regs *regs)
{
}

static void pfm_none_start(const struct pfm_regs *regs)
{
}

static void pfm_none_stop(const struct pfm_regs *regs)
{
}

static void pfm_none_ack(void)
{
}

static void pfm_none_write_pmc(unsigned int pmc, u64 value)
{
}

static void pfm_none_write_pmd(unsigned int pmd, u64 value)
{
}

static u64 pfm_none_read_pmd(unsigned int pmd)
{
	return 0;
}

static const struct pfm_pmu_ops pfm_none_ops = {
#define X(name) .name = pfm_none_##name,
	PFM_PMU_OPS(X)
#undef X
};

/* A machine without a PMU that we know: no registers, everything else works. */
static const struct pfm_pmu pfm_pmu_none = {
	.name		= "none",
	.software	= true,
	.ops		= &pfm_none_ops,
};

const struct pfm_pmu *pfm_pmu __ro_after_init = &pfm_pmu_none;

u64 pfm_hw_pmds __ro_after_init;

/* The operations again, as direct calls: some are done at each context switch. */
#define X(name) DEFINE_STATIC_CALL(pfm_pmu_##name, pfm_none_##name);
PFM_PMU_OPS(X)
#undef X

/**
 * pfm_pmc_valid() - Is there such a PMC?
 * @pmc: any number
 */
bool pfm_pmc_valid(unsigned int pmc)
{
	return pmc < pfm_pmu->num_pmcs && pfm_pmu->pmcs[pmc].name;
}

/**
 * pfm_pmd_valid() - Is there such a PMD?
 * @pmd: any number
 */
bool pfm_pmd_valid(unsigned int pmd)
{
	return pmd < PFM_MAX_HW_PMDS ? !!(pfm_hw_pmds & BIT_ULL(pmd)) : !!pfm_virtual_desc(pmd);
}

/**
 * pfm_pmd_count() - How many PMDs are there?
 */
unsigned int pfm_pmd_count(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < PFM_MAX_PMDS; i++)
		n += pfm_pmd_valid(i);
	return n;
}

/**
 * pfm_counter_top() - Which bits of a counter can a write not set freely?
 * @desc: the counter
 *
 * Return: these, and the highest one that it can, of which they are copies; 0 for a
 * counter that begins with the low bits of its value, wherever that is: of 64 bits, or
 * read by users.
 */
u64 pfm_counter_top(const struct pfm_reg_desc *desc)
{
	if (desc->width == 64 || desc->direct)
		return 0;
	return pfm_width_mask(desc->width) & ~pfm_width_mask(desc->write_width - 1);
}

/* One register by itself: what is wrong with it, or NULL. */
static const char *pfm_reg_mistake(const struct pfm_reg_desc *d, bool pmc)
{
	bool control = d->cls == PFM_CLASS_CONTROL;
	u64 mask = pfm_width_mask(d->width);

	if (strlen(d->name) >= 32)
		return "name too long";
	if (d->type < PFM_REG_TYPE_PMC || d->type > PFM_REG_TYPE_SOFT)
		return "bad type";
	if (control != pmc)
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

/* No two logical registers on one hardware register. */
static const char *pfm_unique_mistake(const struct pfm_reg_desc *regs, unsigned int num,
				      unsigned int reg)
{
	const struct pfm_reg_desc *d = &regs[reg];
	unsigned int i;

	for (i = 0; i < num; i++) {
		if (i == reg || !regs[i].name)
			continue;
		if (!strcmp(regs[i].name, d->name))
			return "name used twice";
		if (d->addr != PFM_REG_IDX_NONE && regs[i].addr == d->addr &&
		    regs[i].type == d->type)
			return "address used twice";
	}
	return NULL;
}

/* Who controls whom must read the same from both ends. */
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
	/* Virtual PMDs begin where the hardware's may not go. */
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

/**
 * pfm_pmu_mistake() - Look for a mistake in a PMU's registers.
 * @pmu: the table; its operations do not matter
 * @where: set to the register's name
 *
 * Return: what is wrong, or NULL.
 */
const char *pfm_pmu_mistake(const struct pfm_pmu *pmu, const char **where)
{
	return pfm_side_mistake(pmu, true, where) ?: pfm_side_mistake(pmu, false, where);
}

/**
 * pfm_pmu_validate() - Check a PMU description for mistakes.
 * @pmu: the description
 *
 * The log says what is wrong with which register.
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

/* On the kernel's command line: perfmon.pmu=. Without it the first one that registers. */
static char *pfm_pmu_choice;
#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX "perfmon."
module_param_named(pmu, pfm_pmu_choice, charp, 0444);

static bool __init pfm_pmu_is_chosen(const struct pfm_pmu *pmu)
{
	if (!pfm_pmu_choice)
		return true;
	if (!strcmp(pfm_pmu_choice, "soft"))
		return pmu->software;
	if (strcmp(pfm_pmu_choice, "none"))
		pr_err("no %s PMU: perfmon.pmu=%s: there is soft, and none\n", pmu->name,
		       pfm_pmu_choice);
	return false;
}

static void pfm_pmu_set(const struct pfm_pmu *pmu)
{
	unsigned int i;

	pfm_pmu = pmu;
	pfm_hw_pmds = 0;
	for (i = 0; i < pmu->num_pmds; i++) {
		if (pmu->pmds[i].name)
			pfm_hw_pmds |= BIT_ULL(i);
	}
#define X(name) static_call_update(pfm_pmu_##name, pmu->ops->name);
	PFM_PMU_OPS(X)
#undef X
	pfm_sets_use();
}

#ifdef CONFIG_PERFMON_KUNIT_TEST
/**
 * pfm_pmu_use() - Work with another PMU, for tests of the core on a model of it.
 * @pmu: the PMU
 *
 * Context: boot; there is no context.
 *
 * Return: the one before.
 */
const struct pfm_pmu *pfm_pmu_use(const struct pfm_pmu *pmu)
{
	const struct pfm_pmu *before = pfm_pmu;

	pfm_pmu_set(pmu);
	return before;
}
#endif

/**
 * pfm_pmu_register() - Say what PMU this machine has.
 * @pmu: the table; stays for ever
 *
 * Context: boot, before user space.
 *
 * Return: 0; -EINVAL when the table is wrong, -EBUSY when there is one already or
 * the kernel's command line wants another.
 */
int __init pfm_pmu_register(const struct pfm_pmu *pmu)
{
	int err;

	if (pfm_pmu != &pfm_pmu_none || !pfm_pmu_is_chosen(pmu))
		return -EBUSY;
	err = pfm_pmu_validate(pmu);
	if (err)
		return err;
	pfm_pmu_set(pmu);
	pr_info("%s PMU, %u-bit counters\n", pmu->name, pmu->counter_width);
	return 0;
}
