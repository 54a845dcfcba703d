// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of the P6 family. pfmon compiles this file, too.
 *
 * Facts: Intel SDM volume 3B, "Performance Monitoring (P6 Family Processor)":
 * PerfEvtSel0 and PerfEvtSel1 MSRs, PerfCtr0 and PerfCtr1 MSRs.
 */
#include "p6.h"
#include "tables.h"

#define P6_PIN_CONTROL	BIT_ULL(19)
#define P6_INT		BIT_ULL(20)
#define P6_BIT21	BIT_ULL(21)

/* INT and EN are always set: INT for the 64-bit emulation, EN is perfmon's. */
#define P6_DEF		(P6_INT | PFM_P6_EN)
#define P6_RSVD		(P6_DEF | P6_PIN_CONTROL | P6_BIT21 | GENMASK_ULL(63, 32))

#define P6_PMC(_index)							\
	{								\
		.name = "PERFEVTSEL" #_index, .type = PFM_REG_TYPE_MSR,	\
		.cls = PFM_CLASS_CONTROL, .width = 64,			\
		.addr = PFM_P6_EVTSEL0 + (_index), .def = P6_DEF,	\
		.rsvd = P6_RSVD, .kernel_bits = PFM_P6_OS,		\
		.deps = { BIT_ULL(_index) },				\
	}

/* A write takes 32 bits and sign-extends them. */
#define P6_PMD(_index)							\
	{								\
		.name = "PERFCTR" #_index, .type = PFM_REG_TYPE_MSR,	\
		.cls = PFM_CLASS_COUNTER, .width = PFM_P6_WIDTH,	\
		.write_width = 32, .addr = PFM_P6_PERFCTR0 + (_index),	\
		.deps = { BIT_ULL(_index) },				\
	}

static const struct pfm_reg_desc p6_pmcs[PFM_P6_NUM] = { P6_PMC(0), P6_PMC(1) };
static const struct pfm_reg_desc p6_pmds[PFM_P6_NUM] = { P6_PMD(0), P6_PMD(1) };

const struct pfm_pmu pfm_p6_registers = {
	.name		= "Intel P6",
	.counter_width	= PFM_P6_WIDTH,
	.num_pmcs	= PFM_P6_NUM,
	.num_pmds	= PFM_P6_NUM,
	.pmcs		= p6_pmcs,
	.pmds		= p6_pmds,
};

static const struct pfm_pmu *p6_build(const struct pfm_table *table, void *space)
{
	return table->data;
}

const struct pfm_table pfm_p6_tables[] = {
	{
		.name = "p6", .model = "Intel P6", .build = p6_build, .data = &pfm_p6_registers,
	},
	{ }
};
