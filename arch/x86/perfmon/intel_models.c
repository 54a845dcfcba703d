// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: Intel's models, and Zhaoxin's. pfmon compiles this file, too.
 *
 * Facts: Intel SDM volume 3B, chapter "Performance Monitoring": the sections on
 * the microarchitectures; volume 4, the tables of CPUID models and of MSRs. Masks of
 * MSR_OFFCORE_RSP_x since Granite Rapids and Gracemont, and Zhaoxin's models: as Linux
 * 6.12 has them. Zhaoxin's numbers of counters are for tables that are shown without such a
 * processor; on the processor, CPUID reports them.
 */
#include "intel_arch.h"
#include "tables.h"

/* CPUID's report: general counters and their bits, fixed counters by mask and their bits. */
#define CAPS(_version, _num_gp, _gp_width, _fixed_mask, _fixed_width)	\
	{								\
		.version = (_version), .num_gp = (_num_gp),		\
		.gp_width = (_gp_width), .fixed_mask = (_fixed_mask),	\
		.fixed_width = (_fixed_width),				\
	}

/* Bits of the model-specific registers. */
#define NO_EXTRA	{ 0 }
#define PEBS_ONLY	{ [PFM_INTEL_PEBS_ENABLE] = 0x1 }
#define EXTRA(_rsp0, _rsp1, _ld_lat, _frontend, _lbr_select)		\
	{								\
		[PFM_INTEL_OFFCORE_RSP0] = (_rsp0),			\
		[PFM_INTEL_OFFCORE_RSP1] = (_rsp1),			\
		[PFM_INTEL_PEBS_ENABLE] = 0x1,				\
		[PFM_INTEL_PEBS_LD_LAT] = (_ld_lat),			\
		[PFM_INTEL_PEBS_FRONTEND] = (_frontend),		\
		[PFM_INTEL_LBR_SELECT] = (_lbr_select),			\
	}
#define LD_LAT		0xffff
/* Levels and kinds of branches; not the call stack mode, bit 9, which some models have. */
#define LBR_SELECT	0x1ff

/* Last branch records. */
#define NO_LBR		{ 0 }
#define LBR(_entries)	{ .entries = (_entries), .from = 0x680, .to = 0x6c0 }
#define ARCH_LBR							\
	{								\
		.entries = 32, .from = 0x1500, .to = 0x1600,		\
		.ctl = PFM_INTEL_LBR_CTL_EN | PFM_INTEL_LBR_CTL_OS |	\
		       PFM_INTEL_LBR_CTL_USR | PFM_INTEL_LBR_CTL_KINDS,	\
	}

/* Requests and responses: the bits of client and of server parts together. */
#define OFFCORE_SNB	0x3fffff8fffULL

/* The most that the tables can describe; no processor has as much. */
static const struct pfm_intel_model intel_arch = {
	.caps	= CAPS(5, PFM_INTEL_MAX_GP, 48, BIT(PFM_INTEL_MAX_FIXED) - 1, 48),
	.extra	= NO_EXTRA,
	.lbr	= ARCH_LBR,
};

static const struct pfm_intel_model core = {
	.cpus	= { 0x0e },
	.caps	= CAPS(1, 2, 40, 0, 0),
	.extra	= NO_EXTRA,
	.lbr	= NO_LBR,
	.one_enable = true,
};

static const struct pfm_intel_model core2 = {
	.cpus	= { 0x0f, 0x16, 0x17, 0x1d },
	.caps	= CAPS(2, 2, 40, 0x7, 40),
	.extra	= PEBS_ONLY,
	.lbr	= NO_LBR,
};

static const struct pfm_intel_model nehalem = {
	.cpus	= { 0x1a, 0x1e, 0x1f, 0x2e },
	.caps	= CAPS(3, 4, 48, 0x7, 48),
	.extra	= EXTRA(0xffff, 0, LD_LAT, 0, LBR_SELECT),
	.shared	= BIT(PFM_INTEL_OFFCORE_RSP0) | BIT(PFM_INTEL_LBR_SELECT),
	.lbr	= LBR(16),
	.resets	= true,
};

static const struct pfm_intel_model westmere = {
	.cpus	= { 0x25, 0x2c, 0x2f },
	.caps	= CAPS(3, 4, 48, 0x7, 48),
	.extra	= EXTRA(0xffff, 0xffff, LD_LAT, 0, LBR_SELECT),
	.shared	= BIT(PFM_INTEL_OFFCORE_RSP0) | BIT(PFM_INTEL_OFFCORE_RSP1) |
		  BIT(PFM_INTEL_LBR_SELECT),
	.lbr	= LBR(16),
	.resets	= true,
};

