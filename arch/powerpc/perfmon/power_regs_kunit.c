// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the operations on POWER's registers, on a model of these.
 *
 * KUnit's tests run one after the other, at boot: no context is loaded then.
 */
#include <kunit/test.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "../../../kernel/perfmon/tests/pin.h"
#include "power_model.h"
#include "spr.h"

#define INSTRUCTIONS	0x02
#define FIRST_SPR	PFM_SPR_MMCR3
#define NUM_SPRS	(PFM_SPR_MMCR1 - FIRST_SPR + 1)

DEFINE_STATIC_KEY_FALSE(pfm_spr_modelled);
const struct pfm_spr_model *pfm_spr_model;

/* @unsynced: MMCR0 was written, and no isync followed; @order: SPRs as they were written. */
static struct {
	u64		sprs[NUM_SPRS];
	bool		unsynced;
	unsigned int	order[16];
	unsigned int	writes;
} model;

static u64 *spr(unsigned int number)
{
	return &model.sprs[number - FIRST_SPR];
}

static u64 model_read(unsigned int number)
{
	return *spr(number);
}

static void model_write(unsigned int number, u64 value)
{
	*spr(number) = value;
	if (number == PFM_SPR_MMCR0)
		model.unsynced = true;
	if (model.writes < ARRAY_SIZE(model.order))
		model.order[model.writes] = number;
	model.writes++;
}

static void model_sync(void)
{
	model.unsynced = false;
}

static const struct pfm_spr_model functions = {
	.read	= model_read,
	.write	= model_write,
	.sync	= model_sync,
};

struct fixture {
	struct pfm_regs	regs;
	u64		pmcs[PFM_POWER_NUM_PMCS];
};

/* A set of @machine whose counters 0 and @n, if that is not 0, count instructions at @levels. */
static void set_up(struct fixture *f, const struct pfm_power_model *machine, unsigned int n,
		   u64 levels)
{
	unsigned int i;

	memset(f, 0, sizeof(*f));
	pfm_power_use(machine, false);
	f->regs.pmcs = f->pmcs;
	for (i = 0; i < machine->pmu.num_pmcs; i++)
		f->pmcs[i] = machine->pmu.pmcs[i].def;
	f->pmcs[0] = INSTRUCTIONS | levels;
	f->pmcs[n] = INSTRUCTIONS | levels;
	pfm_bv_set(f->regs.used_pmcs, 0);
	pfm_bv_set(f->regs.used_pmcs, n);
	pfm_power_prepare(&f->regs);
}

static int power_regs_init(struct kunit *test)
{
	memset(&model, 0, sizeof(model));
	pfm_spr_model = &functions;
	static_branch_enable(&pfm_spr_modelled);
	/* The model has one CPU. */
	pfm_test_pin(true);
	return 0;
}

static void power_regs_exit(struct kunit *test)
{
	pfm_test_pin(false);
	static_branch_disable(&pfm_spr_modelled);
	KUNIT_EXPECT_FALSE(test, model.unsynced);
}

static void a_start_writes_mmcr0_last(struct kunit *test)
{
	struct pfm_power_image image;
	struct fixture f;

	set_up(&f, &pfm_power9, 3, PFM_POWER_USR);
	pfm_power_compose(&image, &pfm_power9, &f.regs, false);
	pfm_power_start(&f.regs);
	KUNIT_EXPECT_EQ(test, *spr(PFM_SPR_MMCR1), image.mmcr1);
	KUNIT_EXPECT_EQ(test, *spr(PFM_SPR_MMCR2), image.mmcr2);
	KUNIT_EXPECT_EQ(test, *spr(PFM_SPR_MMCRA), image.mmcra);
	KUNIT_EXPECT_EQ(test, *spr(PFM_SPR_MMCR0), image.mmcr0);
	KUNIT_ASSERT_EQ(test, model.writes, 4U);
	KUNIT_EXPECT_EQ(test, model.order[3], (unsigned int)PFM_SPR_MMCR0);
}

static void mmcr3_is_written_where_it_is_there(struct kunit *test)
{
	struct fixture f;

	set_up(&f, &pfm_power10, 0, PFM_POWER_USR);
	f.pmcs[PFM_POWER_MMCR3] = 0x1234;
	pfm_power_start(&f.regs);
	KUNIT_EXPECT_EQ(test, *spr(PFM_SPR_MMCR3), 0x1234ULL);
	KUNIT_EXPECT_EQ(test, model.writes, 5U);
}

static void a_set_that_counts_nothing_touches_nothing(struct kunit *test)
{
	struct fixture f;

	set_up(&f, &pfm_power9, 0, 0);
	pfm_power_start(&f.regs);
	KUNIT_EXPECT_EQ(test, model.writes, 0U);
}

