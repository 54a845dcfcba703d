// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the Intel architectural PMU's tables.
 */
#include <kunit/test.h>
#include <linux/slab.h>
#include "intel_arch.h"
#include "msr_kunit.h"
#include "tables.h"

static const u64 no_extra[PFM_INTEL_NUM_EXTRA];
static const struct pfm_intel_lbr no_lbr;

static struct pfm_intel_pmu *build(struct kunit *test, struct pfm_intel_caps caps)
{
	struct pfm_intel_pmu *intel = kunit_kzalloc(test, sizeof(*intel), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, intel);
	pfm_intel_build(intel, caps, no_extra, &no_lbr);
	return intel;
}

/* Leaf 0xA as real processors report it: eax, ecx, edx. */
static const struct {
	const char		*what;
	u32			eax, ecx, edx;
	bool			hypervisor, full_width;
	struct pfm_intel_caps	want;
} cpuid_cases[] = {
	{ "Yonah", 0x07280201, 0, 0, false, false,
	  { .version = 1, .num_gp = 2, .gp_width = 40 } },
	{ "Core 2, first stepping", 0x07280202, 0, 0, false, false,
	  { .version = 2, .num_gp = 2, .gp_width = 40, .fixed_width = 40, .fixed_mask = 0x7 } },
	{ "version 2 without fixed counters under a hypervisor", 0x07300402, 0, 0, true, false,
	  { .version = 2, .num_gp = 4, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0 } },
	{ "Nehalem", 0x07300403, 0, 0x603, false, false,
	  { .version = 3, .num_gp = 4, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0x7 } },
	{ "Skylake", 0x07300804, 0, 0x603, false, true,
	  { .version = 4, .num_gp = 8, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0x7,
	    .full_width_write = true } },
	{ "Ice Lake, a fixed counter by mask", 0x08300805, 0xf, 0x8603, false, true,
	  { .version = 5, .num_gp = 8, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0xf,
	    .full_width_write = true } },
	{ "version 4 has no mask", 0x07300804, 0xf, 0x603, false, true,
	  { .version = 4, .num_gp = 8, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0x7,
	    .full_width_write = true } },
	/* SDM: FxCtr[i]_is_supported := ECX[i] || (EDX[4:0] > i) */
	{ "fixed counters by number and by mask", 0x08300805, 0x10, 0x8603, false, true,
	  { .version = 5, .num_gp = 8, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0x17,
	    .full_width_write = true } },
	{ "fixed counters by mask only", 0x08300805, 0x3, 0x8600, true, true,
	  { .version = 5, .num_gp = 8, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0x3,
	    .full_width_write = true } },
	{ "odd numbers", 0x07210303, 0, 0x421, true, false,
	  { .version = 3, .num_gp = 3, .gp_width = 33, .fixed_width = 33, .fixed_mask = 0x1 } },
	{ "ten counters", 0x08300a05, 0xf, 0x8603, false, true,
	  { .version = 5, .num_gp = 10, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0xf,
	    .full_width_write = true } },
	{ "more counters than there are MSRs for", 0x0830ff05, 0xffffffff, 0x861f, true, true,
	  { .version = 5, .num_gp = 10, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0xffff,
	    .full_width_write = true } },
};

static void intel_cpuid_is_decoded(struct kunit *test)
{
	struct pfm_intel_caps got;
	int i;

	for (i = 0; i < ARRAY_SIZE(cpuid_cases); i++) {
		const struct pfm_intel_caps *want = &cpuid_cases[i].want;

		got = pfm_intel_cpuid_caps(cpuid_cases[i].eax, cpuid_cases[i].ecx,
					   cpuid_cases[i].edx, cpuid_cases[i].hypervisor,
					   cpuid_cases[i].full_width);
		KUNIT_EXPECT_EQ_MSG(test, got.version, want->version, cpuid_cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.num_gp, want->num_gp, cpuid_cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.gp_width, want->gp_width, cpuid_cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.fixed_width, want->fixed_width, cpuid_cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.fixed_mask, want->fixed_mask, cpuid_cases[i].what);
		KUNIT_EXPECT_EQ_MSG(test, got.full_width_write, want->full_width_write,
				    cpuid_cases[i].what);
	}
}

