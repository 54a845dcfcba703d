// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of Intel's model-specific registers, on a model of them.
 */
#include <kunit/test.h>
#include <linux/slab.h>
#include "intel_extra.h"
#include "msr_kunit.h"
#include "tables.h"

#define RSP0	0x1a6
#define RSP1	0x1a7
#define PEBS	0x3f1
#define LD_LAT	0x3f6
#define FRONTEND 0x3f7

static const struct pfm_bank *const extras = &pfm_intel_extra_bank;

static const struct pfm_intel_model model = {
	.extra = {
		[PFM_INTEL_OFFCORE_RSP0] = 0xffff, [PFM_INTEL_OFFCORE_RSP1] = 0xffff,
		[PFM_INTEL_PEBS_ENABLE] = 0x1, [PFM_INTEL_PEBS_LD_LAT] = 0xff,
	},
	.shared = BIT(PFM_INTEL_OFFCORE_RSP0),
};

static void extra_probe(struct pfm_msr_cell *cells, unsigned int threads, bool pebs, u64 *bits)
{
	pfm_msr_use(cells);
	pfm_intel_probe_extra(&model, threads, pebs, bits);
}

static void extra_exit(struct kunit *test)
{
	pfm_msr_use(NULL);
}

static void probe_finds_what_is_there(struct kunit *test)
{
	struct pfm_msr_cell cells[] = {
		{ .msr = RSP0, .takes = 0xffff, .value = 0x11 },
		{ .msr = RSP1, .takes = 0xffff },
		{ .msr = PEBS, .takes = 0xf }, { .msr = LD_LAT, .takes = 0xffff }, { }
	};
	u64 bits[PFM_INTEL_NUM_EXTRA];

	extra_probe(cells, 1, true, bits);
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_OFFCORE_RSP0], 0xffffULL);
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_OFFCORE_RSP1], 0xffffULL);
	KUNIT_EXPECT_NE(test, bits[PFM_INTEL_PEBS_ENABLE], 0ULL);
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_PEBS_LD_LAT], 0xffULL);
	/* A register that the model does not have is not probed at all. */
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_PEBS_FRONTEND], 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
	/* The value before the probe is restored. */
	KUNIT_EXPECT_EQ(test, cells[0].value, 0x11ULL);
	KUNIT_EXPECT_EQ(test, cells[3].value, 0ULL);
}

static void probe_leaves_holes_for_what_is_not(struct kunit *test)
{
	struct pfm_msr_cell cells[] = {
		{ .msr = RSP1, .takes = ~0ULL, .ignores_writes = true },
		{ .msr = LD_LAT, .takes = 0 }, { }
	};
	u64 bits[PFM_INTEL_NUM_EXTRA];
	int i;

	extra_probe(cells, 1, true, bits);
	for (i = 0; i < PFM_INTEL_NUM_EXTRA; i++)
		KUNIT_EXPECT_EQ_MSG(test, bits[i], 0ULL, pfm_intel_extras[i].name);
}

/* The value before the probe cannot be restored: such a register is not used. */
static void probe_leaves_a_hole_for_what_cannot_be_restored(struct kunit *test)
{
	struct pfm_msr_cell cells[] = {
		{ .msr = RSP0, .takes = 0xffff, .value = 0x10000 },
		{ .msr = PEBS, .takes = 0xe, .value = 0x1 }, { }
	};
	u64 bits[PFM_INTEL_NUM_EXTRA];

	extra_probe(cells, 1, true, bits);
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_OFFCORE_RSP0], 0ULL);
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_PEBS_ENABLE], 0ULL);
}

static void probe_finds_the_bits_of_this_processor(struct kunit *test)
{
	struct pfm_msr_cell cells[] = { { .msr = RSP0, .takes = 0x80f1 }, { } };
	u64 bits[PFM_INTEL_NUM_EXTRA];

	extra_probe(cells, 1, false, bits);
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_OFFCORE_RSP0], 0x80f1ULL);
}

/* The probe does not try the enable bits. */
static void probe_never_enables_pebs(struct kunit *test)
{
	struct pfm_msr_cell cells[] = { { .msr = PEBS, .takes = 0 }, { } };
	u64 bits[PFM_INTEL_NUM_EXTRA];

	extra_probe(cells, 1, true, bits);
	KUNIT_EXPECT_NE(test, bits[PFM_INTEL_PEBS_ENABLE], 0ULL);
	extra_probe(cells, 1, false, bits);
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_PEBS_ENABLE], 0ULL);
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_PEBS_LD_LAT], 0ULL);
}

