// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of the first Itanium. pfmon compiles this file, too.
 *
 * Facts: Intel Itanium Processor Reference Manual for Software Development and
 * Optimization, "Performance Monitoring": generic PMC registers, opcode match
 * registers, event address and branch trace buffer configuration registers.
 */
#include "ita_model.h"
#include "tables.h"

/* plm, es, umask, threshold, ism */
#define ITANIUM_COUNTER	0x37f7f0fULL

/* plm, tlb, umask, ism; and for data pt, which is clear if addresses are restricted */
#define ITANIUM_IEAR	0x30f008fULL
#define ITANIUM_DEAR	(ITANIUM_IEAR | ITANIUM_PT)
#define ITANIUM_PT	BIT_ULL(28)

/* plm, and the properties of a branch that is recorded */
#define ITANIUM_BTB	0xff8fULL

/* Mask and match of an opcode, and the slots that they are for. */
#define ITANIUM_OPCODE_DEF	0xf00000003ffffff8ULL
#define ITANIUM_OPCODE		0xfffffffe3ffffff8ULL

/* PMC13: ta, which is clear if code is restricted. */
#define ITANIUM_TA		BIT_ULL(0)
#define ITANIUM_CODE_DEF	(0x0003ffff00000000ULL | ITANIUM_TA)

#define ITANIUM_COUNTER_PMC(_n)							\
	PFM_ITA_MONITOR_PMC(_n, PFM_ITA_OI, ITANIUM_COUNTER, BIT_ULL(_n))

static const struct pfm_reg_desc itanium_pmcs[PFM_ITA_NUM_PMCS] = {
	ITANIUM_COUNTER_PMC(4),
	ITANIUM_COUNTER_PMC(5),
	ITANIUM_COUNTER_PMC(6),
	ITANIUM_COUNTER_PMC(7),
	PFM_ITA_CONFIG_PMC(8, ITANIUM_OPCODE_DEF, ITANIUM_OPCODE),
	PFM_ITA_CONFIG_PMC(9, ITANIUM_OPCODE_DEF, ITANIUM_OPCODE),
	PFM_ITA_MONITOR_PMC(10, 0, ITANIUM_IEAR, PFM_ITA_IEAR_PMDS),
	PFM_ITA_MONITOR_PMC(11, ITANIUM_PT, ITANIUM_DEAR, PFM_ITA_DEAR_PMDS),
	PFM_ITA_MONITOR_PMC(12, 0, ITANIUM_BTB, PFM_ITA_BTB_PMDS),
	PFM_ITA_CONFIG_PMC(13, ITANIUM_CODE_DEF, ITANIUM_TA),
	PFM_ITA_DEBUG_REGS,
};

static const struct pfm_reg_desc itanium_pmds[] = {
	PFM_ITA_FIRST_PMDS(32),
};

static const struct pfm_pmu itanium_registers = {
	.name		= "Intel Itanium",
	.counter_width	= 32,
	.num_pmcs	= ARRAY_SIZE(itanium_pmcs),
	.num_pmds	= ARRAY_SIZE(itanium_pmds),
	.pmcs		= itanium_pmcs,
	.pmds		= itanium_pmds,
};

static bool itanium_restricts(unsigned int pmc, u64 value)
{
	return (pmc == 11 && !(value & ITANIUM_PT)) || (pmc == 13 && !(value & ITANIUM_TA));
}

static bool itanium_conflicts(const u64 *pmcs)
{
	return false;
}

const struct pfm_ita_model pfm_itanium = {
	.pmu		= &itanium_registers,
	.family		= 0x07,
	.pm6		= 0x1cf0,
	.restricts	= itanium_restricts,
	.conflicts	= itanium_conflicts,
};