static void intel_tables_are_valid(struct kunit *test)
{
	const char *what, *where;
	int i;

	for (i = 0; i < ARRAY_SIZE(cpuid_cases); i++) {
		what = pfm_pmu_mistake(&build(test, cpuid_cases[i].want)->pmu, &where);
		KUNIT_EXPECT_NULL_MSG(test, what, "%s: %s: %s", cpuid_cases[i].what, where, what);
	}
}

/* covers: 3.1.13-18 */
static void intel_indices_do_not_move(struct kunit *test)
{
	struct pfm_intel_pmu *small = build(test, cpuid_cases[3].want);
	struct pfm_intel_pmu *big = build(test, cpuid_cases[ARRAY_SIZE(cpuid_cases) - 1].want);
	int i;

	for (i = 0; i < small->pmu.num_pmcs; i++) {
		if (small->pmcs[i].name)
			KUNIT_EXPECT_EQ(test, small->pmcs[i].addr, big->pmcs[i].addr);
	}
	for (i = 0; i < small->pmu.num_pmds; i++) {
		if (small->pmds[i].name)
			KUNIT_EXPECT_EQ(test, small->pmds[i].addr, big->pmds[i].addr);
	}
	KUNIT_EXPECT_EQ(test, small->pmcs[3].addr, 0x189ULL);
	KUNIT_EXPECT_EQ(test, small->pmds[3].addr, 0xc4ULL);
	KUNIT_EXPECT_EQ(test, small->pmcs[16].addr, 0x38dULL);
	KUNIT_EXPECT_EQ(test, small->pmds[18].addr, 0x30bULL);
	KUNIT_EXPECT_EQ(test, big->pmcs[9].addr, 0x18fULL);
	KUNIT_EXPECT_EQ(test, big->pmds[9].addr, 0xcaULL);
	KUNIT_EXPECT_NULL(test, small->pmcs[4].name);
	KUNIT_EXPECT_NULL(test, small->pmds[4].name);
}

/* Documentation/x86-registers.md: a control value that a user gives is completed. */
static void intel_control_registers_are_the_documented_ones(struct kunit *test)
{
	struct pfm_intel_caps caps = cpuid_cases[3].want;
	const struct pfm_reg_desc *select, *fixed;
	unsigned int i;

	caps.evtsel_refused = BIT_ULL(23);
	caps.fixed_mask = 0x6;
	select = build(test, caps)->pmcs;
	fixed = &select[16];
	for (i = 0; i < 4; i++) {
		/* INT is always set; AnyThread, pin control and the upper half are reserved. */
		KUNIT_EXPECT_EQ(test, select[i].def, BIT_ULL(20));
		KUNIT_EXPECT_EQ(test, select[i].rsvd, GENMASK_ULL(63, 32) | BIT_ULL(23) |
				BIT_ULL(21) | BIT_ULL(20) | BIT_ULL(19));
		KUNIT_EXPECT_EQ(test, select[i].kernel_bits, BIT_ULL(17));
		KUNIT_EXPECT_EQ(test, select[i].deps[0], BIT_ULL(i));
	}
	KUNIT_EXPECT_EQ(test, fixed->def, 0x880ULL);
	KUNIT_EXPECT_EQ(test, fixed->rsvd, ~0x330ULL);
	KUNIT_EXPECT_EQ(test, fixed->kernel_bits, 0x110ULL);
	KUNIT_EXPECT_EQ(test, fixed->deps[0], BIT_ULL(17) | BIT_ULL(18));
}

/* The original MSRs take 32 bits; those of a Skylake take all. */
static void intel_writes_are_as_wide_as_their_msrs(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, build(test, cpuid_cases[3].want)->pmds[0].write_width, 32);
	KUNIT_EXPECT_EQ(test, build(test, cpuid_cases[4].want)->pmds[0].write_width, 48);
}

/* The fourth counter of a Skylake whose microcode uses it. */
static void intel_a_counter_that_is_taken_is_a_hole(struct kunit *test)
{
	struct pfm_intel_caps caps = cpuid_cases[4].want;
	struct pfm_intel_pmu *intel;
	const char *what, *where;

	caps.gp_taken = BIT(3);
	intel = build(test, caps);
	KUNIT_EXPECT_NULL(test, intel->pmcs[3].name);
	KUNIT_EXPECT_NULL(test, intel->pmds[3].name);
	KUNIT_EXPECT_EQ(test, intel->pmds[4].addr, 0xc5ULL);
	KUNIT_EXPECT_EQ(test, intel->pmu.num_pmds, (u16)19);
	/* Nor is its overflow perfmon's to clear. */
	KUNIT_EXPECT_EQ(test, intel->status, 0x7000000f7ULL);
	what = pfm_pmu_mistake(&intel->pmu, &where);
	KUNIT_EXPECT_NULL_MSG(test, what, "%s: %s", where, what);
}

