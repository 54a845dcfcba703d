// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the PMU of this machine.
 */
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/perfmon_fmt.h>
#include <linux/string.h>
#include "pmu.h"

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

/* A machine without a PMU that perfmon knows: no registers, everything else works. */
static const struct pfm_pmu pfm_pmu_none = {
	.name		= "none",
	.software	= true,
	.ops		= &pfm_none_ops,
};

const struct pfm_pmu *pfm_pmu __ro_after_init = &pfm_pmu_none;

u64 pfm_hw_pmds __ro_after_init;
unsigned int pfm_num_pmds __ro_after_init;
unsigned int pfm_counters_end __ro_after_init;

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
 * pfm_virtual_desc() - Describe a virtual PMD.
 * @pmd: any number
 *
 * Return: the description, or NULL when @pmd is none.
 */
const struct pfm_reg_desc *pfm_virtual_desc(unsigned int pmd)
{
	if (pmd < PFM_VIRTUAL_PMD || pmd >= PFM_VIRTUAL_PMD + PFM_NUM_VIRTUAL_PMDS)
		return NULL;
	return &pfm_virtual_pmds[pmd - PFM_VIRTUAL_PMD];
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
 * pfm_pmd_named() - Find a PMD of the hardware: a service to sampling formats.
 * @name: the hardware manual's name, as in the table of registers
 *
 * A format for the registers of one processor finds them in this way, and whether the machine
 * has them.
 *
 * Context: any.
 *
 * Return: the index, or -ENOENT.
 */
int pfm_pmd_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < pfm_num_pmds; i++) {
		if (pfm_pmd_valid(i) && !strcmp(pfm_pmu->pmds[i].name, name))
			return i;
	}
	return -ENOENT;
}
EXPORT_SYMBOL_GPL(pfm_pmd_named);

/**
 * pfm_pmd_count() - Number of PMDs.
 */
unsigned int pfm_pmd_count(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < PFM_MAX_PMDS; i++)
		n += pfm_pmd_valid(i);
	return n;
}

/**
 * pfm_counter_top() - Bits of a counter that a write cannot set freely.
 * @desc: the counter
 *
 * Return: these bits, and the highest one that a write can set, of which they are copies; 0 for
 * a counter that is always loaded with the low bits of its value: one of 64 bits, or one that
 * users read.
 */
u64 pfm_counter_top(const struct pfm_reg_desc *desc)
{
	if (desc->width == 64 || desc->direct)
		return 0;
	return pfm_width_mask(desc->width) & ~pfm_width_mask(desc->write_width - 1);
}

/**
 * pfm_pmu_set() - Work with a PMU from now on.
 * @pmu: the table
 *
 * Context: boot; there is no context. The banks have to follow, pfm_banks_set(), and the event
 * sets, pfm_sets_set_pmu().
 */
void pfm_pmu_set(const struct pfm_pmu *pmu)
{
	unsigned int i;

	pfm_pmu = pmu;
	pfm_num_pmds = pmu->num_pmds;
	pfm_counters_end = 0;
	pfm_hw_pmds = 0;
	for (i = 0; i < pmu->num_pmds; i++) {
		if (pmu->pmds[i].name)
			pfm_hw_pmds |= BIT_ULL(i);
		if (pmu->pmds[i].cls == PFM_CLASS_COUNTER)
			pfm_counters_end = i + 1;
	}
#define X(name) static_call_update(pfm_pmu_##name, pmu->ops->name);
	PFM_PMU_OPS(X)
#undef X
}

/**
 * pfm_pmu_is_known() - Has a PMU been found?
 */
bool pfm_pmu_is_known(void)
{
	return pfm_pmu != &pfm_pmu_none;
}
