// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of the Pentium 4. pfmon compiles this file, too.
 *
 * Facts: Intel SDM volume 3B, "Performance Monitoring (Processors Based on Intel
 * NetBurst Microarchitecture)": ESCR and CCCR MSRs without hyper-threading, and the
 * table of counters with their CCCRs and ESCRs.
 */
#include <linux/array_size.h>
#include "p4.h"
#include "tables.h"

/* Privilege levels of logical processor 0; bits 1 and 0 are for its sibling. */
#define ESCR_OS		BIT_ULL(3)
#define ESCR_RSVD	(GENMASK_ULL(63, 31) | 0x3)

/*
 * A user sets the edge, the threshold, complement, compare, the ESCR and enable.
 * The interrupt on overflow is always on: the 64-bit emulation needs it. A cascade would
 * start another counter without perfmon, FORCE_OVF would interrupt at each event.
 */
#define CCCR_ACTIVE_THREAD	(0x3ULL << 16)
#define CCCR_DEF		(CCCR_ACTIVE_THREAD | PFM_P4_CCCR_OVF_PMI)
#define CCCR_RSVD		(~(GENMASK_ULL(24, 18) | GENMASK_ULL(15, 12)))

static const char * const counter_names[PFM_P4_NUM] = {
	"MSR_BPU_COUNTER0", "MSR_BPU_COUNTER1", "MSR_BPU_COUNTER2", "MSR_BPU_COUNTER3",
	"MSR_MS_COUNTER0", "MSR_MS_COUNTER1", "MSR_MS_COUNTER2", "MSR_MS_COUNTER3",
	"MSR_FLAME_COUNTER0", "MSR_FLAME_COUNTER1", "MSR_FLAME_COUNTER2",
	"MSR_FLAME_COUNTER3", "MSR_IQ_COUNTER0", "MSR_IQ_COUNTER1", "MSR_IQ_COUNTER2",
	"MSR_IQ_COUNTER3", "MSR_IQ_COUNTER4", "MSR_IQ_COUNTER5",
};

static const char * const cccr_names[PFM_P4_NUM] = {
	"MSR_BPU_CCCR0", "MSR_BPU_CCCR1", "MSR_BPU_CCCR2", "MSR_BPU_CCCR3", "MSR_MS_CCCR0",
	"MSR_MS_CCCR1", "MSR_MS_CCCR2", "MSR_MS_CCCR3", "MSR_FLAME_CCCR0", "MSR_FLAME_CCCR1",
	"MSR_FLAME_CCCR2", "MSR_FLAME_CCCR3", "MSR_IQ_CCCR0", "MSR_IQ_CCCR1", "MSR_IQ_CCCR2",
	"MSR_IQ_CCCR3", "MSR_IQ_CCCR4", "MSR_IQ_CCCR5",
};

/* Broken by an erratum, so that perf_events does not use it either: a hole. */
#define BPU_COUNTER1	1

/* Groups of counters. */
#define BPU0		0x00001
#define BPU23		0x0000c
#define MS01		0x00030
#define MS23		0x000c0
#define FLAME01		0x00300
#define FLAME23		0x00c00
#define IQ014		0x13000
#define IQ235		0x2c000

/* In the order of their MSRs: the last one that exists is the last PMC. */
static const struct {
	const char	*name;
	u32		msr;
	u32		counters;
} escrs[] = {
	{ "MSR_BSU_ESCR0", 0x3a0, BPU0 },
	{ "MSR_BSU_ESCR1", 0x3a1, BPU23 },
	{ "MSR_FSB_ESCR0", 0x3a2, BPU0 },
	{ "MSR_FSB_ESCR1", 0x3a3, BPU23 },
	{ "MSR_FIRM_ESCR0", 0x3a4, FLAME01 },
	{ "MSR_FIRM_ESCR1", 0x3a5, FLAME23 },
	{ "MSR_FLAME_ESCR0", 0x3a6, FLAME01 },
	{ "MSR_FLAME_ESCR1", 0x3a7, FLAME23 },
	{ "MSR_DAC_ESCR0", 0x3a8, FLAME01 },
	{ "MSR_DAC_ESCR1", 0x3a9, FLAME23 },
	{ "MSR_MOB_ESCR0", 0x3aa, BPU0 },
	{ "MSR_MOB_ESCR1", 0x3ab, BPU23 },
	{ "MSR_PMH_ESCR0", 0x3ac, BPU0 },
	{ "MSR_PMH_ESCR1", 0x3ad, BPU23 },
	{ "MSR_SAAT_ESCR0", 0x3ae, FLAME01 },
	{ "MSR_SAAT_ESCR1", 0x3af, FLAME23 },
	{ "MSR_U2L_ESCR0", 0x3b0, FLAME01 },
	{ "MSR_U2L_ESCR1", 0x3b1, FLAME23 },
	{ "MSR_BPU_ESCR0", 0x3b2, BPU0 },
	{ "MSR_BPU_ESCR1", 0x3b3, BPU23 },
	{ "MSR_IS_ESCR0", 0x3b4, BPU0 },
	{ "MSR_IS_ESCR1", 0x3b5, BPU23 },
	{ "MSR_ITLB_ESCR0", 0x3b6, BPU0 },
	{ "MSR_ITLB_ESCR1", 0x3b7, BPU23 },
	{ "MSR_CRU_ESCR0", 0x3b8, IQ014 },
	{ "MSR_CRU_ESCR1", 0x3b9, IQ235 },
	{ "MSR_IQ_ESCR0", 0x3ba, IQ014 },
	{ "MSR_IQ_ESCR1", 0x3bb, IQ235 },
	{ "MSR_RAT_ESCR0", 0x3bc, IQ014 },
	{ "MSR_RAT_ESCR1", 0x3bd, IQ235 },
	{ "MSR_SSU_ESCR0", 0x3be, IQ014 },
	{ "MSR_MS_ESCR0", 0x3c0, MS01 },
	{ "MSR_MS_ESCR1", 0x3c1, MS23 },
	{ "MSR_TBPU_ESCR0", 0x3c2, MS01 },
	{ "MSR_TBPU_ESCR1", 0x3c3, MS23 },
	{ "MSR_TC_ESCR0", 0x3c4, MS01 },
	{ "MSR_TC_ESCR1", 0x3c5, MS23 },
	{ "MSR_IX_ESCR0", 0x3c8, BPU0 },
	{ "MSR_IX_ESCR1", 0x3c9, BPU23 },
	{ "MSR_ALF_ESCR0", 0x3ca, IQ014 },
	{ "MSR_ALF_ESCR1", 0x3cb, IQ235 },
	{ "MSR_CRU_ESCR2", 0x3cc, IQ014 },
	{ "MSR_CRU_ESCR3", 0x3cd, IQ235 },
	{ "MSR_CRU_ESCR4", 0x3e0, IQ014 },
	{ "MSR_CRU_ESCR5", 0x3e1, IQ235 },
};