static void intel_only_what_is_enabled_is_live(struct kunit *test)
{
	u64 pmcs[PFM_INTEL_NUM_PMCS] = { };
	struct pfm_regs regs = { .pmcs = pmcs };

	pmcs[0] = 0x5300c0;	/* enabled */
	pmcs[1] = 0x1300c0;	/* not enabled */
	pmcs[2] = 0x5300c0;	/* enabled but not used */
	pmcs[16] = 0x8b8;	/* counter 1: user and kernel; 0 and 2: off */
	regs.used_pmcs[0] = BIT_ULL(0) | BIT_ULL(1) | BIT_ULL(16);
	pfm_intel_prepare(&regs);
	KUNIT_EXPECT_EQ(test, regs.enable, BIT_ULL(0) | BIT_ULL(33));
	KUNIT_EXPECT_EQ(test, regs.live_pmds, BIT_ULL(0) | BIT_ULL(17));

	regs.used_pmcs[0] = BIT_ULL(1);
	pfm_intel_prepare(&regs);
	KUNIT_EXPECT_EQ(test, regs.enable, 0ULL);
	KUNIT_EXPECT_EQ(test, regs.live_pmds, 0ULL);

	/* Several of each kind; a fixed counter is on at one level, too. */
	pmcs[1] = 0x5300c0;
	pmcs[9] = 0x5300c0;
	pmcs[16] = 0x8000000000000a98;	/* 0: off, 1: kernel, 2: user */
	regs.used_pmcs[0] = BIT_ULL(0) | BIT_ULL(1) | BIT_ULL(9) | BIT_ULL(16);
	pfm_intel_prepare(&regs);
	KUNIT_EXPECT_EQ(test, regs.enable, 0x203ULL | BIT_ULL(33) | BIT_ULL(34));
	KUNIT_EXPECT_EQ(test, regs.live_pmds, 0x203ULL | BIT_ULL(17) | BIT_ULL(18));
}

/* The numbers of the manual's table of display families and models, and no others. */
static const struct {
	const char	*name;
	u8		models[PFM_INTEL_MAX_CPUS];
} family_6[] = {
	{ "core", { 0x0e } },
	{ "core2", { 0x0f, 0x16, 0x17, 0x1d } },
	{ "nehalem", { 0x1a, 0x1e, 0x1f, 0x2e } },
	{ "westmere", { 0x25, 0x2c, 0x2f } },
	{ "sandybridge", { 0x2a, 0x2d } },
	{ "ivybridge", { 0x3a, 0x3e } },
	{ "haswell", { 0x3c, 0x3f, 0x45, 0x46 } },
	{ "broadwell", { 0x3d, 0x47, 0x4f, 0x56 } },
	{ "skylake", { 0x4e, 0x55, 0x5e, 0x66, 0x8e, 0x9e, 0xa5, 0xa6 } },
	{ "icelake", { 0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0x9d, 0xa7 } },
	{ "sapphirerapids", { 0x8f, 0xcf } },
	{ "graniterapids", { 0xad, 0xae } },
	{ "alderlake", { 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5, 0xbd, 0xc5, 0xc6, 0xcc } },
	{ "knl", { 0x57, 0x85 } },
	{ "bonnell", { 0x1c, 0x26, 0x27, 0x35, 0x36 } },
	{ "silvermont", { 0x37, 0x4a, 0x4c, 0x4d, 0x5a } },
	{ "goldmont", { 0x5c, 0x5f, 0x7a } },
	{ "tremont", { 0x86, 0x96, 0x9c } },
	{ "gracemont", { 0xbe } },
	{ "crestmont", { 0xaf, 0xb6 } },
	{ "darkmont", { 0xdd } },
};

static const char *name_of_model(unsigned int model)
{
	int i, j;

	for (i = 0; i < ARRAY_SIZE(family_6); i++) {
		for (j = 0; j < PFM_INTEL_MAX_CPUS && family_6[i].models[j]; j++) {
			if (family_6[i].models[j] == model)
				return family_6[i].name;
		}
	}
	return "intel_arch";
}

