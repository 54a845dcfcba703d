/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the choice of the PMU.
 */
#ifndef _KERNEL_PERFMON_PMU_REGISTER_H
#define _KERNEL_PERFMON_PMU_REGISTER_H

struct pfm_pmu;

const struct pfm_pmu *pfm_pmu_use(const struct pfm_pmu *pmu);

#endif /* _KERNEL_PERFMON_PMU_REGISTER_H */