/* Frozen, no alert; and no user reads the counters. */
static void a_stop_freezes_and_keeps_problem_state_out(struct kunit *test)
{
	struct fixture f;

	set_up(&f, &pfm_power10, 0, PFM_POWER_USR);
	pfm_power_start(&f.regs);
	pfm_power_stop(&f.regs);
	KUNIT_EXPECT_EQ(test, *spr(PFM_SPR_MMCR0),
			PFM_MMCR0_FC | (pfm_power10.pmu.pmcs[PFM_POWER_MMCR0].def &
					(PFM_MMCR0_PMCC_NONE | PFM_MMCR0_PMCCEXT)));
}

static void a_stop_clears_the_sign_of_a_counter_that_overflowed(struct kunit *test)
{
	struct fixture f;

	set_up(&f, &pfm_power9, 3, PFM_POWER_USR);
	*spr(PFM_SPR_PMC1) = BIT_ULL(31) | 5;
	*spr(PFM_SPR_PMC4) = 77;
	/* A counter that the set does not use stays as it is. */
	*spr(PFM_SPR_PMC2) = BIT_ULL(31) | 9;
	pfm_power_stop(&f.regs);
	KUNIT_EXPECT_EQ(test, *spr(PFM_SPR_PMC1), 5ULL);
	KUNIT_EXPECT_EQ(test, *spr(PFM_SPR_PMC4), 77ULL);
	KUNIT_EXPECT_EQ(test, *spr(PFM_SPR_PMC2), BIT_ULL(31) | 9);
	/* MMCR0, and the one counter. */
	KUNIT_EXPECT_EQ(test, model.writes, 2U);
}

static void each_pmd_is_a_register_of_its_own(struct kunit *test)
{
	static const unsigned int sprs[PFM_POWER_NUM_PMDS] = {
		PFM_SPR_PMC1, PFM_SPR_PMC2, PFM_SPR_PMC3, PFM_SPR_PMC4, PFM_SPR_PMC5,
		PFM_SPR_PMC6, PFM_SPR_SIAR, PFM_SPR_SDAR, PFM_SPR_SIER,
	};
	unsigned int i;

	for (i = 0; i < PFM_POWER_NUM_PMDS; i++)
		pfm_power_write_pmd(i, 100 + i);
	for (i = 0; i < PFM_POWER_NUM_PMDS; i++) {
		KUNIT_EXPECT_EQ(test, *spr(sprs[i]), 100ULL + i);
		KUNIT_EXPECT_EQ(test, pfm_power_read_pmd(i), 100ULL + i);
	}
}

static void a_counter_reads_without_its_sign(struct kunit *test)
{
	*spr(PFM_SPR_PMC6) = BIT_ULL(31) | 3;
	KUNIT_EXPECT_EQ(test, pfm_power_read_pmd(5), 3ULL);
}

/* The interrupt came late: the address is in the kernel. */
static void addresses_of_the_kernel_are_for_sets_that_count_there(struct kunit *test)
{
	u64 address = TASK_SIZE_MAX + 0x1000;
	struct fixture f;

	*spr(PFM_SPR_SIAR) = address;
	*spr(PFM_SPR_SDAR) = address + 8;
	set_up(&f, &pfm_power9, 0, PFM_POWER_USR);
	pfm_power_start(&f.regs);
	KUNIT_EXPECT_EQ(test, pfm_power_read_pmd(PFM_POWER_SIAR), 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_power_read_pmd(PFM_POWER_SDAR), 0ULL);
	set_up(&f, &pfm_power9, 0, PFM_POWER_USR | PFM_POWER_OS);
	pfm_power_start(&f.regs);
	KUNIT_EXPECT_EQ(test, pfm_power_read_pmd(PFM_POWER_SIAR), address);
	KUNIT_EXPECT_EQ(test, pfm_power_read_pmd(PFM_POWER_SDAR), address + 8);
}

static struct kunit_case pfm_power_regs_cases[] = {
	KUNIT_CASE(a_start_writes_mmcr0_last),
	KUNIT_CASE(mmcr3_is_written_where_it_is_there),
	KUNIT_CASE(a_set_that_counts_nothing_touches_nothing),
	KUNIT_CASE(a_stop_freezes_and_keeps_problem_state_out),
	KUNIT_CASE(a_stop_clears_the_sign_of_a_counter_that_overflowed),
	KUNIT_CASE(each_pmd_is_a_register_of_its_own),
	KUNIT_CASE(a_counter_reads_without_its_sign),
	KUNIT_CASE(addresses_of_the_kernel_are_for_sets_that_count_there),
	{ }
};

static struct kunit_suite pfm_power_regs_suite = {
	.name = "perfmon_power_regs",
	.init = power_regs_init,
	.exit = power_regs_exit,
	.test_cases = pfm_power_regs_cases,
};

kunit_test_suite(pfm_power_regs_suite);
