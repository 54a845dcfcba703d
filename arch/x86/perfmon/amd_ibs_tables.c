// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of AMD's Instruction-Based Sampling. pfmon compiles this file, too.
 *
 * Facts: AMD64 Architecture Programmer's Manual, volume 2, "Instruction-Based Sampling",
 * and volume 3, CPUID function 8000_001B; the registers from IBS_FETCH_CTL on in the
 * Processor Programming References of families 17h and 19h; errata in the Revision Guides
 * of families 10h and 19h.
 */
#include "amd.h"
#include "amd_ibs.h"

/* The buffer PMDs, which hold the record of a sample. */
static const struct {
	const char	*name;
	u32		msr;	/* 0: a copy of the control register, see amd_ibs.c */
	u32		needs;
} buffers[PFM_IBS_END_PMD - PFM_IBS_FETCH_STATUS] = {
	{ "IBS_FETCH_STATUS",	0,			PFM_IBS_FETCH_SAMPLING },
	{ "IBS_FETCH_LINADDR",	0xc0011031,		PFM_IBS_FETCH_SAMPLING },
	{ "IBS_FETCH_PHYSADDR",	0xc0011032,		PFM_IBS_FETCH_SAMPLING },
	{ "IC_IBS_EXTD_CTL",	0xc001103c,
	  PFM_IBS_FETCH_SAMPLING | PFM_IBS_FETCH_CTL_EXTD },
	{ "IBS_OP_STATUS",	0,			PFM_IBS_OP_SAMPLING },
	{ "IBS_OP_RIP",		0xc0011034,		PFM_IBS_OP_SAMPLING },
	{ "IBS_OP_DATA",	0xc0011035,		PFM_IBS_OP_SAMPLING },
	{ "IBS_OP_DATA2",	0xc0011036,		PFM_IBS_OP_SAMPLING },
	{ "IBS_OP_DATA3",	0xc0011037,		PFM_IBS_OP_SAMPLING },
	{ "IBS_DC_LINADDR",	0xc0011038,		PFM_IBS_OP_SAMPLING },
	{ "IBS_DC_PHYSADDR",	0xc0011039,		PFM_IBS_OP_SAMPLING },
	{ "BP_IBSTGT_RIP",	0xc001103b,		PFM_IBS_OP_SAMPLING | PFM_IBS_BRN_TRGT },
	{ "IBS_OP_DATA4",	0xc001103d,		PFM_IBS_OP_SAMPLING | PFM_IBS_OP_DATA4 },
};

/**
 * pfm_ibs_usable() - Determine the features of IBS that can be used.
 * @family: of the processor, extended family included
 * @caps: EAX of leaf 8000001BH
 *
 * Family 10h is left out: erratum 420 requires a stop of its registers in two steps, and the
 * result of a sample between them is not documented.
 *
 * Return: @caps, or 0.
 */
u32 pfm_ibs_usable(unsigned int family, u32 caps)
{
	return family > 0x10 ? caps : 0;
}

/**
 * pfm_ibs_may_sample_nothing() - Has the processor erratum 1197?
 * @family: of the processor, extended family included
 * @model: likewise
 *
 * The fetch unit of the first Zen 3 may report a sample with the address 0: it is no sample.
 */
bool pfm_ibs_may_sample_nothing(unsigned int family, unsigned int model)
{
	return family == 0x19 && model < 0x10;
}

static void pfm_ibs_build_unit(struct pfm_amd_pmu *amd, unsigned int unit, u32 msr, u64 enable,
			       u64 bits)
{
	struct pfm_reg_desc *pmc = &amd->pmcs[unit], *pmd = &amd->pmds[unit];
	bool fetch = unit == PFM_IBS_FETCH;

	pmc->name = fetch ? "IBS_FETCH_CTL" : "IBS_OP_CTL";
	pmc->type = PFM_REG_TYPE_MSR;
	pmc->cls = PFM_CLASS_CONTROL;
	pmc->width = 64;
	pmc->addr = msr;
	pmc->rsvd = ~(bits | enable);
	/* IBS has no filter by privilege level, and shows addresses, physical ones as well. */
	pmc->kernel_bits = enable;
	pfm_bv_set(pmc->deps, unit);

	pmd->name = fetch ? "IBS_FETCH" : "IBS_OP";
	pmd->type = PFM_REG_TYPE_SOFT;
	pmd->cls = PFM_CLASS_COUNTER;
	pmd->width = amd->pmu.counter_width;
	pmd->write_width = amd->pmu.counter_width;
	pmd->addr = PFM_REG_IDX_NONE;
	pfm_bv_set(pmd->deps, unit);
	amd->pmu.num_pmcs = unit + 1;
}

static void pfm_ibs_build_buffers(struct pfm_amd_pmu *amd)
{
	struct pfm_reg_desc *pmd;
	unsigned int i, unit;

	for (i = PFM_IBS_FETCH_STATUS; i < PFM_IBS_END_PMD; i++) {
		u32 needs = buffers[i - PFM_IBS_FETCH_STATUS].needs;
		u32 msr = buffers[i - PFM_IBS_FETCH_STATUS].msr;

		if ((amd->caps.ibs & needs) != needs)
			continue;
		unit = i < PFM_IBS_OP_STATUS ? PFM_IBS_FETCH : PFM_IBS_OP;
		pmd = &amd->pmds[i];
		pmd->name = buffers[i - PFM_IBS_FETCH_STATUS].name;
		pmd->type = msr ? PFM_REG_TYPE_MSR : PFM_REG_TYPE_SOFT;
		pmd->cls = PFM_CLASS_BUFFER;
		pmd->width = 64;
		pmd->addr = msr ?: PFM_REG_IDX_NONE;
		pfm_bv_set(pmd->deps, unit);
		pfm_bv_set(amd->pmcs[unit].deps, i);
		amd->pmu.num_pmds = i + 1;
	}
}

/**
 * pfm_ibs_build() - Add the registers of IBS to a table.
 * @amd: the table, with its counters, and with the features in @amd->caps.ibs
 */
void pfm_ibs_build(struct pfm_amd_pmu *amd)
{
	u32 caps = amd->caps.ibs;

	if (caps & PFM_IBS_FETCH_SAMPLING)
		pfm_ibs_build_unit(amd, PFM_IBS_FETCH, PFM_IBS_MSR_FETCH_CTL, PFM_IBS_FETCH_EN,
				   PFM_IBS_MAX_CNT | PFM_IBS_FETCH_RAND_EN |
				   (caps & PFM_IBS_ZEN4 ? PFM_IBS_FETCH_L3_MISS : 0));
	if (caps & PFM_IBS_OP_SAMPLING)
		pfm_ibs_build_unit(amd, PFM_IBS_OP, PFM_IBS_MSR_OP_CTL, PFM_IBS_OP_EN,
				   PFM_IBS_MAX_CNT |
				   (caps & PFM_IBS_OP_CNT ? PFM_IBS_OP_CNT_CTL : 0) |
				   (caps & PFM_IBS_OP_CNT_EXT ? PFM_IBS_OP_MAX_CNT_EXT : 0) |
				   (caps & PFM_IBS_ZEN4 ? PFM_IBS_OP_L3_MISS : 0));
	pfm_ibs_build_buffers(amd);
}