static void intel_models_are_distinguished(struct kunit *test)
{
	unsigned int model;

	for (model = 0; model < 256; model++)
		KUNIT_EXPECT_STREQ(test, pfm_intel_find_model(6, model)->name,
				   name_of_model(model));
	KUNIT_EXPECT_STREQ(test, pfm_intel_find_model(15, 0x1a)->name, "intel_arch");
	/* Zhaoxin's; their models of family 6 are no Core 2 and no Tremont. */
	for (model = 0; model < 256; model++)
		KUNIT_EXPECT_STREQ(test, pfm_intel_find_model(7, model)->name,
				   model == 0x1b || model == 0x3b ? "zhaoxin" : "intel_arch");
}

/* Processors of each model, its counters, and the bits of its other registers. */
static const struct {
	u8	cpus[PFM_INTEL_MAX_CPUS];
	u8	version, gp, gp_width;
	u16	fixed;
	u8	fixed_width;
	u64	rsp0, rsp1, ld_lat, frontend;
	u8	family;
} models[] = {
	{ { 0x00 }, 5, 10, 48, 0xffff, 48 },
	{ { 0x0e }, 1, 2, 40 },
	{ { 0x0f, 0x16, 0x17, 0x1d }, 2, 2, 40, 0x7, 40 },
	{ { 0x1a, 0x1e, 0x1f, 0x2e }, 3, 4, 48, 0x7, 48, 0xffff, 0, 0xffff },
	{ { 0x25, 0x2c, 0x2f }, 3, 4, 48, 0x7, 48, 0xffff, 0xffff, 0xffff },
	{ { 0x2a, 0x2d }, 3, 8, 48, 0x7, 48, 0x3fffff8fff, 0x3fffff8fff, 0xffff },
	{ { 0x3a, 0x3e }, 3, 8, 48, 0x7, 48, 0x3fffff8fff, 0x3fffff8fff, 0xffff },
	{ { 0x3c, 0x3f, 0x45, 0x46 }, 3, 8, 48, 0x7, 48, 0x3fffff8fff, 0x3fffff8fff, 0xffff },
	{ { 0x3d, 0x47, 0x4f, 0x56 }, 3, 8, 48, 0x7, 48, 0x3fffff8fff, 0x3fffff8fff, 0xffff },
	{ { 0x4e, 0x55, 0x5e, 0x66, 0x8e, 0x9e, 0xa5, 0xa6 }, 4, 8, 48, 0x7, 48, 0x3fffff8fff,
	  0x3fffff8fff, 0xffff, 0x7fff17 },
	{ { 0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0x9d, 0xa7 }, 5, 8, 48, 0xf, 48, 0x3fffffbfff,
	  0x3fffffbfff, 0xffff, 0x7fff17 },
	{ { 0x8f, 0xcf }, 5, 8, 48, 0xf, 48, 0x3fffffffff, 0x3fffffffff, 0xffff, 0x7fff1f },
	{ { 0xad, 0xae }, 5, 8, 48, 0xf, 48, 0x3fffffffff, 0x3fffffffff, 0xffff, 0x7fff1f },
	{ { 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5, 0xbd, 0xc5, 0xc6, 0xcc }, 5, 6, 48, 0x7,
	  48 },
	{ { 0x57, 0x85 }, 3, 2, 40, 0x7, 40, 0x799ffbb6e7, 0x399ffbffe7 },
	{ { 0x1c, 0x26, 0x27, 0x35, 0x36 }, 3, 2, 40, 0x7, 40 },
	{ { 0x37, 0x4a, 0x4c, 0x4d, 0x5a }, 3, 2, 40, 0x7, 40 },
	{ { 0x5c, 0x5f, 0x7a }, 4, 4, 48, 0x7, 48, 0x760005ffbf, 0x360005ffbf },
	{ { 0x86, 0x96, 0x9c }, 5, 4, 48, 0x7, 48, 0x800ff0ffffff9fff, 0xff0ffffff9fff },
	{ { 0xbe }, 5, 6, 48, 0x7, 48, 0x3fffffffff, 0x3fffffffff, 0xffff },
	{ { 0xaf, 0xb6 }, 5, 8, 48, 0x7, 48, 0x800ff3ffffffffff, 0xff3ffffffffff, 0xffff },
	{ { 0xdd }, 5, 8, 48, 0x77, 48, 0x800ff3ffffffffff, 0xff3ffffffffff, 0xffff },
	{ { 0x1b, 0x3b }, 2, 4, 48, 0x7, 48, .family = 7 },
};

