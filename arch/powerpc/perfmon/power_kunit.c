// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the POWER tables, and of the hardware's registers composed from them.
 */
#include <kunit/test.h>
#include <linux/string.h>
#include "power_model.h"
#include "tables.h"

#define INSTRUCTIONS	0x02
#define CYCLES		0x1e

struct fixture {
	const struct pfm_power_model	*model;
	struct pfm_regs			regs;
	u64				pmcs[PFM_POWER_NUM_PMCS];
};

static struct fixture power_regs(const struct pfm_power_model *model)
{
	return (struct fixture){ .model = model };
}

/* Defaults, then the words of @ctls that are not 0. */
static struct pfm_power_image composed(struct fixture *f, const u64 *ctls, bool hypervisor)
{
	struct pfm_power_image image;
	unsigned int i;

	f->regs.pmcs = f->pmcs;
	for (i = 0; i < f->model->pmu.num_pmcs; i++)
		f->pmcs[i] = f->model->pmu.pmcs[i].def;
	for (i = 0; i < PFM_POWER_COUNTERS; i++) {
		if (!ctls[i])
			continue;
		f->pmcs[i] = ctls[i];
		pfm_bv_set(f->regs.used_pmcs, i);
	}
	pfm_power_prepare(&f->regs);
	pfm_power_compose(&image, f->model, &f->regs, hypervisor);
	return image;
}

static void mmcr3_is_power10s(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pfm_power9.pmu.num_pmcs, PFM_POWER_MMCR3);
	KUNIT_EXPECT_EQ(test, pfm_power10.pmu.num_pmcs, PFM_POWER_MMCR3 + 1);
	KUNIT_EXPECT_STREQ(test, pfm_power10.pmu.pmcs[PFM_POWER_MMCR3].name, "MMCR3");
}

/* A counter whose control register was never written does not count. */
static void nothing_counts_by_default(struct kunit *test)
{
	struct fixture f = power_regs(&pfm_power9);
	const u64 no_ctls[6] = { };
	struct pfm_power_image image = composed(&f, no_ctls, false);

	KUNIT_EXPECT_EQ(test, f.regs.enable, 0ULL);
	KUNIT_EXPECT_EQ(test, f.regs.live_pmds, 0ULL);
	KUNIT_EXPECT_EQ(test, image.mmcr0 & 0x30, 0x30ULL);
	KUNIT_EXPECT_EQ(test, image.mmcr1, 0ULL);
	/* FCS, both FCP and FCH of each. */
	KUNIT_EXPECT_EQ(test, image.mmcr2, 0xe271389c4e271000ULL);
}

static void each_counter_has_its_event_and_levels(struct kunit *test)
{
	struct fixture f = power_regs(&pfm_power9);
	struct pfm_power_image image;
	const u64 ctls[6] = {
		INSTRUCTIONS | PFM_POWER_USR, 0, CYCLES | PFM_POWER_OS, 0,
		PFM_POWER_USR | PFM_POWER_OS, 0,
	};

	image = composed(&f, ctls, false);
	KUNIT_EXPECT_EQ(test, f.regs.enable, 0x15ULL);
	KUNIT_EXPECT_EQ(test, f.regs.live_pmds, 0x1d5ULL);
	KUNIT_EXPECT_EQ(test, image.mmcr1, 0x02001e00ULL);
	KUNIT_EXPECT_EQ(test, image.mmcr0 & 0x30, 0ULL);
	/* PMC1: not S, not H. PMC3: P and H. PMC5: just H. */
	KUNIT_EXPECT_EQ(test, image.mmcr2 >> 55, 0x104ULL);
	KUNIT_EXPECT_EQ(test, image.mmcr2 >> (63 - 18 - 8) & 0x1ff, 0x0c4ULL);
	KUNIT_EXPECT_EQ(test, image.mmcr2 >> (63 - 36 - 8) & 0x1ff, 0x004ULL);
	KUNIT_EXPECT_TRUE(test, image.kernel);
}

static void the_hypervisors_kernel_runs_in_its_state(struct kunit *test)
{
	const u64 ctls[6] = { INSTRUCTIONS | PFM_POWER_OS };
	struct fixture f = power_regs(&pfm_power8);
	struct pfm_power_image image;

	image = composed(&f, ctls, true);
	/* FCS and FCP, not FCH. */
	KUNIT_EXPECT_EQ(test, image.mmcr2 >> 55, 0x1c0ULL);
}

static void the_combine_field_is_where_the_processor_has_it(struct kunit *test)
{
	const u64 ctls[6] = { 0, INSTRUCTIONS | PFM_POWER_USR | BIT_ULL(12) | 0xa00 };
	struct fixture p8 = power_regs(&pfm_power8), p9 = power_regs(&pfm_power9);

	KUNIT_EXPECT_EQ(test, composed(&p8, ctls, false).mmcr1,
			0xaULL << 56 | BIT_ULL(34) | 0x020000ULL);
	KUNIT_EXPECT_EQ(test, composed(&p9, ctls, false).mmcr1,
			0xaULL << 56 | BIT_ULL(36) | 0x020000ULL);
}

/* Counters 1 to 4 need an event; 5 and 6 have theirs. */
static void counters_without_an_event_are_dead(struct kunit *test)
{
	const u64 ctls[6] = { PFM_POWER_USR, 0, 0, 0, PFM_POWER_USR, PFM_POWER_USR };
	struct fixture f = power_regs(&pfm_power9);
	struct pfm_power_image image = composed(&f, ctls, false);

	KUNIT_EXPECT_EQ(test, f.regs.enable, 0x30ULL);
	KUNIT_EXPECT_EQ(test, image.mmcr0 & 0x30, 0x20ULL);
	KUNIT_EXPECT_FALSE(test, image.kernel);
}

static struct kunit_case pfm_power_cases[] = {
	KUNIT_CASE(mmcr3_is_power10s),
	KUNIT_CASE(nothing_counts_by_default),
	KUNIT_CASE(each_counter_has_its_event_and_levels),
	KUNIT_CASE(the_hypervisors_kernel_runs_in_its_state),
	KUNIT_CASE(the_combine_field_is_where_the_processor_has_it),
	KUNIT_CASE(counters_without_an_event_are_dead),
	{ }
};

static struct kunit_suite pfm_power_suite = {
	.name = "perfmon_power",
	.test_cases = pfm_power_cases,
};

kunit_test_suite(pfm_power_suite);
