/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: Nehalem and Westmere: an erratum of their general counters.
 */
#ifndef _X86_PERFMON_INTEL_NEHALEM_H
#define _X86_PERFMON_INTEL_NEHALEM_H

#include <linux/perfmon_pmu.h>

extern struct pfm_pmu_ops pfm_intel_nehalem_ops;

const struct pfm_pmu_ops *pfm_intel_nehalem_use(const struct pfm_pmu_ops *plain);

#endif /* _X86_PERFMON_INTEL_NEHALEM_H */
