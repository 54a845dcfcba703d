/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the PMU of the Pentium 4 (NetBurst).
 *
 *	PMD0-17		the counters, in the order of their MSRs: BPU0-3, MS0-3,
 *			FLAME0-3, IQ0-5
 *	PMC0-17		the CCCR of the counter of the same number; the second is a hole in both
 *	PMC32-97	the ESCRs, at 32 + MSR - 0x3a0; numbers without one are holes
 *
 * A counter counts the event that an ESCR selects, and its CCCR selects the ESCR. An ESCR serves
 * the counters of one group: its dependencies name them.
 */
#ifndef _X86_PERFMON_P4_H
#define _X86_PERFMON_P4_H

#include <linux/perfmon_pmu.h>

struct cpuinfo_x86;

#define PFM_P4_NUM		18
#define PFM_P4_WIDTH		40
#define PFM_P4_CTR0		0x300
#define PFM_P4_CCCR0		0x360
#define PFM_P4_ESCR0		0x3a0
#define PFM_P4_ESCR		32	/* PMC of the MSR above */
#define PFM_P4_NUM_PMCS		(PFM_P4_ESCR + 0x3e1 - PFM_P4_ESCR0 + 1)

#define PFM_P4_PROBE		0x04000000	/* an event select, no level */
#define PFM_P4_CCCR_ENABLE	BIT_ULL(12)
#define PFM_P4_CCCR_OVF_PMI	BIT_ULL(26)
#define PFM_P4_CCCR_OVF		BIT_ULL(31)

/**
 * struct pfm_p4_pmu - The table for one machine.
 * @pmu: the description; points to @pmcs and @pmds
 * @pmcs: control registers by index
 * @pmds: data registers by index
 */
struct pfm_p4_pmu {
	struct pfm_pmu		pmu;
	struct pfm_reg_desc	pmcs[PFM_P4_NUM_PMCS];
	struct pfm_reg_desc	pmds[PFM_P4_NUM];
};

void pfm_p4_build(struct pfm_p4_pmu *p4, bool (*have)(unsigned int msr));

extern const struct pfm_pmu_ops pfm_p4_ops;
bool pfm_p4_have(unsigned int msr);
void pfm_p4_use(const struct pfm_p4_pmu *table);
const struct pfm_pmu *pfm_p4_find(struct pfm_p4_pmu *table, const struct cpuinfo_x86 *c,
				  unsigned int siblings);
const struct pfm_pmu *pfm_p4_detect(void);

#endif /* _X86_PERFMON_P4_H */
