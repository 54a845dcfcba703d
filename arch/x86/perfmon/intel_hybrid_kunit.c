// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the capabilities that CPUs with different PMUs have in common.
 */
#include <kunit/test.h>
#include <linux/slab.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include "intel_hybrid.h"
#include "msr_kunit.h"
#include "tables.h"

#define FULL	true

/* A CPU by its leaf 0xA; @full: its counters are written in full. */
static struct pfm_intel_cpu cpu_of(u32 eax, u32 ecx, u32 edx, bool full)
{
	return (struct pfm_intel_cpu) {
		.caps = pfm_intel_cpuid_caps(eax, ecx, edx, true, full),
	};
}

static void expect_caps(struct kunit *test, const struct pfm_intel_cpu *got, const char *what,
			struct pfm_intel_caps want)
{
	KUNIT_EXPECT_EQ_MSG(test, got->caps.version, want.version, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, got->caps.num_gp, want.num_gp, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, got->caps.gp_width, want.gp_width, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, got->caps.fixed_width, want.fixed_width, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, got->caps.fixed_mask, want.fixed_mask, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, got->caps.full_width_write, want.full_width_write, "%s", what);
}

/* Two CPUs, eax, ecx and edx each, and the capabilities that they have in common. */
static const struct {
	const char		*what;
	u32			a[3], b[3];
	bool			a_full, b_full, uneven;
	struct pfm_intel_caps	want;
} join_cases[] = {
	{ "8 counters and 4 fixed ones, 6 and 3: as Golden Cove and Gracemont",
	  { 0x08300805, 0xf, 0x8604 }, { 0x08300605, 0x7, 0x8603 }, FULL, FULL, false,
	  { .version = 5, .num_gp = 6, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0x7,
	    .full_width_write = true } },
	{ "fixed counter 3 is missing on the one, 2 on the other",
	  { 0x08300805, 0x77, 0x8603 }, { 0x08300805, 0xb, 0x8602 }, FULL, FULL, false,
	  { .version = 5, .num_gp = 8, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0x3,
	    .full_width_write = true } },
	{ "versions 5 and 4",
	  { 0x08300405, 0x7, 0x8603 }, { 0x07300804, 0, 0x603 }, FULL, FULL, false,
	  { .version = 4, .num_gp = 4, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0x7,
	    .full_width_write = true } },
	{ "one takes no full width",
	  { 0x08300405, 0x7, 0x8603 }, { 0x08300405, 0x7, 0x8603 }, FULL, false, false,
	  { .version = 5, .num_gp = 4, .gp_width = 48, .fixed_width = 48, .fixed_mask = 0x7 } },
	{ "general counters of 48 and of 40 bits",
	  { 0x08300405, 0x7, 0x8603 }, { 0x08280405, 0x7, 0x8603 }, FULL, FULL, true,
	  { .version = 5, .num_gp = 4, .gp_width = 40, .fixed_width = 48, .fixed_mask = 0x7 } },
	{ "fixed counters of 48 and of 40 bits",
	  { 0x08300405, 0x7, 0x8603 }, { 0x08300405, 0x7, 0x8503 }, FULL, FULL, false,
	  { .version = 5, .num_gp = 4, .gp_width = 48, .fixed_width = 40, .fixed_mask = 0,
	    .full_width_write = true } },
	{ "one has none",
	  { 0x08300405, 0x7, 0x8603 }, { 0, 0, 0 }, FULL, FULL, true,
	  { .version = 0, .full_width_write = false } },
};

static void intel_the_least_of_each_is_common(struct kunit *test)
{
	struct pfm_intel_cpu a, b, all;
	int i;

	for (i = 0; i < ARRAY_SIZE(join_cases); i++) {
		a = cpu_of(join_cases[i].a[0], join_cases[i].a[1], join_cases[i].a[2],
			   join_cases[i].a_full);
		b = cpu_of(join_cases[i].b[0], join_cases[i].b[1], join_cases[i].b[2],
			   join_cases[i].b_full);
		all = a;
		pfm_intel_join(&all, &b);
		expect_caps(test, &all, join_cases[i].what, join_cases[i].want);
		KUNIT_EXPECT_EQ_MSG(test, all.uneven, join_cases[i].uneven, "%s",
				    join_cases[i].what);
		/* In either order. */
		all = b;
		pfm_intel_join(&all, &a);
		expect_caps(test, &all, join_cases[i].what, join_cases[i].want);
		/* Each of the two has all of the result, unless counters are wider. */
		KUNIT_EXPECT_EQ_MSG(test, pfm_intel_join(&all, &b), true, "%s",
				    join_cases[i].what);
	}
}