static const struct pfm_table *find_model(unsigned int i, unsigned int k)
{
	return pfm_intel_find_model(models[i].family ?: 6, models[i].cpus[k]);
}

static const struct pfm_pmu *build_model(struct kunit *test, unsigned int i)
{
	const struct pfm_table *table = find_model(i, 0);
	void *space = kunit_kzalloc(test, table->size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, space);
	return table->build(table, space);
}

/* A mask of the counters from @first on; all have this width. */
static unsigned int counters_of(struct kunit *test, const struct pfm_pmu *pmu, unsigned int first,
				unsigned int width)
{
	unsigned int i, mask = 0;

	for (i = 0; i < 16 && first + i < pmu->num_pmds; i++) {
		if (!pmu->pmds[first + i].name)
			continue;
		mask |= BIT(i);
		KUNIT_EXPECT_EQ_MSG(test, pmu->pmds[first + i].width, width, pmu->name);
	}
	return mask;
}

/* Without @bits the register does not exist. */
static void expect_bits(struct kunit *test, const struct pfm_pmu *pmu, unsigned int extra,
			u64 bits)
{
	const struct pfm_reg_desc *pmc = &pmu->pmcs[PFM_INTEL_EXTRA + extra];

	KUNIT_EXPECT_EQ_MSG(test, pmc->name ? ~pmc->rsvd : 0, bits, "%s: %u", pmu->name, extra);
}

static void intel_processors_are_of_the_documented_models(struct kunit *test)
{
	const struct pfm_table *first;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(models); i++) {
		first = find_model(i, 0);
		if (i)
			KUNIT_EXPECT_PTR_NE(test, first, pfm_intel_find_model(6, 0));
		for (k = 1; k < ARRAY_SIZE(models[i].cpus) && models[i].cpus[k]; k++)
			KUNIT_EXPECT_PTR_EQ(test, first, find_model(i, k));
	}
}

static void intel_models_have_the_documented_registers(struct kunit *test)
{
	const struct pfm_pmu *pmu;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(models); i++) {
		pmu = build_model(test, i);
		KUNIT_EXPECT_EQ_MSG(test, models[i].version,
				    container_of(pmu, struct pfm_intel_pmu, pmu)->caps.version,
				    pmu->name);
		KUNIT_EXPECT_EQ_MSG(test, counters_of(test, pmu, 0, models[i].gp_width),
				    BIT(models[i].gp) - 1, pmu->name);
		KUNIT_EXPECT_EQ_MSG(test, counters_of(test, pmu, PFM_INTEL_FIXED,
						      models[i].fixed_width),
				    models[i].fixed, pmu->name);
		expect_bits(test, pmu, PFM_INTEL_OFFCORE_RSP0, models[i].rsp0);
		expect_bits(test, pmu, PFM_INTEL_OFFCORE_RSP1, models[i].rsp1);
		expect_bits(test, pmu, PFM_INTEL_PEBS_LD_LAT, models[i].ld_lat);
		expect_bits(test, pmu, PFM_INTEL_PEBS_FRONTEND, models[i].frontend);
	}
}

/*
 * Properties that the probes use and that the tables do not show: where a ring of records begins,
 * how many it has, whether processor trace excludes it, which registers the hyper-threads of a
 * core share, and which errata there are.
 */
