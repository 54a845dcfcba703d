// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of the Itanium 2 (McKinley, Madison). pfmon compiles this
 * file, too.
 *
 * Facts: Intel Itanium 2 Processor Reference Manual for Software Development and
 * Optimization, "Performance Monitoring": generic PMC registers, opcode match,
 * instruction and data address range check, event address and branch trace buffer
 * configuration registers.
 */
#include "ita_model.h"
#include "tables.h"

/* plm, es, umask, threshold, ism; PMC4 also has the enable bit of all of them. */
#define ITANIUM2_COUNTER	0x37fff0fULL
#define ITANIUM2_ENABLE		BIT_ULL(23)

#define ITANIUM2_OPCODE		0xffffffff3ffffffbULL
#define ITANIUM2_IEAR		0xffefULL
#define ITANIUM2_DEAR		0x30f018fULL
#define ITANIUM2_BTB		0xff8fULL
#define ITANIUM2_DATA_DEF	0x00002078fefefefeULL
#define ITANIUM2_DATA		0x1e00018181818ULL
#define ITANIUM2_CODE_DEF	0x0db60db60db60db6ULL
#define ITANIUM2_CODE		0x2492ULL
#define ITANIUM2_OPCODE_DEF	0xfffffff0ULL

#define ITANIUM2_COUNTER_PMC(_n, _def)						\
	PFM_ITA_MONITOR_PMC(_n, (_def) | PFM_ITA_OI, ITANIUM2_COUNTER, BIT_ULL(_n))

static const struct pfm_reg_desc itanium2_pmcs[PFM_ITA_NUM_PMCS] = {
	ITANIUM2_COUNTER_PMC(4, ITANIUM2_ENABLE),
	ITANIUM2_COUNTER_PMC(5, 0),
	ITANIUM2_COUNTER_PMC(6, 0),
	ITANIUM2_COUNTER_PMC(7, 0),
	PFM_ITA_CONFIG_PMC(8, 0xffffffff3fffffffULL, ITANIUM2_OPCODE),
	PFM_ITA_CONFIG_PMC(9, 0xffffffff3ffffffcULL, ITANIUM2_OPCODE),
	PFM_ITA_MONITOR_PMC(10, 0, ITANIUM2_IEAR, PFM_ITA_IEAR_PMDS),
	PFM_ITA_MONITOR_PMC(11, 0, ITANIUM2_DEAR, PFM_ITA_DEAR_PMDS),
	PFM_ITA_MONITOR_PMC(12, 0, ITANIUM2_BTB, PFM_ITA_BTB_PMDS),
	PFM_ITA_CONFIG_PMC(13, ITANIUM2_DATA_DEF, ITANIUM2_DATA),
	PFM_ITA_CONFIG_PMC(14, ITANIUM2_CODE_DEF, ITANIUM2_CODE),
	PFM_ITA_CONFIG_PMC(15, ITANIUM2_OPCODE_DEF, 0xfULL),
	PFM_ITA_DEBUG_REGS,
};

static const struct pfm_reg_desc itanium2_pmds[] = {
	PFM_ITA_FIRST_PMDS(47),
};

static const struct pfm_pmu itanium2_registers = {
	.name		= "Intel Itanium 2",
	.counter_width	= 47,
	.num_pmcs	= ARRAY_SIZE(itanium2_pmcs),
	.num_pmds	= ARRAY_SIZE(itanium2_pmds),
	.pmcs		= itanium2_pmcs,
	.pmds		= itanium2_pmds,
};

static bool itanium2_restricts(unsigned int pmc, u64 value)
{
	switch (pmc) {
	case 13:
		return pfm_ita_data_restricted(value);
	case 14:
		return pfm_ita_code_restricted(value);
	default:
		return false;
	}
}

static bool itanium2_conflicts(const u64 *pmcs)
{
	return pfm_ita_tags_conflict(pmcs[13], pmcs[14], pmcs[8] & BIT_ULL(0));
}

const struct pfm_ita_model pfm_itanium2 = {
	.pmu		= &itanium2_registers,
	.family		= 0x1f,
	.pm6		= 0x18f0,
	.pm4		= 0x0400,
	.restricts	= itanium2_restricts,
	.conflicts	= itanium2_conflicts,
};
