/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the Intel architectural PMU.
 *
 * Logical indices never move between models:
 *
 *	PMC0-15		IA32_PERFEVTSELx	PMD0-15		IA32_PMCx
 *	PMC16		IA32_FIXED_CTR_CTRL	PMD16-31	IA32_FIXED_CTRx
 *
 * as many of each as CPUID reports.
 */
#ifndef _X86_PERFMON_INTEL_ARCH_H
#define _X86_PERFMON_INTEL_ARCH_H

#include <linux/perfmon_pmu.h>

#define PFM_INTEL_MAX_GP	8	/* the MSR numbers end there */
#define PFM_INTEL_MAX_FIXED	16	/* 4 bits each of a 64-bit control register */
#define PFM_INTEL_FIXED_CTRL	16	/* PMC */
#define PFM_INTEL_FIXED		16	/* first PMD */
#define PFM_INTEL_NUM_PMCS	(PFM_INTEL_FIXED_CTRL + 1)
#define PFM_INTEL_NUM_PMDS	(PFM_INTEL_FIXED + PFM_INTEL_MAX_FIXED)

/**
 * struct pfm_intel_caps - What CPUID leaf 0xA and IA32_PERF_CAPABILITIES say.
 * @version: of architectural performance monitoring, 1-5; 0: none
 * @num_gp: general counters
 * @gp_width: their bits
 * @fixed_mask: fixed counters, one bit each
 * @fixed_width: their bits
 * @full_width_write: general counters can be written in full, by MSRs of their own
 * @evtsel_refused: bits of an event selector that the processor does not take
 */
struct pfm_intel_caps {
	u8	version;
	u8	num_gp;
	u8	gp_width;
	u8	fixed_width;
	u16	fixed_mask;
	bool	full_width_write;
	u64	evtsel_refused;
};

/**
 * struct pfm_intel_pmu - The table for one machine.
 * @caps: what it was built from
 * @pmu: the description; points to the others
 * @counters: all counters' bits in the IA32_PERF_GLOBAL_* registers
 * @pmcs: control registers by index
 * @pmds: data registers by index
 */
struct pfm_intel_pmu {
	struct pfm_intel_caps	caps;
	struct pfm_pmu		pmu;
	u64			counters;
	struct pfm_reg_desc	pmcs[PFM_INTEL_NUM_PMCS];
	struct pfm_reg_desc	pmds[PFM_INTEL_NUM_PMDS];
};

struct pfm_intel_caps pfm_intel_cpuid_caps(u32 eax, u32 ecx, u32 edx, bool hypervisor,
					   bool full_width_write);
void pfm_intel_build(struct pfm_intel_pmu *intel, struct pfm_intel_caps caps);
void pfm_intel_prepare(struct pfm_regs *regs);
const struct pfm_pmu *pfm_intel_detect(void);

#endif /* _X86_PERFMON_INTEL_ARCH_H */
