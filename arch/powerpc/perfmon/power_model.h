/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: POWER8 to POWER10: six counters of 32 bits.
 *
 * Some registers select the events of all counters: MMCR1 has a field for the event of each of
 * the first four, MMCR2 one for the freeze bits of each. A logical register belongs to one
 * counter or to all, because flags like PFM_REGFL_OVFL_NOTIFY belong to a PMC. So each counter
 * has a control register of its own, CTLn, with its part of MMCR1 and MMCR2, and the logical
 * MMCR1 and MMCR2 have the other bits. A start composes the hardware's registers from both.
 *
 * A counter overflows when its bit 31 gets set. So it has 31 bits, and bit 31 is a sign,
 * which is cleared before it counts on.
 */
#ifndef _POWERPC_PERFMON_POWER_MODEL_H
#define _POWERPC_PERFMON_POWER_MODEL_H

#include <linux/bits.h>
#include <linux/perfmon_pmu.h>

#define PFM_POWER_NUM_PMCS	11
#define PFM_POWER_NUM_PMDS	9
#define PFM_POWER_COUNTERS	6
#define PFM_POWER_WITH_EVENT	4	/* the others count one fixed event */
#define PFM_POWER_WIDTH		31

/* Logical PMCs: the counters' own are 0 to 5. */
#define PFM_POWER_MMCR0		6
#define PFM_POWER_MMCR1		7
#define PFM_POWER_MMCR2		8
#define PFM_POWER_MMCRA		9
#define PFM_POWER_MMCR3		10

/* Logical PMDs: the counters are 0 to 5. */
#define PFM_POWER_SIAR		6
#define PFM_POWER_SDAR		7
#define PFM_POWER_SIER		8

/* A counter's control register: the fields of MMCR1, and the levels at which it counts. */
#define PFM_POWER_EVENT		GENMASK_ULL(7, 0)
#define PFM_POWER_UNIT		GENMASK_ULL(11, 8)
#define PFM_POWER_COMBINE	GENMASK_ULL(13, 12)
#define PFM_POWER_USR		BIT_ULL(16)	/* problem state */
#define PFM_POWER_OS		BIT_ULL(17)	/* the kernel's state */

#define PFM_MMCR0_FC		BIT_ULL(31)
#define PFM_MMCR0_FCS		BIT_ULL(30)
#define PFM_MMCR0_FCP		BIT_ULL(29)
#define PFM_MMCR0_FCM1		BIT_ULL(28)
#define PFM_MMCR0_FCM0		BIT_ULL(27)
#define PFM_MMCR0_PMAE		BIT_ULL(26)	/* Linux: PMXE */
#define PFM_MMCR0_PMCC_NONE	BIT_ULL(18)	/* no access in problem state */
#define PFM_MMCR0_PMC1CE	BIT_ULL(15)
#define PFM_MMCR0_PMCJCE	BIT_ULL(14)
#define PFM_MMCR0_PMCCEXT	BIT_ULL(9)
#define PFM_MMCR0_CC56RUN	BIT_ULL(8)
#define PFM_MMCR0_PMAO		BIT_ULL(7)
#define PFM_MMCR0_FC14		BIT_ULL(5)
#define PFM_MMCR0_FC56		BIT_ULL(4)

/* Bit @bit of counter @n's field of nine bits in MMCR2; the leftmost bit is 0. */
#define PFM_MMCR2_BIT(n, bit)	BIT_ULL(63 - 9 * (n) - (bit))
#define PFM_MMCR2_FCS(n)	PFM_MMCR2_BIT(n, 0)
#define PFM_MMCR2_FCP(n)	(PFM_MMCR2_BIT(n, 1) | PFM_MMCR2_BIT(n, 2))
#define PFM_MMCR2_FCM(n)	(PFM_MMCR2_BIT(n, 3) | PFM_MMCR2_BIT(n, 4))
#define PFM_MMCR2_FCWAIT(n)	PFM_MMCR2_BIT(n, 5)
#define PFM_MMCR2_FCH(n)	PFM_MMCR2_BIT(n, 6)

/**
 * struct pfm_power_model - Differences between the processors.
 * @pmu: the table; its operations are added at boot
 * @combine_bits: of each counter's field in MMCR1: 1 or 2
 * @isa31: Power ISA 3.1: there is MMCR3
 */
struct pfm_power_model {
	struct pfm_pmu	pmu;
	u8		combine_bits;
	bool		isa31;
};

/**
 * struct pfm_power_image - The hardware's registers while a set counts.
 * @mmcr0: freeze and interrupt control
 * @mmcr1: events
 * @mmcr2: freeze bits of each counter
 * @mmcra: sampling and thresholds
 * @mmcr3: sources of sampled data, Power ISA 3.1
 * @kernel: some counter counts in the kernel
 */
struct pfm_power_image {
	u64	mmcr0;
	u64	mmcr1;
	u64	mmcr2;
	u64	mmcra;
	u64	mmcr3;
	bool	kernel;
};

extern const struct pfm_power_model pfm_power8, pfm_power9, pfm_power10;
extern const struct pfm_table pfm_power_tables[];

void pfm_power_prepare(struct pfm_regs *regs);
void pfm_power_compose(struct pfm_power_image *image, const struct pfm_power_model *model,
		       const struct pfm_regs *regs, bool hypervisor);

void pfm_power_use(const struct pfm_power_model *model, bool hypervisor);
void pfm_power_freeze(void);
void pfm_power_start(const struct pfm_regs *regs);
void pfm_power_stop(const struct pfm_regs *regs);
void pfm_power_write_pmd(unsigned int pmd, u64 value);
u64 pfm_power_read_pmd(unsigned int pmd);

#endif /* _POWERPC_PERFMON_POWER_MODEL_H */
