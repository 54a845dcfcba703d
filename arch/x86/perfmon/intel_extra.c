// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: Intel's model-specific control registers.
 *
 * They define an event's meaning; none of them enables a counter. So a set that does not
 * program one must find it zero, not with another context's value: each CPU remembers which
 * are loaded, and a start clears the ones that its set does not use.
 */
#include <linux/bits.h>
#include <linux/percpu.h>
#include <asm/cpufeature.h>
#include "intel_extra.h"
#include "msr.h"

static_assert(PFM_INTEL_MSR_OFFCORE_RSP0 == MSR_OFFCORE_RSP_0);
static_assert(PFM_INTEL_MSR_OFFCORE_RSP1 == MSR_OFFCORE_RSP_1);
static_assert(PFM_INTEL_MSR_PEBS_ENABLE == MSR_IA32_PEBS_ENABLE);
static_assert(PFM_INTEL_MSR_PEBS_LD_LAT == MSR_PEBS_LD_LAT_THRESHOLD);
static_assert(PFM_INTEL_MSR_PEBS_FRONTEND == MSR_PEBS_FRONTEND);
static_assert(PFM_INTEL_MSR_LBR_SELECT == MSR_LBR_SELECT);

/* PMCs of this CPU that do not hold zero, as users see zero. */
static DEFINE_PER_CPU(u64, pfm_intel_loaded);

/**
 * pfm_intel_probe_bits() - Determine the bits that a register implements.
 * @msr: its address
 * @bits: the bits to try
 *
 * The model number is not enough: a hypervisor may leave a register out, so that an access
 * faults or a write is ignored, and processors of one model may differ in bits.
 *
 * Context: interrupts off.
 */
u64 pfm_intel_probe_bits(u32 msr, u64 bits)
{
	u64 old, got, takes = 0;
	unsigned int i;

	if (pfm_rdmsr_safe(msr, &old))
		return 0;
	pfm_for_each_bit(i, bits) {
		if (!pfm_wrmsr_safe(msr, BIT_ULL(i)) && !pfm_rdmsr_safe(msr, &got) &&
		    got == BIT_ULL(i))
			takes |= BIT_ULL(i);
	}
	return pfm_wrmsr_safe(msr, old) ? 0 : takes;
}

/**
 * pfm_intel_probe_extra() - Determine the bits of the model's registers that exist.
 * @model: the processor's model
 * @threads: hyper-threads of a core
 * @pebs: the processor reports PEBS
 * @bits: set for each register to its bits, 0 when it does not exist
 *
 * Context: interrupts off.
 */
void pfm_intel_probe_extra(const struct pfm_intel_model *model, unsigned int threads, bool pebs,
			   u64 *bits)
{
	const struct pfm_intel_extra *extra = pfm_intel_extras;
	unsigned int i;
	u64 ours, old;

	for (i = 0; i < PFM_INTEL_NUM_EXTRA; i++, extra++) {
		ours = model->extra[i] & extra->ours;
		bits[i] = 0;
		if (!model->extra[i] || (extra->pebs && !pebs))
			continue;
		/* A hyper-thread must not change the meaning of the other one's events. */
		if (threads > 1 && (model->shared & BIT(i)))
			continue;
		if (ours)
			bits[i] = pfm_intel_probe_bits(extra->msr, ours);
		else if (!pfm_rdmsr_safe(extra->msr, &old) && !pfm_wrmsr_safe(extra->msr, old))
			bits[i] = model->extra[i];
	}
}

/**
 * pfm_intel_write_extra() - Load a register.
 * @pmc: its index
 * @value: the value
 *
 * Context: on the CPU.
 */
void pfm_intel_write_extra(unsigned int pmc, u64 value)
{
	const struct pfm_intel_extra *extra = &pfm_intel_extras[pmc - PFM_INTEL_EXTRA];

	pfm_wrmsr(extra->msr, value ^ extra->inverted);
	if (value)
		this_cpu_or(pfm_intel_loaded, BIT_ULL(pmc));
	else
		this_cpu_and(pfm_intel_loaded, ~BIT_ULL(pmc));
}

/**
 * pfm_intel_clear_extra() - Clear the registers that another context has left.
 * @regs: the set that will run
 *
 * Context: on the CPU.
 */
void pfm_intel_clear_extra(const struct pfm_regs *regs)
{
	u64 left = __this_cpu_read(pfm_intel_loaded) & ~regs->used_pmcs[0];
	unsigned int i;

	pfm_for_each_bit(i, left)
		pfm_intel_write_extra(i, 0);
}

/**
 * pfm_intel_reset_extra() - Clear all registers.
 * @pmcs: the table
 *
 * Context: on the CPU.
 */
void pfm_intel_reset_extra(const struct pfm_reg_desc *pmcs)
{
	unsigned int i;

	for (i = PFM_INTEL_EXTRA; i < PFM_INTEL_EXTRA + PFM_INTEL_NUM_EXTRA; i++) {
		if (pmcs[i].name)
			pfm_intel_write_extra(i, 0);
	}
}
