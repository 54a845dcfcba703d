/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the PMU of this machine: its registers, and its operations as direct calls.
 */
#ifndef _KERNEL_PERFMON_PMU_H
#define _KERNEL_PERFMON_PMU_H

#include <linux/bits.h>
#include <linux/perfmon_pmu.h>
#include <linux/static_call.h>
#include <linux/types.h>
#include <uapi/perfmon.h>

/* Never NULL. */
extern const struct pfm_pmu *pfm_pmu;
#define X(name) \
	DECLARE_STATIC_CALL(pfm_pmu_##name, *((struct pfm_pmu_ops *)0)->name);
PFM_PMU_OPS(X)
#undef X
#define pfm_pmu_op(name)	static_call(pfm_pmu_##name)

extern u64 pfm_hw_pmds;		/* PMDs of the hardware */
extern unsigned int pfm_num_pmds;	/* one more than the highest of them */
extern unsigned int pfm_counters_end;	/* one more than the highest counter */
bool pfm_pmc_valid(unsigned int pmc);
bool pfm_pmd_valid(unsigned int pmd);
unsigned int pfm_pmd_count(void);
u64 pfm_counter_top(const struct pfm_reg_desc *desc);
const struct pfm_reg_desc *pfm_virtual_desc(unsigned int pmd);
void pfm_pmu_set(const struct pfm_pmu *pmu);
bool pfm_pmu_is_known(void);

static inline bool pfm_pmd_is_virtual(unsigned int pmd)
{
	return pmd >= PFM_VIRTUAL_PMD;
}

static inline u64 pfm_width_mask(unsigned int width)
{
	return width >= 64 ? ~0ULL : BIT_ULL(width) - 1;
}

/* Not for counters: they have 64 bits, all of them the user's. */
static inline u64 pfm_reg_apply_rsvd(const struct pfm_reg_desc *desc, u64 value)
{
	value &= pfm_width_mask(desc->width);
	return (value & ~desc->rsvd) | (desc->def & desc->rsvd);
}

#endif /* _KERNEL_PERFMON_PMU_H */
