/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the registers that all CPUs of a machine have in common.
 */
#ifndef _X86_PERFMON_INTEL_HYBRID_H
#define _X86_PERFMON_INTEL_HYBRID_H

#include "intel_arch.h"

/**
 * struct pfm_intel_lbr_leaf - Architectural branch records: CPUID leaf 0x1C.
 * @depths: EAX: a bit for each possible number of them, in eights; 0: there are none
 * @filters: EBX
 * @parts: ECX
 */
struct pfm_intel_lbr_leaf {
	u32	depths;
	u32	filters;
	u32	parts;
};

/**
 * struct pfm_intel_cpu - Capabilities that a CPU reports, or that joined CPUs have.
 * @caps: CPUID leaf 0xA, and IA32_PERF_CAPABILITIES
 * @lbr: leaf 0x1C
 * @uneven: some CPUs have general counters that are wider than @caps states
 */
struct pfm_intel_cpu {
	struct pfm_intel_caps		caps;
	struct pfm_intel_lbr_leaf	lbr;
	bool				uneven;
};

/**
 * struct pfm_intel_cpus - The CPUs that have come online so far.
 * @common: the capabilities that all of them have
 * @asked: there is one
 * @settled: the registers are chosen: other CPUs must have these
 */
struct pfm_intel_cpus {
	struct pfm_intel_cpu	common;
	bool			asked;
	bool			settled;
};

/* The machine's. */
extern struct pfm_intel_cpus pfm_intel_cpus;

extern struct pfm_pmu_ops pfm_intel_uneven_ops;

u64 pfm_intel_perf_caps(const struct cpuinfo_x86 *c);
bool pfm_intel_says_all(const struct cpuinfo_x86 *c);
bool pfm_intel_admit(struct pfm_intel_cpus *cpus, const struct pfm_intel_cpu *one, bool known);
bool pfm_intel_join(struct pfm_intel_cpu *all, const struct pfm_intel_cpu *one);
const struct pfm_pmu_ops *pfm_intel_uneven_use(const struct pfm_pmu_ops *plain, unsigned int width);
const struct pfm_core_type *pfm_intel_cpus_read(struct pfm_intel_cpu *common);
void pfm_intel_cpus_forget(void);

#endif /* _X86_PERFMON_INTEL_HYBRID_H */
