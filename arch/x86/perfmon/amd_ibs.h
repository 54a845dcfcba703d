/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: AMD's Instruction-Based Sampling (IBS).
 *
 * Two units of the processor each pick one operation in every N, a fetch or an op,
 * follow it, leave a record of it in registers, and interrupt. A sample is an event
 * like any other, so there is a counter of samples, the only register here that is in
 * software. It overflows like any counter: with the value -1, at each sample.
 *
 *	PMC16	IBS_FETCH_CTL		PMD16		samples of fetches
 *	PMC17	IBS_OP_CTL		PMD17		samples of ops
 *					PMD18-21	a fetch sample
 *					PMD22-30	an op sample
 */
#ifndef _X86_PERFMON_AMD_IBS_H
#define _X86_PERFMON_AMD_IBS_H

#include <linux/bits.h>
#include <linux/perfmon_pmu.h>

struct pfm_amd_pmu;

/* EAX of CPUID leaf 8000001BH. */
#define PFM_IBS_FETCH_SAMPLING	BIT(1)
#define PFM_IBS_OP_SAMPLING	BIT(2)
#define PFM_IBS_RDWR_OP_CNT	BIT(3)
#define PFM_IBS_OP_CNT		BIT(4)
#define PFM_IBS_BRN_TRGT	BIT(5)
#define PFM_IBS_OP_CNT_EXT	BIT(6)
#define PFM_IBS_FETCH_CTL_EXTD	BIT(9)
#define PFM_IBS_OP_DATA4	BIT(10)
#define PFM_IBS_ZEN4		BIT(11)

/* Logical registers: the same index in PMCs and PMDs is the same unit. */
#define PFM_IBS_FETCH		16
#define PFM_IBS_OP		17
#define PFM_IBS_FETCH_STATUS	18	/* IBS_FETCH_CTL as a sample left it */
#define PFM_IBS_FETCH_LINADDR	19
#define PFM_IBS_OP_STATUS	22	/* IBS_OP_CTL, likewise */
#define PFM_IBS_END_PMC		18
#define PFM_IBS_END_PMD		31
#define PFM_IBS_FETCH_PMDS	(BIT_ULL(PFM_IBS_FETCH) | GENMASK_ULL(21, PFM_IBS_FETCH_STATUS))
#define PFM_IBS_OP_PMDS		(BIT_ULL(PFM_IBS_OP) | GENMASK_ULL(30, PFM_IBS_OP_STATUS))

#define PFM_IBS_MSR_FETCH_CTL	0xc0011030
#define PFM_IBS_MSR_OP_CTL	0xc0011033

#define PFM_IBS_MAX_CNT		GENMASK_ULL(15, 0)	/* both units; in 16s */
#define PFM_IBS_FETCH_CNT	GENMASK_ULL(31, 16)	/* in 16s, too */
#define PFM_IBS_FETCH_EN	BIT_ULL(48)
#define PFM_IBS_FETCH_VAL	BIT_ULL(49)
#define PFM_IBS_FETCH_RAND_EN	BIT_ULL(57)
#define PFM_IBS_FETCH_L3_MISS	BIT_ULL(59)
#define PFM_IBS_OP_L3_MISS	BIT_ULL(16)
#define PFM_IBS_OP_EN		BIT_ULL(17)
#define PFM_IBS_OP_VAL		BIT_ULL(18)
#define PFM_IBS_OP_CNT_CTL	BIT_ULL(19)		/* count ops, not cycles */
#define PFM_IBS_OP_MAX_CNT_EXT	GENMASK_ULL(26, 20)
#define PFM_IBS_OP_CUR_CNT	GENMASK_ULL(58, 32)
#define PFM_IBS_OP_CUR_CNT_RAND	GENMASK_ULL(38, 32)

/*
 * The shortest period that is accepted, 16384 fetches, ops or cycles. The next period
 * begins while the interrupt is still being handled, which takes some thousands in a debug
 * kernel: if the next sample came before the handler returns, nothing else would run until
 * the CPU is throttled.
 */
#define PFM_IBS_MIN_CNT		0x400

/* amd_ibs_tables.c */
u32 pfm_ibs_usable(unsigned int family, u32 caps);
bool pfm_ibs_may_sample_nothing(unsigned int family, unsigned int model);
void pfm_ibs_build(struct pfm_amd_pmu *amd);

/* amd_ibs.c */
extern const struct pfm_bank pfm_ibs_bank;

const struct pfm_amd_pmu *pfm_ibs_setup(const struct pfm_amd_pmu *amd);
bool pfm_ibs_interrupted(void);

#endif /* _X86_PERFMON_AMD_IBS_H */
