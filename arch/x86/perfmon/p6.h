/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the PMU of the P6 family, Pentium Pro to Pentium M.
 *
 *	PMC0, 1		PERFEVTSEL0, 1		PMD0, 1		PERFCTR0, 1
 *
 * Only PERFEVTSEL0 has an enable bit, and it is for both counters. Here it is
 * perfmon's: a counter runs when its control register selects a privilege level.
 */
#ifndef _X86_PERFMON_P6_H
#define _X86_PERFMON_P6_H

#include <linux/perfmon_pmu.h>

#define PFM_P6_NUM		2
#define PFM_P6_WIDTH		40
#define PFM_P6_EVTSEL0		0x186
#define PFM_P6_PERFCTR0		0xc1
#define PFM_P6_USR		BIT_ULL(16)
#define PFM_P6_OS		BIT_ULL(17)
#define PFM_P6_EN		BIT_ULL(22)
#define PFM_P6_PROBE		0x79	/* cycles, at no level */

extern const struct pfm_pmu pfm_p6_registers;
extern const struct pfm_pmu_ops pfm_p6_ops;
extern const struct pfm_pmu_ops pfm_core_duo_ops;

struct cpuinfo_x86;

const struct pfm_pmu *pfm_p6_detect(const struct cpuinfo_x86 *c);
bool pfm_p6_probe(void);

#endif /* _X86_PERFMON_P6_H */