/* From here on to Skylake: half as many general counters with hyper-threading. */
static const struct pfm_intel_model sandybridge = {
	.cpus	= { 0x2a, 0x2d },
	.caps	= CAPS(3, 8, 48, 0x7, 48),
	.extra	= EXTRA(OFFCORE_SNB, OFFCORE_SNB, LD_LAT, 0, LBR_SELECT),
	.lbr	= LBR(16),
};

static const struct pfm_intel_model ivybridge = {
	.cpus	= { 0x3a, 0x3e },
	.caps	= CAPS(3, 8, 48, 0x7, 48),
	.extra	= EXTRA(OFFCORE_SNB, OFFCORE_SNB, LD_LAT, 0, LBR_SELECT),
	.lbr	= LBR(16),
};

static const struct pfm_intel_model haswell = {
	.cpus	= { 0x3c, 0x3f, 0x45, 0x46 },
	.caps	= CAPS(3, 8, 48, 0x7, 48),
	.extra	= EXTRA(OFFCORE_SNB, OFFCORE_SNB, LD_LAT, 0, LBR_SELECT),
	.lbr	= LBR(16),
};

static const struct pfm_intel_model broadwell = {
	.cpus	= { 0x3d, 0x47, 0x4f, 0x56 },
	.caps	= CAPS(3, 8, 48, 0x7, 48),
	.extra	= EXTRA(OFFCORE_SNB, OFFCORE_SNB, LD_LAT, 0, LBR_SELECT),
	.lbr	= { .entries = 16, .from = 0x680, .to = 0x6c0, .no_pt = true },
};

static const struct pfm_intel_model skylake = {
	.cpus	= { 0x4e, 0x55, 0x5e, 0x66, 0x8e, 0x9e, 0xa5, 0xa6 },
	.caps	= CAPS(4, 8, 48, 0x7, 48),
	.extra	= EXTRA(OFFCORE_SNB, OFFCORE_SNB, LD_LAT, 0x7fff17, LBR_SELECT),
	.lbr	= LBR(32),
};

static const struct pfm_intel_model icelake = {
	.cpus	= { 0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0x9d, 0xa7 },
	.caps	= CAPS(5, 8, 48, 0xf, 48),
	.extra	= EXTRA(0x3fffffbfffULL, 0x3fffffbfffULL, LD_LAT, 0x7fff17, LBR_SELECT),
	.lbr	= LBR(32),
};

static const struct pfm_intel_model sapphirerapids = {
	.cpus	= { 0x8f, 0xcf },
	.caps	= CAPS(5, 8, 48, 0xf, 48),
	.extra	= EXTRA(0x3fffffffffULL, 0x3fffffffffULL, LD_LAT, 0x7fff1f, 0),
	.lbr	= ARCH_LBR,
};

static const struct pfm_intel_model graniterapids = {
	.cpus	= { 0xad, 0xae },
	.caps	= CAPS(5, 8, 48, 0xf, 48),
	.extra	= EXTRA(0x3fffffffffULL, 0x3fffffffffULL, LD_LAT, 0x7fff1f, 0),
	.lbr	= ARCH_LBR,
};

/*
 * Hybrid processors, Alder Lake to Panther Lake: the registers that both types of cores have. The
 * same when all cores are of one type.
 */
static const struct pfm_intel_model alderlake = {
	.cpus	= { 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5, 0xbd, 0xc5, 0xc6, 0xcc },
	.caps	= CAPS(5, 6, 48, 0x7, 48),
	.extra	= NO_EXTRA,
	.lbr	= ARCH_LBR,
};

/* Four threads a core, and each has all of these registers for itself. */
static const struct pfm_intel_model knl = {
	.cpus	= { 0x57, 0x85 },
	.caps	= CAPS(3, 2, 40, 0x7, 40),
	.extra	= EXTRA(0x799ffbb6e7ULL, 0x399ffbffe7ULL, 0, 0, LBR_SELECT),
	.lbr	= LBR(8),
};

static const struct pfm_intel_model bonnell = {
	.cpus	= { 0x1c, 0x26, 0x27, 0x35, 0x36 },
	.caps	= CAPS(3, 2, 40, 0x7, 40),
	.extra	= PEBS_ONLY,
	.lbr	= NO_LBR,
};

/* Without MSR_OFFCORE_RSP_x: the two cores of a module share them. */
static const struct pfm_intel_model silvermont = {
	.cpus	= { 0x37, 0x4a, 0x4c, 0x4d, 0x5a },
	.caps	= CAPS(3, 2, 40, 0x7, 40),
	.extra	= EXTRA(0, 0, 0, 0, LBR_SELECT),
	.lbr	= { .entries = 8, .from = 0x40, .to = 0x60 },
};