/* Of a processor that does not report PEBS, its registers are not even read. */
static void probe_leaves_pebs_alone_where_there_is_none(struct kunit *test)
{
	static const struct pfm_intel_model all = {
		.extra = {
			[PFM_INTEL_PEBS_ENABLE] = 0x1, [PFM_INTEL_PEBS_LD_LAT] = 0xff,
			[PFM_INTEL_PEBS_FRONTEND] = 0xff,
		},
	};
	struct pfm_msr_cell cells[] = {
		{ .msr = PEBS, .takes = 0xff }, { .msr = LD_LAT, .takes = 0xff },
		{ .msr = FRONTEND, .takes = 0xff }, { }
	};
	u64 bits[PFM_INTEL_NUM_EXTRA];
	unsigned int i;

	pfm_msr_use(cells);
	pfm_intel_probe_extra(&all, 1, false, bits);
	for (i = 0; i < ARRAY_SIZE(cells) - 1; i++)
		KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_PEBS_ENABLE + i], 0ULL);
	pfm_intel_probe_extra(&all, 1, true, bits);
	for (i = 0; i < ARRAY_SIZE(cells) - 1; i++)
		KUNIT_EXPECT_NE(test, bits[PFM_INTEL_PEBS_ENABLE + i], 0ULL);
}

static void what_threads_share_is_left_out(struct kunit *test)
{
	struct pfm_msr_cell cells[] = {
		{ .msr = RSP0, .takes = 0xffff }, { .msr = RSP1, .takes = 0xffff }, { }
	};
	u64 bits[PFM_INTEL_NUM_EXTRA];

	extra_probe(cells, 2, false, bits);
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_OFFCORE_RSP0], 0ULL);
	KUNIT_EXPECT_EQ(test, bits[PFM_INTEL_OFFCORE_RSP1], 0xffffULL);
}

static void no_set_sees_what_another_one_left(struct kunit *test)
{
	struct pfm_msr_cell cells[] = {
		{ .msr = RSP0, .takes = 0xffff }, { .msr = RSP1, .takes = 0xffff }, { }
	};
	struct pfm_regs with = { .used_pmcs = { BIT_ULL(0) | BIT_ULL(PFM_INTEL_EXTRA) } };
	struct pfm_regs without = { .used_pmcs = { BIT_ULL(0) } };

	pfm_msr_use(cells);
	extras->write_pmc(PFM_INTEL_EXTRA, 0x1234);
	extras->write_pmc(PFM_INTEL_EXTRA + 1, 0x5678);
	/* The first register is the set's own, the second a predecessor's. */
	extras->load(&with);
	KUNIT_EXPECT_EQ(test, cells[0].value, 0x1234ULL);
	KUNIT_EXPECT_EQ(test, cells[1].value, 0ULL);
	extras->load(&without);
	KUNIT_EXPECT_EQ(test, cells[0].value, 0ULL);
	/* Nothing is left, so nothing is written. */
	cells[0].writes = 0;
	cells[1].writes = 0;
	extras->load(&without);
	KUNIT_EXPECT_EQ(test, cells[0].writes + cells[1].writes, 0U);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
}

static void all_are_clear_when_the_pmu_becomes_ours(struct kunit *test)
{
	struct pfm_msr_cell cells[] = {
		{ .msr = RSP0, .takes = 0xffff, .value = 0x1 },
		{ .msr = RSP1, .takes = 0xffff, .value = 0x2 }, { }
	};
	struct pfm_reg_desc *pmcs = kunit_kcalloc(test, PFM_INTEL_NUM_PMCS, sizeof(*pmcs),
						  GFP_KERNEL);
	const struct pfm_reg_desc *before;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, pmcs);
	pfm_msr_use(cells);
	pmcs[PFM_INTEL_FIXED_CTRL].name = "IA32_FIXED_CTR_CTRL";
	pmcs[PFM_INTEL_EXTRA].name = "MSR_OFFCORE_RSP_0";
	pmcs[PFM_INTEL_DEBUGCTL].name = "IA32_DEBUGCTL";
	before = pfm_intel_extra_setup(pmcs);
	extras->init_cpu();
	pfm_intel_extra_setup(before);
	KUNIT_EXPECT_EQ(test, cells[0].value, 0ULL);
	/* A hole is not touched, nor is another bank's register. */
	KUNIT_EXPECT_EQ(test, cells[1].value, 2ULL);
	KUNIT_EXPECT_EQ(test, pfm_msr_faults(), 0U);
}

