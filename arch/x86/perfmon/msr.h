/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: access to MSRs or, during a KUnit test, to a model of them.
 *
 * For hardware that is not available to the tests. Without KUnit, access is direct.
 */
#ifndef _X86_PERFMON_MSR_H
#define _X86_PERFMON_MSR_H

#include <linux/jump_label.h>
#include <asm/msr.h>

/**
 * struct pfm_msr_model - Stands in for the processor's MSRs.
 * @read: as rdmsrl_safe()
 * @write: as wrmsrl_safe()
 * @read_counter: as rdpmcl()
 */
struct pfm_msr_model {
	int	(*read)(u32 msr, u64 *value);
	int	(*write)(u32 msr, u64 value);
	u64	(*read_counter)(u32 counter);
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

/* @counter: in the form that the instruction takes */
static __always_inline u64 pfm_rdpmc(u32 counter)
{
	u64 value;

	if (pfm_msr_is_modelled())
		return pfm_msr_model->read_counter(counter);
	rdpmcl(counter, value);
	return value;
}

bool pfm_msr_holds(u32 msr, u64 value);

#endif /* _X86_PERFMON_MSR_H */