static const struct {
	const char	*name;
	u8		entries;
	u16		from, to;
	bool		no_pt;
	u64		lbr_select;
	u8		pebs, shared;
	bool		resets, one_enable;
} probed[] = {
	{ "intel_arch", 32, 0x1500, 0x1600 },
	{ "core", .one_enable = true },
	{ "core2", .pebs = 1 },
	{ "nehalem", 16, 0x680, 0x6c0, false, 0x1ff, 1, 0x21, true },
	{ "westmere", 16, 0x680, 0x6c0, false, 0x1ff, 1, 0x23, true },
	{ "sandybridge", 16, 0x680, 0x6c0, false, 0x1ff, 1 },
	{ "ivybridge", 16, 0x680, 0x6c0, false, 0x1ff, 1 },
	{ "haswell", 16, 0x680, 0x6c0, false, 0x1ff, 1 },
	{ "broadwell", 16, 0x680, 0x6c0, true, 0x1ff, 1 },
	{ "skylake", 32, 0x680, 0x6c0, false, 0x1ff, 1 },
	{ "icelake", 32, 0x680, 0x6c0, false, 0x1ff, 1 },
	{ "sapphirerapids", 32, 0x1500, 0x1600, false, 0, 1 },
	{ "graniterapids", 32, 0x1500, 0x1600, false, 0, 1 },
	{ "alderlake", 32, 0x1500, 0x1600 },
	{ "knl", 8, 0x680, 0x6c0, false, 0x1ff, 1 },
	{ "bonnell", .pebs = 1 },
	{ "silvermont", 8, 0x40, 0x60, false, 0x1ff, 1 },
	{ "goldmont", 32, 0x680, 0x6c0, false, 0x1ff, 1 },
	{ "tremont", 32, 0x680, 0x6c0, false, 0x1ff, 1 },
	{ "gracemont", 32, 0x1500, 0x1600, false, 0, 1 },
	{ "crestmont", 32, 0x1500, 0x1600, false, 0, 1 },
	{ "darkmont", 32, 0x1500, 0x1600, false, 0, 1 },
	{ "zhaoxin" },
};

static void intel_models_are_probed_for_what_they_have(struct kunit *test)
{
	const struct pfm_table *table = pfm_intel_tables;
	const struct pfm_intel_model *model;
	bool architectural;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probed) && table->name; i++, table++) {
		model = table->data;
		architectural = probed[i].from == 0x1500;
		/* The list of the processors ends there. */
		KUNIT_EXPECT_EQ_MSG(test, model->cpus[PFM_INTEL_MAX_CPUS - 1], 0, table->name);
		KUNIT_EXPECT_STREQ(test, table->name, probed[i].name);
		KUNIT_EXPECT_EQ_MSG(test, model->lbr.entries, probed[i].entries, table->name);
		KUNIT_EXPECT_EQ_MSG(test, model->lbr.from, probed[i].from, table->name);
		KUNIT_EXPECT_EQ_MSG(test, model->lbr.to, probed[i].to, table->name);
		KUNIT_EXPECT_EQ_MSG(test, model->lbr.no_pt, probed[i].no_pt, table->name);
		KUNIT_EXPECT_EQ_MSG(test, model->lbr.ctl, architectural ? 0x7f0007U : 0U,
				    table->name);
		KUNIT_EXPECT_EQ_MSG(test, model->extra[PFM_INTEL_LBR_SELECT],
				    probed[i].lbr_select, table->name);
		KUNIT_EXPECT_EQ_MSG(test, model->extra[PFM_INTEL_PEBS_ENABLE],
				    (u64)probed[i].pebs, table->name);
		KUNIT_EXPECT_EQ_MSG(test, model->shared, probed[i].shared, table->name);
		KUNIT_EXPECT_EQ_MSG(test, model->resets, probed[i].resets, table->name);
		KUNIT_EXPECT_EQ_MSG(test, model->one_enable, probed[i].one_enable, table->name);
	}
	KUNIT_EXPECT_EQ(test, i, (unsigned int)ARRAY_SIZE(probed));
	KUNIT_EXPECT_NULL(test, table->name);
}

static void an_enabled_fixed_counter_is_found(struct kunit *test)
{
	struct pfm_msr_cell cells[] = { { .msr = 0x38d, .takes = 0xfff, .value = 0x888 }, { } };
	const struct pfm_pmu *pmu = &build(test, cpuid_cases[3].want)->pmu;
	struct pfm_pmu short_pmu = *pmu;

	pfm_msr_use(cells);
	KUNIT_EXPECT_NULL(test, pfm_intel_fixed_enabled(pmu));
	cells[0].value = 0x8a8;
	KUNIT_EXPECT_STREQ(test, pfm_intel_fixed_enabled(pmu), "IA32_FIXED_CTR_CTRL");
	/* A PMU without fixed counters: its table ends before their register. */
	KUNIT_EXPECT_NULL(test, pfm_intel_fixed_enabled(&build(test, cpuid_cases[0].want)->pmu));
	short_pmu.num_pmcs = PFM_INTEL_FIXED_CTRL;
	KUNIT_EXPECT_NULL(test, pfm_intel_fixed_enabled(&short_pmu));
	short_pmu.num_pmcs = 0;
	KUNIT_EXPECT_NULL(test, pfm_intel_fixed_enabled(&short_pmu));
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_msr_use(NULL);
}