/* The documented indices, on the model that has most. */
static void extra_indices_are_the_documented_ones(struct kunit *test)
{
	static const struct {
		unsigned int	pmc;
		const char	*name;
		u64		addr, rsvd;
	} want[] = {
		{ 17, "MSR_OFFCORE_RSP_0", 0x1a6, ~0x3fffff8fffULL },
		{ 18, "MSR_OFFCORE_RSP_1", 0x1a7, ~0x3fffff8fffULL },
		{ 19, "IA32_PEBS_ENABLE", 0x3f1, ~0ULL },
		{ 20, "MSR_PEBS_LD_LAT", 0x3f6, ~0xffffULL },
		{ 21, "MSR_PEBS_FRONTEND", 0x3f7, ~0x7fff17ULL },
		{ 22, "MSR_LBR_SELECT", 0x1c8, ~0x1ffULL },
	};
	const struct pfm_table *table = pfm_intel_find_model(6, 0x5e);
	const struct pfm_pmu *pmu;
	int i;

	pmu = table->build(table, kunit_kzalloc(test, table->size, GFP_KERNEL));
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		const struct pfm_reg_desc *d = &pmu->pmcs[want[i].pmc];

		KUNIT_EXPECT_STREQ(test, d->name, want[i].name);
		KUNIT_EXPECT_EQ(test, d->addr, want[i].addr);
		KUNIT_EXPECT_EQ(test, d->rsvd, want[i].rsvd);
		KUNIT_EXPECT_EQ(test, d->def, 0ULL);
	}
	KUNIT_EXPECT_EQ(test, pmu->num_pmcs, (u16)24);
}

/* Without branch records. */
static void the_last_of_them_is_the_last_pmc(struct kunit *test)
{
	static const struct pfm_intel_lbr no_lbr;
	const struct pfm_intel_caps caps = { .version = 1, .num_gp = 2, .gp_width = 40 };
	struct pfm_intel_pmu *intel = kunit_kzalloc(test, sizeof(*intel), GFP_KERNEL);
	u64 extra[PFM_INTEL_NUM_EXTRA] = { [PFM_INTEL_OFFCORE_RSP1] = 0xffff };

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, intel);
	pfm_intel_build(intel, caps, extra, &no_lbr);
	KUNIT_EXPECT_EQ(test, intel->pmu.num_pmcs, (u16)19);
	KUNIT_EXPECT_STREQ(test, intel->pmcs[18].name, "MSR_OFFCORE_RSP_1");
}

/* PEBS writes to memory that perfmon does not manage. */
static void no_model_lets_users_enable_pebs(struct kunit *test)
{
	const struct pfm_table *table;
	const struct pfm_pmu *pmu;

	for (table = pfm_intel_tables; table->name; table++) {
		pmu = table->build(table, kunit_kzalloc(test, table->size, GFP_KERNEL));
		if (pmu->num_pmcs > 19 && pmu->pmcs[19].name) {
			KUNIT_EXPECT_EQ_MSG(test, pmu->pmcs[19].rsvd, ~0ULL, table->name);
			KUNIT_EXPECT_EQ_MSG(test, pmu->pmcs[19].def, 0ULL, table->name);
		}
	}
}

static struct kunit_case pfm_intel_extra_cases[] = {
	KUNIT_CASE(probe_finds_what_is_there),
	KUNIT_CASE(probe_leaves_holes_for_what_is_not),
	KUNIT_CASE(probe_leaves_a_hole_for_what_cannot_be_restored),
	KUNIT_CASE(probe_finds_the_bits_of_this_processor),
	KUNIT_CASE(probe_never_enables_pebs),
	KUNIT_CASE(probe_leaves_pebs_alone_where_there_is_none),
	KUNIT_CASE(what_threads_share_is_left_out),
	KUNIT_CASE(no_set_sees_what_another_one_left),
	KUNIT_CASE(all_are_clear_when_the_pmu_becomes_ours),
	KUNIT_CASE(extra_indices_are_the_documented_ones),
	KUNIT_CASE(the_last_of_them_is_the_last_pmc),
	KUNIT_CASE(no_model_lets_users_enable_pebs),
	{ }
};

static struct kunit_suite pfm_intel_extra_suite = {
	.name = "perfmon_intel_extra",
	.exit = extra_exit,
	.test_cases = pfm_intel_extra_cases,
};

kunit_test_suite(pfm_intel_extra_suite);
