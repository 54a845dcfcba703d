// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the registers of AMD's PMUs, family by family.
 *
 * Facts: AMD64 Architecture Programmer's Manual, volume 2, "Performance Monitoring
 * Counters", and volume 3, CPUID functions 8000_0001 and 8000_0022; the register
 * PERF_CTL in the BIOS and Kernel Developer's Guides of families 0Fh to 16h and the
 * Processor Programming References since; for the K7 the Athlon's optimization guide,
 * "Performance-Monitoring Counters".
 */
#include "amd.h"
#include "evtsel.h"
#include "tables.h"

#define PERFCTR_CORE		BIT(23)		/* ECX of leaf 80000001H */
#define PERFMON_V2		BIT(0)		/* EAX of leaf 80000022H */
#define PERFMON_V2_COUNTERS	0xf		/* EBX */

#define NUM_OLD			4
#define NUM_CORE		6

/* Selector and counter are four addresses apart, or adjacent. */
#define PERF_CTL_OLD		0xc0010000
#define PERF_CTR_OLD		0xc0010004
#define PERF_CTL_CORE		0xc0010200
#define PERF_CTR_CORE		0xc0010201

#define COUNTER_WIDTH		48

/*
 * INT is always set: the 64-bit emulation needs it. Bit 19 drives a pin of the first
 * processors, and is reserved in later ones; bit 21 is reserved in all.
 */
#define CTL_RSVD		(PFM_EVTSEL_INT | BIT_ULL(19) | BIT_ULL(21))
#define CTL_RSVD_OLD		(CTL_RSVD | GENMASK_ULL(63, 32))
/*
 * Bits 32-35 are part of the event since family 10h. Bits 40 and 41 restrict counting to
 * guests or to the host, and stop it where SVM is off: they stay 0, and all is counted.
 */
#define CTL_RSVD_10H		(CTL_RSVD | GENMASK_ULL(63, 36))

static const char * const ctl_names[PFM_AMD_MAX_COUNTERS] = {
	"PERF_CTL0", "PERF_CTL1", "PERF_CTL2", "PERF_CTL3", "PERF_CTL4", "PERF_CTL5",
	"PERF_CTL6", "PERF_CTL7", "PERF_CTL8", "PERF_CTL9", "PERF_CTL10", "PERF_CTL11",
	"PERF_CTL12", "PERF_CTL13", "PERF_CTL14", "PERF_CTL15",
};

static const char * const ctr_names[PFM_AMD_MAX_COUNTERS] = {
	"PERF_CTR0", "PERF_CTR1", "PERF_CTR2", "PERF_CTR3", "PERF_CTR4", "PERF_CTR5",
	"PERF_CTR6", "PERF_CTR7", "PERF_CTR8", "PERF_CTR9", "PERF_CTR10", "PERF_CTR11",
	"PERF_CTR12", "PERF_CTR13", "PERF_CTR14", "PERF_CTR15",
};

/**
 * pfm_amd_cpuid_caps() - Decode the PMU's capabilities from CPUID.
 * @family: of the processor, extended family included
 * @ext_ecx: ECX of leaf 80000001H
 * @v2_eax: EAX of leaf 80000022H, 0 where there is none
 * @v2_ebx: its EBX
 *
 * Return: the capabilities; no counters before the K7.
 */
struct pfm_amd_caps pfm_amd_cpuid_caps(unsigned int family, u32 ext_ecx, u32 v2_eax,
				       u32 v2_ebx)
{
	struct pfm_amd_caps caps = {
		.family		= family,
		.core_ext	= ext_ecx & PERFCTR_CORE,
	};

	if (family < 6)
		return caps;
	caps.num = caps.core_ext ? NUM_CORE : NUM_OLD;
	caps.global = caps.core_ext && (v2_eax & PERFMON_V2);
	if (caps.global && (v2_ebx & PERFMON_V2_COUNTERS))
		caps.num = v2_ebx & PERFMON_V2_COUNTERS;
	return caps;
}

