/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: MSRs, or, while a KUnit test says so, a model of them.
 *
 * For what no machine at hand can run. Without KUnit there is no such detour.
 */
#ifndef _X86_PERFMON_MSR_H
#define _X86_PERFMON_MSR_H

#include <linux/jump_label.h>
#include <asm/msr.h>

/**
 * struct pfm_msr_model - Stands in for the processor's MSRs.
 * @read: as rdmsrl_safe()
 * @write: as wrmsrl_safe()
 */
struct pfm_msr_model {
	int	(*read)(u32 msr, u64 *value);
	int	(*write)(u32 msr, u64 value);
};

#ifdef CONFIG_PERFMON_KUNIT_TEST
DECLARE_STATIC_KEY_FALSE(pfm_msr_modelled);
extern const struct pfm_msr_model *pfm_msr_model;
#define pfm_msr_is_modelled()	static_branch_unlikely(&pfm_msr_modelled)
#else
#define pfm_msr_is_modelled()	false
#define pfm_msr_model		((const struct pfm_msr_model *)NULL)
#endif

static inline int pfm_rdmsr_safe(u32 msr, u64 *value)
{
	return pfm_msr_is_modelled() ? pfm_msr_model->read(msr, value) : rdmsrl_safe(msr, value);
}

static inline int pfm_wrmsr_safe(u32 msr, u64 value)
{
	return pfm_msr_is_modelled() ? pfm_msr_model->write(msr, value) : wrmsrl_safe(msr, value);
}

static inline u64 pfm_rdmsr(u32 msr)
{
	u64 value = 0;

	if (pfm_msr_is_modelled())
		pfm_msr_model->read(msr, &value);
	else
		rdmsrl(msr, value);
	return value;
}

static inline void pfm_wrmsr(u32 msr, u64 value)
{
	if (pfm_msr_is_modelled())
		pfm_msr_model->write(msr, value);
	else
		wrmsrl(msr, value);
}

#endif /* _X86_PERFMON_MSR_H */