static void p4_build_counter(struct pfm_p4_pmu *p4, unsigned int i)
{
	struct pfm_reg_desc *pmc = &p4->pmcs[i];
	struct pfm_reg_desc *pmd = &p4->pmds[i];

	pmc->name = cccr_names[i];
	pmc->type = PFM_REG_TYPE_MSR;
	pmc->cls = PFM_CLASS_CONTROL;
	pmc->width = 64;
	pmc->addr = PFM_P4_CCCR0 + i;
	pmc->def = CCCR_DEF;
	pmc->rsvd = CCCR_RSVD;
	pfm_bv_set(pmc->deps, i);

	pmd->name = counter_names[i];
	pmd->type = PFM_REG_TYPE_MSR;
	pmd->cls = PFM_CLASS_COUNTER;
	pmd->width = PFM_P4_WIDTH;
	pmd->write_width = PFM_P4_WIDTH;
	pmd->addr = PFM_P4_CTR0 + i;
	pfm_bv_set(pmd->deps, i);
}

static void p4_build_escr(struct pfm_p4_pmu *p4, unsigned int i)
{
	unsigned int index = PFM_P4_ESCR + escrs[i].msr - PFM_P4_ESCR0;
	struct pfm_reg_desc *pmc = &p4->pmcs[index];
	unsigned int counter;

	pmc->name = escrs[i].name;
	pmc->type = PFM_REG_TYPE_MSR;
	pmc->cls = PFM_CLASS_CONTROL;
	pmc->width = 64;
	pmc->addr = escrs[i].msr;
	pmc->rsvd = ESCR_RSVD;
	pmc->kernel_bits = ESCR_OS;
	pmc->deps[0] = escrs[i].counters;
	pfm_for_each_bit(counter, escrs[i].counters)
		pfm_bv_set(p4->pmds[counter].deps, index);
	p4->pmu.num_pmcs = index + 1;
}

/**
 * pfm_p4_build() - Make the table, without operations.
 * @p4: zeroed; has no PMC if no ESCR exists
 * @have: true if an ESCR exists; NULL: all do
 */
void pfm_p4_build(struct pfm_p4_pmu *p4, bool (*have)(unsigned int msr))
{
	unsigned int i;

	p4->pmu.name = "Intel Pentium 4";
	p4->pmu.counter_width = PFM_P4_WIDTH;
	p4->pmu.num_pmds = PFM_P4_NUM;
	p4->pmu.pmcs = p4->pmcs;
	p4->pmu.pmds = p4->pmds;
	for (i = 0; i < PFM_P4_NUM; i++) {
		if (i != BPU_COUNTER1)
			p4_build_counter(p4, i);
	}
	for (i = 0; i < ARRAY_SIZE(escrs); i++) {
		if (!have || have(escrs[i].msr))
			p4_build_escr(p4, i);
	}
}

static const struct pfm_pmu *p4_build(const struct pfm_table *table, void *space)
{
	struct pfm_p4_pmu *p4 = space;

	pfm_p4_build(p4, NULL);
	return &p4->pmu;
}

const struct pfm_table pfm_p4_tables[] = {
	{
		.name = "p4", .model = "Intel Pentium 4", .size = sizeof(struct pfm_p4_pmu),
		.build = p4_build,
	},
	{ }
};