static void intel_a_cpu_with_less_does_not_fit(struct kunit *test)
{
	const struct pfm_intel_cpu settled = cpu_of(0x08300605, 0x7, 0x8603, FULL);
	const struct {
		const char *what;
		struct pfm_intel_cpu cpu;
		bool fits;
	} cases[] = {
		{ "the same", cpu_of(0x08300605, 0x7, 0x8603, FULL), true },
		{ "more counters", cpu_of(0x08300805, 0xf, 0x8604, FULL), true },
		{ "less counters", cpu_of(0x08300505, 0x7, 0x8603, FULL), false },
		{ "less fixed counters", cpu_of(0x08300605, 0x3, 0x8602, FULL), false },
		{ "narrower", cpu_of(0x08280605, 0x7, 0x8603, FULL), false },
		{ "wider", cpu_of(0x08380605, 0x7, 0x8603, FULL), false },
		{ "fixed ones wider", cpu_of(0x08300605, 0x7, 0x8703, FULL), false },
		{ "no full width", cpu_of(0x08300605, 0x7, 0x8603, false), false },
		{ "an earlier version", cpu_of(0x08300604, 0x7, 0x8603, FULL), false },
	};
	struct pfm_intel_cpu all;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		all = settled;
		KUNIT_EXPECT_EQ_MSG(test, pfm_intel_join(&all, &cases[i].cpu), cases[i].fits,
				    "%s", cases[i].what);
	}
}

static void intel_branch_records_are_common_when_they_are_alike(struct kunit *test)
{
	struct pfm_intel_cpu a = cpu_of(0x08300605, 0x7, 0x8603, FULL), b = a;

	a.lbr.depths = 0x8;
	a.lbr.filters = 0x3;
	b.lbr.depths = 0x8;
	b.lbr.filters = 0x3;
	KUNIT_EXPECT_TRUE(test, pfm_intel_join(&a, &b));
	KUNIT_EXPECT_EQ(test, a.lbr.depths, 0x8U);
	b.lbr.parts = 0x1;
	KUNIT_EXPECT_FALSE(test, pfm_intel_join(&a, &b));
	KUNIT_EXPECT_EQ(test, a.lbr.depths, 0U);
	KUNIT_EXPECT_EQ(test, a.lbr.filters, 0U);
	/* The branch records are not used any more. */
	KUNIT_EXPECT_TRUE(test, pfm_intel_join(&a, &b));
}

/* Before the registers are chosen, each CPU counts; after that, they are for all. */
static void intel_a_cpu_comes_online_if_it_has_what_the_others_have(struct kunit *test)
{
	const struct pfm_intel_cpu six = cpu_of(0x08300605, 0x7, 0x8603, FULL);
	const struct pfm_intel_cpu eight = cpu_of(0x08300805, 0xf, 0x8604, FULL);
	const struct pfm_intel_cpu five = cpu_of(0x08300505, 0x7, 0x8603, FULL);
	struct pfm_intel_cpus cpus = { };

	KUNIT_EXPECT_TRUE(test, pfm_intel_admit(&cpus, &eight, false));
	expect_caps(test, &cpus.common, "the first", eight.caps);
	KUNIT_EXPECT_TRUE(test, pfm_intel_admit(&cpus, &six, false));
	expect_caps(test, &cpus.common, "the second", six.caps);
	KUNIT_EXPECT_TRUE(test, pfm_intel_admit(&cpus, &eight, true));
	expect_caps(test, &cpus.common, "the third", six.caps);
	cpus.settled = true;
	KUNIT_EXPECT_TRUE(test, pfm_intel_admit(&cpus, &six, true));
	KUNIT_EXPECT_TRUE(test, pfm_intel_admit(&cpus, &eight, true));
	KUNIT_EXPECT_FALSE(test, pfm_intel_admit(&cpus, &five, true));
	/* The first of its type: programs know no such cores. */
	KUNIT_EXPECT_FALSE(test, pfm_intel_admit(&cpus, &six, false));
	expect_caps(test, &cpus.common, "settled", six.caps);
}

