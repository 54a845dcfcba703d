// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of Montecito, the Itanium 2 9000 series. pfmon compiles this
 * file, too.
 *
 * Facts: Intel Dual-Core Update to the Itanium 2 Processor Reference Manual for
 * Software Development and Optimization, "Performance Monitoring": generic PMC
 * registers, opcode match, address range check, event address and execution trace
 * buffer configuration registers.
 */
#include "ita_model.h"
#include "tables.h"

/*
 * plm, es, umask, threshold, mesi. Not for users: ism, which has one good value, and
 * "all", which counts the events of the core's other thread as well.
 */
#define MONTECITO_COUNTER	0x787fff0fULL
#define MONTECITO_ISM		0x2000000ULL

#define MONTECITO_MATCH0	0x30f01ffffffffffULL
#define MONTECITO_MATCH1	0xf01ffffffffffULL
#define MONTECITO_MASK		0x1ffffffffffULL
#define MONTECITO_IEAR		0x3fefULL
#define MONTECITO_CODE		0x2492ULL
#define MONTECITO_ETB		0xff8fULL
#define MONTECITO_DEAR		0xf018fULL
#define MONTECITO_DATA_DEF	0x00002078fefefefeULL
#define MONTECITO_DATA		0x1e00018181818ULL
#define MONTECITO_IPEAR		0x7ff0fULL

#define IEAR_PMDS	(0x3ULL << 34)
#define DEAR_PMDS	(0x13ULL << 32)
#define ETB_PMDS	((0xffffULL << 48) | (0x3ULL << 38))
#define ETB_PMCS	(BIT_ULL(39) | BIT_ULL(42))

#define MONTECITO_COUNTER_PMC(_n)						\
	PFM_ITA_MONITOR_PMC(_n, MONTECITO_ISM | PFM_ITA_OI, MONTECITO_COUNTER, BIT_ULL(_n))
#define MONTECITO_COUNTER_PMD(_n)	PFM_ITA_COUNTER(_n, 47, BIT_ULL(_n))
#define MONTECITO_ETB_PMD(_n)		PFM_ITA_BUFFER(_n, ETB_PMCS)

static const struct pfm_reg_desc montecito_pmcs[PFM_ITA_NUM_PMCS] = {
	MONTECITO_COUNTER_PMC(4), MONTECITO_COUNTER_PMC(5), MONTECITO_COUNTER_PMC(6),
	MONTECITO_COUNTER_PMC(7), MONTECITO_COUNTER_PMC(8), MONTECITO_COUNTER_PMC(9),
	MONTECITO_COUNTER_PMC(10), MONTECITO_COUNTER_PMC(11), MONTECITO_COUNTER_PMC(12),
	MONTECITO_COUNTER_PMC(13), MONTECITO_COUNTER_PMC(14), MONTECITO_COUNTER_PMC(15),
	PFM_ITA_CONFIG_PMC(32, MONTECITO_MATCH0, MONTECITO_MATCH0),
	PFM_ITA_CONFIG_PMC(33, 0, MONTECITO_MASK),
	PFM_ITA_CONFIG_PMC(34, MONTECITO_MATCH1, MONTECITO_MATCH1),
	PFM_ITA_CONFIG_PMC(35, 0, MONTECITO_MASK),
	PFM_ITA_CONFIG_PMC(36, 0xfffffff0ULL, 0xfULL),
	PFM_ITA_MONITOR_PMC(37, 0, MONTECITO_IEAR, IEAR_PMDS),
	PFM_ITA_CONFIG_PMC(38, 0xdb6ULL, MONTECITO_CODE),
	PFM_ITA_MONITOR_PMC(39, 0, MONTECITO_ETB, ETB_PMDS),
	PFM_ITA_MONITOR_PMC(40, MONTECITO_ISM, MONTECITO_DEAR, DEAR_PMDS),
	PFM_ITA_CONFIG_PMC(41, MONTECITO_DATA_DEF, MONTECITO_DATA),
	PFM_ITA_MONITOR_PMC(42, 0, MONTECITO_IPEAR, ETB_PMDS),
	PFM_ITA_DEBUG_REGS,
};

static const struct pfm_reg_desc montecito_pmds[] = {
	MONTECITO_COUNTER_PMD(4), MONTECITO_COUNTER_PMD(5), MONTECITO_COUNTER_PMD(6),
	MONTECITO_COUNTER_PMD(7), MONTECITO_COUNTER_PMD(8), MONTECITO_COUNTER_PMD(9),
	MONTECITO_COUNTER_PMD(10), MONTECITO_COUNTER_PMD(11), MONTECITO_COUNTER_PMD(12),
	MONTECITO_COUNTER_PMD(13), MONTECITO_COUNTER_PMD(14), MONTECITO_COUNTER_PMD(15),
	PFM_ITA_BUFFER(32, BIT_ULL(40)), PFM_ITA_BUFFER(33, BIT_ULL(40)),
	PFM_ITA_BUFFER(34, BIT_ULL(37)), PFM_ITA_BUFFER(35, BIT_ULL(37)),
	PFM_ITA_BUFFER(36, BIT_ULL(40)),
	MONTECITO_ETB_PMD(38), MONTECITO_ETB_PMD(39),
	MONTECITO_ETB_PMD(48), MONTECITO_ETB_PMD(49), MONTECITO_ETB_PMD(50),
	MONTECITO_ETB_PMD(51), MONTECITO_ETB_PMD(52), MONTECITO_ETB_PMD(53),
	MONTECITO_ETB_PMD(54), MONTECITO_ETB_PMD(55), MONTECITO_ETB_PMD(56),
	MONTECITO_ETB_PMD(57), MONTECITO_ETB_PMD(58), MONTECITO_ETB_PMD(59),
	MONTECITO_ETB_PMD(60), MONTECITO_ETB_PMD(61), MONTECITO_ETB_PMD(62),
	MONTECITO_ETB_PMD(63),
};

static const struct pfm_pmu montecito_registers = {
	.name		= "Intel Itanium 2 Montecito",
	.counter_width	= 47,
	.num_pmcs	= ARRAY_SIZE(montecito_pmcs),
	.num_pmds	= ARRAY_SIZE(montecito_pmds),
	.pmcs		= montecito_pmcs,
	.pmds		= montecito_pmds,
};

static bool montecito_restricts(unsigned int pmc, u64 value)
{
	switch (pmc) {
	case 38:
		return pfm_ita_code_restricted(value);
	case 41:
		return pfm_ita_data_restricted(value);
	default:
		return false;
	}
}

static bool montecito_conflicts(const u64 *pmcs)
{
	return pfm_ita_tags_conflict(pmcs[41], pmcs[38], pmcs[32] & BIT_ULL(57));
}

const struct pfm_ita_model pfm_montecito = {
	.pmu		= &montecito_registers,
	.family		= 0x20,
	.pm6		= 0x0000058000000000ULL | 0xfff0,
	.pm4		= BIT_ULL(37),
	.restricts	= montecito_restricts,
	.conflicts	= montecito_conflicts,
};