static const char *pfm_amd_name(const struct pfm_amd_caps *caps)
{
	if (caps->global)
		return "AMD PerfMonV2";
	if (caps->core_ext)
		return "AMD core extension";
	return caps->family < 0x10 ? "AMD K7/K8" : "AMD family 10h";
}

/**
 * pfm_amd_build() - Make the table for given capabilities.
 * @amd: zeroed
 * @caps: from pfm_amd_cpuid_caps(), with counters
 */
void pfm_amd_build(struct pfm_amd_pmu *amd, struct pfm_amd_caps caps)
{
	struct pfm_reg_desc *pmc, *pmd;
	unsigned int i;

	amd->caps = caps;
	amd->pmu.name = pfm_amd_name(&caps);
	amd->pmu.counter_width = COUNTER_WIDTH;
	amd->pmu.pmcs = amd->pmcs;
	amd->pmu.pmds = amd->pmds;
	amd->pmu.num_pmcs = caps.num;
	amd->pmu.num_pmds = caps.num;
	for (i = 0; i < caps.num; i++) {
		pmc = &amd->pmcs[i];
		pmc->name = ctl_names[i];
		pmc->type = PFM_REG_TYPE_MSR;
		pmc->cls = PFM_CLASS_CONTROL;
		pmc->width = 64;
		pmc->addr = caps.core_ext ? PERF_CTL_CORE + 2 * i : PERF_CTL_OLD + i;
		pmc->def = PFM_EVTSEL_INT;
		pmc->rsvd = caps.family < 0x10 ? CTL_RSVD_OLD : CTL_RSVD_10H;
		pmc->kernel_bits = PFM_EVTSEL_OS;
		pfm_bv_set(pmc->deps, i);

		pmd = &amd->pmds[i];
		pmd->name = ctr_names[i];
		pmd->type = PFM_REG_TYPE_MSR;
		pmd->cls = PFM_CLASS_COUNTER;
		pmd->width = COUNTER_WIDTH;
		pmd->write_width = COUNTER_WIDTH;
		pmd->addr = caps.core_ext ? PERF_CTR_CORE + 2 * i : PERF_CTR_OLD + i;
		pfm_bv_set(pmd->deps, i);
	}
	pfm_ibs_build(amd);
}

/* Leaf 8000001BH: all features that a processor of the table's kind has. */
#define IBS_ZEN3		0x3ff
#define IBS_ZEN4		0xbff

static const struct pfm_amd_caps k7 = { .family = 0x6, .num = NUM_OLD };
static const struct pfm_amd_caps family_10h = { .family = 0x10, .num = NUM_OLD };

static const struct pfm_amd_caps core_ext = {
	.family = 0x15, .num = NUM_CORE, .core_ext = true, .ibs = IBS_ZEN3,
};

static const struct pfm_amd_caps perfmon_v2 = {
	.family = 0x19, .num = NUM_CORE, .core_ext = true, .global = true, .ibs = IBS_ZEN4,
};

static const struct pfm_pmu *pfm_amd_build_table(const struct pfm_table *table, void *space)
{
	const struct pfm_amd_caps *caps = table->data;
	struct pfm_amd_pmu *amd = space;

	pfm_amd_build(amd, *caps);
	return &amd->pmu;
}

#define TABLE(_name, _model, _caps)					\
	{								\
		.name = (_name), .model = (_model),			\
		.size = sizeof(struct pfm_amd_pmu),			\
		.build = pfm_amd_build_table, .data = &(_caps),		\
	}

const struct pfm_table pfm_amd_tables[] = {
	TABLE("amd_k7", "AMD K7/K8", k7),
	TABLE("amd_10h", "AMD family 10h", family_10h),
	TABLE("amd_core", "AMD core extension", core_ext),
	TABLE("amd_v2", "AMD PerfMonV2", perfmon_v2),
	{ }
};
