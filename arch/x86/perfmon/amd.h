/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the PMU of AMD's processors since the K7, and of Hygon's.
 *
 * Logical indices are the hardware's own:
 *
 *	PMC0-5		PERF_CTLx	PMD0-5		PERF_CTRx
 *
 * four of each at their old addresses, or six at the addresses of the core extension.
 * From 16 on: Instruction-Based Sampling, see amd_ibs.h.
 */
#ifndef _X86_PERFMON_AMD_H
#define _X86_PERFMON_AMD_H

#include <linux/perfmon_pmu.h>
#include "amd_ibs.h"

struct cpuinfo_x86;

#define PFM_AMD_MAX_COUNTERS	16	/* one more than EBX[3:0] of CPUID leaf 80000022H holds */

/**
 * struct pfm_amd_caps - The PMU as CPUID reports it.
 * @family: of the processor, extended family included
 * @num: counters
 * @core_ext: the counters are at the addresses of the core extension
 * @global: PerfMonV2: registers that start, stop and show all counters at once
 * @ibs: EAX of leaf 8000001BH; 0: no Instruction-Based Sampling
 * @ibs_no_fetch: a fetch sample may be of no fetch: see pfm_ibs_may_sample_nothing()
 */
struct pfm_amd_caps {
	u32	ibs;
	u8	family;
	u8	num;
	bool	core_ext;
	bool	global;
	bool	ibs_no_fetch;
};

/**
 * struct pfm_amd_pmu - The table for one machine.
 * @caps: the capabilities for which it was built
 * @pmu: the description; points to @pmcs and @pmds. Its operations are those of pfm_amd_ops().
 * @pmcs: control registers by index
 * @pmds: data registers by index
 */
struct pfm_amd_pmu {
	struct pfm_amd_caps	caps;
	struct pfm_pmu		pmu;
	struct pfm_reg_desc	pmcs[PFM_IBS_END_PMC];
	struct pfm_reg_desc	pmds[PFM_IBS_END_PMD];
};

/* amd_tables.c */
struct pfm_amd_caps pfm_amd_cpuid_caps(unsigned int family, u32 ext_ecx, u32 v2_eax,
				       u32 v2_ebx);
void pfm_amd_build(struct pfm_amd_pmu *amd, struct pfm_amd_caps caps);

/* amd.c */
const struct pfm_pmu_ops *pfm_amd_ops(const struct pfm_amd_caps *caps);
void pfm_amd_prepare(struct pfm_regs *regs);
void pfm_amd_use(const struct pfm_amd_pmu *table);
const struct pfm_pmu *pfm_amd_find(struct pfm_amd_pmu *amd, const struct cpuinfo_x86 *c);
const struct pfm_pmu *pfm_amd_detect(void);

#endif /* _X86_PERFMON_AMD_H */
