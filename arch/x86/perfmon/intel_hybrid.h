/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the registers that all CPUs of a machine have in common.
 */
#ifndef _X86_PERFMON_INTEL_HYBRID_H
#define _X86_PERFMON_INTEL_HYBRID_H

#include "intel_arch.h"

/**
 * struct pfm_intel_cpu - Capabilities that a CPU reports, or that joined CPUs have.
 * @caps: CPUID leaf 0xA, and IA32_PERF_CAPABILITIES
 * @lbr: EAX, EBX and ECX of leaf 0x1C: architectural branch records; 0: none
 * @uneven: some CPUs have general counters that are wider than @caps states
 */
struct pfm_intel_cpu {
	struct pfm_intel_caps	caps;
	u32			lbr[3];
	bool			uneven;
};

extern struct pfm_pmu_ops pfm_intel_uneven_ops;

bool pfm_intel_join(struct pfm_intel_cpu *all, const struct pfm_intel_cpu *one);
const struct pfm_pmu_ops *pfm_intel_uneven_use(const struct pfm_pmu_ops *plain, unsigned int width);
const struct pfm_core_type *pfm_intel_cpus_read(struct pfm_intel_cpu *common);
void pfm_intel_cpus_forget(void);

#endif /* _X86_PERFMON_INTEL_HYBRID_H */
