// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: Intel's model-specific control registers.
 *
 * They define an event's meaning; none of them enables a counter. So a set that does not
 * program one must find it zero, not with another context's value: each CPU remembers which
 * are loaded, and when a set follows another one, those are cleared that it does not use.
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

/* The machine's PMCs; those that it lacks have no name. */
static const struct pfm_reg_desc *machine;

/**
 * pfm_intel_extra_setup() - Set the table of the machine.
 * @pmcs: the machine's PMCs; NULL: there are none
 *
 * Context: boot.
 *
 * Return: the previous ones, for tests.
 */
const struct pfm_reg_desc *pfm_intel_extra_setup(const struct pfm_reg_desc *pmcs)
{
	const struct pfm_reg_desc *before = machine;

	machine = pmcs;
	return before;
}

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

static void pfm_intel_extra_write_pmc(unsigned int pmc, u64 value)
{
	const struct pfm_intel_extra *extra = &pfm_intel_extras[pmc - PFM_INTEL_EXTRA];

	pfm_wrmsr(extra->msr, value ^ extra->inverted);
	if (value)
		this_cpu_or(pfm_intel_loaded, BIT_ULL(pmc));
	else
		this_cpu_and(pfm_intel_loaded, ~BIT_ULL(pmc));
}

/* Clear the registers that another set has left. */
static void pfm_intel_extra_load(const struct pfm_regs *regs)
{
	u64 left = __this_cpu_read(pfm_intel_loaded) & ~regs->used_pmcs[0];
	unsigned int i;

	pfm_for_each_bit(i, left)
		pfm_intel_extra_write_pmc(i, 0);
}

static void pfm_intel_extra_init_cpu(void)
{
	unsigned int i;

	for (i = PFM_INTEL_EXTRA; i < PFM_INTEL_EXTRA + PFM_INTEL_NUM_EXTRA; i++) {
		if (machine[i].name)
			pfm_intel_extra_write_pmc(i, 0);
	}
}

const struct pfm_bank pfm_intel_extra_bank = {
	.name		= "model-specific registers",
	.pmc		= PFM_INTEL_EXTRA,
	.end_pmc	= PFM_INTEL_EXTRA + PFM_INTEL_NUM_EXTRA,
	.init_cpu	= pfm_intel_extra_init_cpu,
	.load		= pfm_intel_extra_load,
	.write_pmc	= pfm_intel_extra_write_pmc,
};
