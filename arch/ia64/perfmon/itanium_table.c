// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of the first Itanium. pfmon compiles this file, too.
 *
 * Facts: Intel Itanium Processor Reference Manual for Software Development and
 * Optimization, "Performance Monitoring": generic PMC registers, opcode match
 * registers, event address and branch trace buffer configuration registers.
 */
#include "ita.h"
#include "tables.h"

/* plm, es, umask, threshold, ism */
#define ITANIUM_COUNTER	0x37f7f0fULL

/* plm, tlb, umask, ism; and for data, whether addresses are restricted: pt */
#define ITANIUM_IEAR	0x30f008fULL
#define ITANIUM_DEAR	(ITANIUM_IEAR | ITANIUM_PT)
#define ITANIUM_PT	BIT_ULL(28)

/* plm, what a branch must be to be recorded */
#define ITANIUM_BTB	0xff8fULL

/* Mask and match of an opcode, and the slots that they are for. */
#define ITANIUM_OPCODE_DEF	0xf00000003ffffff8ULL
#define ITANIUM_OPCODE		0xfffffffe3ffffff8ULL

/* PMC13: whether code is restricted: ta. */
#define ITANIUM_TA		BIT_ULL(0)
#define ITANIUM_CODE_DEF	(0x0003ffff00000000ULL | ITANIUM_TA)

#define IEAR_PMDS	0x3ULL
#define DEAR_PMDS	0x2000cULL
#define BTB_PMDS	0x1ff00ULL

#define ITANIUM_COUNTER_PMC(_n)							\
	PFM_ITA_PMC(_n, "PMC" #_n, PFM_ITA_OI, ITANIUM_COUNTER,			\
		    PFM_ITA_PLM_KERNEL, BIT_ULL(_n))
#define ITANIUM_MONITOR_PMC(_n, _def, _writable, _pmds)				\
	PFM_ITA_PMC(_n, "PMC" #_n, _def, _writable, PFM_ITA_PLM_KERNEL, _pmds)
#define ITANIUM_CONFIG_PMC(_n, _def, _writable)					\
	PFM_ITA_PMC(_n, "PMC" #_n, _def, _writable, 0, 0)

static const struct pfm_reg_desc itanium_pmcs[PFM_ITA_NUM_PMCS] = {
	ITANIUM_COUNTER_PMC(4),
	ITANIUM_COUNTER_PMC(5),
	ITANIUM_COUNTER_PMC(6),
	ITANIUM_COUNTER_PMC(7),
	ITANIUM_CONFIG_PMC(8, ITANIUM_OPCODE_DEF, ITANIUM_OPCODE),
	ITANIUM_CONFIG_PMC(9, ITANIUM_OPCODE_DEF, ITANIUM_OPCODE),
	ITANIUM_MONITOR_PMC(10, 0, ITANIUM_IEAR, IEAR_PMDS),
	ITANIUM_MONITOR_PMC(11, ITANIUM_PT, ITANIUM_DEAR, DEAR_PMDS),
	ITANIUM_MONITOR_PMC(12, 0, ITANIUM_BTB, BTB_PMDS),
	ITANIUM_CONFIG_PMC(13, ITANIUM_CODE_DEF, ITANIUM_TA),
	PFM_ITA_DEBUG_REGS,
};

static const struct pfm_reg_desc itanium_pmds[] = {
	PFM_ITA_BUFFER(0, BIT_ULL(10)),
	PFM_ITA_BUFFER(1, BIT_ULL(10)),
	PFM_ITA_BUFFER(2, BIT_ULL(11)),
	PFM_ITA_BUFFER(3, BIT_ULL(11)),
	PFM_ITA_COUNTER(4, 32, BIT_ULL(4)),
	PFM_ITA_COUNTER(5, 32, BIT_ULL(5)),
	PFM_ITA_COUNTER(6, 32, BIT_ULL(6)),
	PFM_ITA_COUNTER(7, 32, BIT_ULL(7)),
	PFM_ITA_BUFFER(8, BIT_ULL(12)),
	PFM_ITA_BUFFER(9, BIT_ULL(12)),
	PFM_ITA_BUFFER(10, BIT_ULL(12)),
	PFM_ITA_BUFFER(11, BIT_ULL(12)),
	PFM_ITA_BUFFER(12, BIT_ULL(12)),
	PFM_ITA_BUFFER(13, BIT_ULL(12)),
	PFM_ITA_BUFFER(14, BIT_ULL(12)),
	PFM_ITA_BUFFER(15, BIT_ULL(12)),
	PFM_ITA_BUFFER(16, BIT_ULL(12)),
	PFM_ITA_BUFFER(17, BIT_ULL(11)),
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