static void counters_that_another_stopped_are_noticed(struct kunit *test)
{
	struct pfm_msr_cell cells[] = { { .msr = 0x38f, .value = 0x70000000fULL }, { } };

	pfm_msr_use(cells);
	KUNIT_EXPECT_FALSE(test, pfm_intel_stopped(0x100000003ULL));
	/* Other counters may be off. */
	cells[0].value = 0x100000003ULL;
	KUNIT_EXPECT_FALSE(test, pfm_intel_stopped(0x100000003ULL));
	cells[0].value = 3;
	KUNIT_EXPECT_TRUE(test, pfm_intel_stopped(0x100000003ULL));
	cells[0].value = 0;
	KUNIT_EXPECT_TRUE(test, pfm_intel_stopped(1));
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	pfm_msr_use(NULL);
}

/* As hypervisors have been seen to offer them; the fourth pair is tested. */
static void a_pmu_that_keeps_nothing_is_none(struct kunit *test)
{
	struct pfm_msr_cell sound[] = {
		{ .msr = 0x189, .takes = 0xffdfffff, .value = 0x5300c0 },
		{ .msr = 0xc4, .takes = 0xffffffff, .value = 0x80001234 }, { }
	};
	struct pfm_msr_cell no_counter[] = { { .msr = 0x189, .takes = 0xffdfffff }, { } };
	struct pfm_msr_cell deaf_selector[] = {
		{ .msr = 0x189, .takes = 0xffdfffff, .ignores_writes = true },
		{ .msr = 0xc4, .takes = 0xffffffff }, { }
	};
	struct pfm_msr_cell deaf_counter[] = {
		{ .msr = 0x189, .takes = 0xffdfffff },
		{ .msr = 0xc4, .takes = 0xffffffff, .ignores_writes = true }, { }
	};
	struct pfm_msr_cell nothing[] = { { } };

	pfm_msr_use(sound);
	KUNIT_EXPECT_TRUE(test, pfm_intel_responds(3));
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	/* The NMI watchdog goes on. */
	KUNIT_EXPECT_EQ(test, sound[0].value, 0x5300c0ULL);
	KUNIT_EXPECT_EQ(test, sound[1].value, 0x80001234ULL);
	pfm_msr_use(no_counter);
	KUNIT_EXPECT_FALSE(test, pfm_intel_responds(3));
	pfm_msr_use(deaf_selector);
	KUNIT_EXPECT_FALSE(test, pfm_intel_responds(3));
	pfm_msr_use(deaf_counter);
	KUNIT_EXPECT_FALSE(test, pfm_intel_responds(3));
	pfm_msr_use(nothing);
	KUNIT_EXPECT_FALSE(test, pfm_intel_responds(3));
	pfm_msr_use(NULL);
}

static struct kunit_case pfm_intel_cases[] = {
	KUNIT_CASE(intel_cpuid_is_decoded),
	KUNIT_CASE(intel_tables_are_valid),
	KUNIT_CASE(intel_indices_do_not_move),
	KUNIT_CASE(intel_control_registers_are_the_documented_ones),
	KUNIT_CASE(intel_writes_are_as_wide_as_their_msrs),
	KUNIT_CASE(intel_a_counter_that_is_taken_is_a_hole),
	KUNIT_CASE(intel_only_what_is_enabled_is_live),
	KUNIT_CASE(intel_models_are_distinguished),
	KUNIT_CASE(intel_processors_are_of_the_documented_models),
	KUNIT_CASE(intel_models_have_the_documented_registers),
	KUNIT_CASE(intel_models_are_probed_for_what_they_have),
	KUNIT_CASE(a_pmu_that_keeps_nothing_is_none),
	KUNIT_CASE(an_enabled_fixed_counter_is_found),
	KUNIT_CASE(counters_that_another_stopped_are_noticed),
	{ }
};

static struct kunit_suite pfm_intel_suite = {
	.name = "perfmon_intel_arch",
	.test_cases = pfm_intel_cases,
};

kunit_test_suite(pfm_intel_suite);