static const struct pfm_intel_model goldmont = {
	.cpus	= { 0x5c, 0x5f, 0x7a },
	.caps	= CAPS(4, 4, 48, 0x7, 48),
	.extra	= EXTRA(0x760005ffbfULL, 0x360005ffbfULL, 0, 0, LBR_SELECT),
	.lbr	= LBR(32),
};

static const struct pfm_intel_model tremont = {
	.cpus	= { 0x86, 0x96, 0x9c },
	.caps	= CAPS(5, 4, 48, 0x7, 48),
	.extra	= EXTRA(0x800ff0ffffff9fffULL, 0xff0ffffff9fffULL, 0, 0, LBR_SELECT),
	.lbr	= LBR(32),
};

static const struct pfm_intel_model gracemont = {
	.cpus	= { 0xbe },
	.caps	= CAPS(5, 6, 48, 0x7, 48),
	.extra	= EXTRA(0x3fffffffffULL, 0x3fffffffffULL, LD_LAT, 0, 0),
	.lbr	= ARCH_LBR,
};

static const struct pfm_intel_model crestmont = {
	.cpus	= { 0xaf, 0xb6 },
	.caps	= CAPS(5, 8, 48, 0x7, 48),
	.extra	= EXTRA(0x800ff3ffffffffffULL, 0xff3ffffffffffULL, LD_LAT, 0, 0),
	.lbr	= ARCH_LBR,
};

/* Fixed counter 3 is missing among seven. */
static const struct pfm_intel_model darkmont = {
	.cpus	= { 0xdd },
	.caps	= CAPS(5, 8, 48, 0x77, 48),
	.extra	= EXTRA(0x800ff3ffffffffffULL, 0xff3ffffffffffULL, LD_LAT, 0, 0),
	.lbr	= ARCH_LBR,
};

/* Centaur's and Zhaoxin's processors, except those that need another way to acknowledge. */
static const struct pfm_intel_model zhaoxin = {
	.family	= 7,
	.cpus	= { 0x1b, 0x3b },
	.caps	= CAPS(2, 4, 48, 0x7, 48),
	.extra	= NO_EXTRA,
	.lbr	= NO_LBR,
};

static const struct pfm_pmu *pfm_intel_build_model(const struct pfm_table *table, void *space)
{
	const struct pfm_intel_model *model = table->data;
	struct pfm_intel_pmu *intel = space;

	pfm_intel_build(intel, model->caps, model->extra, &model->lbr);
	intel->pmu.name = table->model;
	return &intel->pmu;
}

#define TABLE(_name, _model)						\
	{								\
		.name = #_name, .model = (_model),			\
		.size = sizeof(struct pfm_intel_pmu),			\
		.build = pfm_intel_build_model, .data = &(_name),	\
	}

const struct pfm_table pfm_intel_tables[] = {
	TABLE(intel_arch, "Intel architectural"),
	TABLE(core, "Intel Core"),
	TABLE(core2, "Intel Core 2"),
	TABLE(nehalem, "Intel Nehalem"),
	TABLE(westmere, "Intel Westmere"),
	TABLE(sandybridge, "Intel Sandy Bridge"),
	TABLE(ivybridge, "Intel Ivy Bridge"),
	TABLE(haswell, "Intel Haswell"),
	TABLE(broadwell, "Intel Broadwell"),
	TABLE(skylake, "Intel Skylake"),
	TABLE(icelake, "Intel Ice Lake"),
	TABLE(sapphirerapids, "Intel Sapphire Rapids"),
	TABLE(graniterapids, "Intel Granite Rapids"),
	TABLE(alderlake, "Intel Alder Lake"),
	TABLE(knl, "Intel Knights Landing"),
	TABLE(bonnell, "Intel Bonnell"),
	TABLE(silvermont, "Intel Silvermont"),
	TABLE(goldmont, "Intel Goldmont"),
	TABLE(tremont, "Intel Tremont"),
	TABLE(gracemont, "Intel Gracemont"),
	TABLE(crestmont, "Intel Crestmont"),
	TABLE(darkmont, "Intel Darkmont"),
	TABLE(zhaoxin, "Zhaoxin"),
	{ }
};

/**
 * pfm_intel_find_model() - Find the table of a processor.
 * @family: CPUID family
 * @model: CPUID model
 *
 * Return: the table; that of the architectural PMU for an unknown model.
 */
const struct pfm_table *pfm_intel_find_model(unsigned int family, unsigned int model)
{
	const struct pfm_intel_model *known;
	const struct pfm_table *table;
	unsigned int i;

	for (table = pfm_intel_tables; table->name; table++) {
		known = table->data;
		if (family != (known->family ?: 6))
			continue;
		for (i = 0; known->cpus[i]; i++) {
			if (known->cpus[i] == model)
				return table;
		}
	}
	return pfm_intel_tables;
}