static void intel_the_registers_of_this_machine_are_settled(struct kunit *test)
{
	struct pfm_intel_cpus cpus = pfm_intel_cpus;
	struct pfm_intel_cpu less = cpus.common;

	if (!cpus.asked || !less.caps.num_gp)
		kunit_skip(test, "not Intel's PMU");
	KUNIT_EXPECT_TRUE(test, pfm_intel_admit(&cpus, &less, true));
	less.caps.num_gp--;
	KUNIT_EXPECT_FALSE(test, pfm_intel_admit(&cpus, &less, true));
}

/* IA32_PERF_CAPABILITIES exists where CPUID reports it; not under each hypervisor. */
static void intel_further_capabilities_are_read_where_there_are_some(struct kunit *test)
{
	struct pfm_msr_cell cells[] = { { .msr = 0x345, .value = 0x2045 }, { } };
	struct pfm_msr_cell none[] = { { } };
	struct cpuinfo_x86 *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	pfm_msr_use(cells);
	KUNIT_EXPECT_EQ(test, pfm_intel_perf_caps(c), 0ULL);
	set_cpu_cap(c, X86_FEATURE_PDCM);
	KUNIT_EXPECT_EQ(test, pfm_intel_perf_caps(c), 0x2045ULL);
	pfm_msr_use(none);
	KUNIT_EXPECT_EQ(test, pfm_intel_perf_caps(c), 0ULL);
	pfm_msr_use(NULL);
}

/* The first processors of version 2 have fixed counters and report none. */
static void intel_only_its_hardware_may_hide_fixed_counters(struct kunit *test)
{
	struct cpuinfo_x86 *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	c->x86_vendor = X86_VENDOR_INTEL;
	KUNIT_EXPECT_FALSE(test, pfm_intel_says_all(c));
	c->x86_vendor = X86_VENDOR_ZHAOXIN;
	KUNIT_EXPECT_TRUE(test, pfm_intel_says_all(c));
	c->x86_vendor = X86_VENDOR_INTEL;
	set_cpu_cap(c, X86_FEATURE_HYPERVISOR);
	KUNIT_EXPECT_TRUE(test, pfm_intel_says_all(c));
}

static u64 read_48_bits(unsigned int pmd)
{
	return 0xfffffffff000ULL + pmd;
}

static void intel_a_wider_counter_reads_as_the_narrowest(struct kunit *test)
{
	static const struct pfm_pmu_ops wide = { .read_pmd = read_48_bits };
	const struct pfm_pmu_ops ops = pfm_intel_uneven_ops, *before;

	before = pfm_intel_uneven_use(&wide, 40);
	KUNIT_EXPECT_EQ(test, pfm_intel_uneven_ops.read_pmd(3), 0xfffffff003ULL);
	pfm_intel_uneven_use(before, 48);
	KUNIT_EXPECT_PTR_EQ(test, before, pfm_intel_uneven_use(before, 48));
	pfm_intel_uneven_ops = ops;
}

static void intel_hybrids_have_a_table(struct kunit *test)
{
	static const u8 models[] = { 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xbd, 0xc5, 0xc6 };
	int i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		KUNIT_EXPECT_STREQ(test, pfm_intel_find_model(6, models[i])->model,
				   "Intel Alder Lake");
}

static struct kunit_case pfm_intel_hybrid_cases[] = {
	KUNIT_CASE(intel_the_least_of_each_is_common),
	KUNIT_CASE(intel_a_cpu_with_less_does_not_fit),
	KUNIT_CASE(intel_branch_records_are_common_when_they_are_alike),
	KUNIT_CASE(intel_a_cpu_comes_online_if_it_has_what_the_others_have),
	KUNIT_CASE(intel_the_registers_of_this_machine_are_settled),
	KUNIT_CASE(intel_further_capabilities_are_read_where_there_are_some),
	KUNIT_CASE(intel_only_its_hardware_may_hide_fixed_counters),
	KUNIT_CASE(intel_a_wider_counter_reads_as_the_narrowest),
	KUNIT_CASE(intel_hybrids_have_a_table),
	{ }
};

static struct kunit_suite pfm_intel_hybrid_suite = {
	.name		= "perfmon_intel_hybrid",
	.test_cases	= pfm_intel_hybrid_cases,
};

kunit_test_suite(pfm_intel_hybrid_suite);
