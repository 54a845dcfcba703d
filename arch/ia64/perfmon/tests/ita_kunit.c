// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the Itanium's registers and counters, through the core, on a model.
 */
#include "driver.h"

static int itanium2_init(struct kunit *test)
{
	return pfm_driver_init(test, &pfm_itanium2);
}

/* A context with one counter, loaded on this thread. */
static void load_counter(struct kunit *test, u32 flags, u64 plm)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, flags), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, EVENT | plm), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
}

/* covers: 5.1-1 */
static void registers_have_the_processors_numbers(struct kunit *test)
{
	static const struct pfm_ita_model * const models[] = {
		&pfm_itanium, &pfm_itanium2, &pfm_montecito
	};
	const struct pfm_pmu *pmu;
	unsigned int m, i;
	char name[8];

	for (m = 0; m < ARRAY_SIZE(models); m++) {
		pmu = models[m]->pmu;
		for (i = 0; i < PFM_ITA_IBR0; i++) {
			if (!pmu->pmcs[i].name)
				continue;
			snprintf(name, sizeof(name), "PMC%u", i);
			KUNIT_EXPECT_STREQ(test, pmu->pmcs[i].name, name);
			KUNIT_EXPECT_EQ(test, pmu->pmcs[i].type, (u8)PFM_REG_TYPE_PMC);
			KUNIT_EXPECT_EQ(test, pmu->pmcs[i].addr, (u64)i);
		}
		for (i = 0; i < pmu->num_pmds; i++) {
			if (!pmu->pmds[i].name)
				continue;
			snprintf(name, sizeof(name), "PMD%u", i);
			KUNIT_EXPECT_STREQ(test, pmu->pmds[i].name, name);
			KUNIT_EXPECT_EQ(test, pmu->pmds[i].type, (u8)PFM_REG_TYPE_PMD);
			KUNIT_EXPECT_EQ(test, pmu->pmds[i].addr, (u64)i);
		}
	}
}

static void models_have_their_registers(struct kunit *test)
{
	const struct pfm_pmu *pmu = pfm_montecito.pmu;

	KUNIT_EXPECT_EQ(test, pfm_itanium.pmu->num_pmds, (u16)18);
	KUNIT_EXPECT_EQ(test, pfm_itanium.pmu->pmds[7].width, (u8)32);
	KUNIT_EXPECT_NULL(test, pfm_itanium.pmu->pmcs[14].name);
	KUNIT_EXPECT_EQ(test, pfm_itanium2.pmu->pmds[7].width, (u8)47);
	KUNIT_EXPECT_NOT_NULL(test, pfm_itanium2.pmu->pmcs[15].name);
	KUNIT_EXPECT_EQ(test, pmu->num_pmds, (u16)64);
	KUNIT_EXPECT_EQ(test, pmu->pmds[15].cls, (u8)PFM_CLASS_COUNTER);
	KUNIT_EXPECT_NULL(test, pmu->pmds[16].name);
	KUNIT_EXPECT_EQ(test, pmu->pmds[63].cls, (u8)PFM_CLASS_BUFFER);
	KUNIT_EXPECT_TRUE(test, pfm_bv_test(pmu->pmds[63].deps, 39));
	KUNIT_EXPECT_TRUE(test, pfm_bv_test(pmu->pmds[33].deps, 40));
	KUNIT_EXPECT_NULL(test, pmu->pmcs[16].name);
}

static void freeze_and_status_are_not_a_users(struct kunit *test)
{
	struct pfm_driver *d = test->priv;
	u16 i;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, 0), 0);
	for (i = 0; i < PFM_ITA_NUM_STATUS; i++)
		KUNIT_EXPECT_EQ(test, pfm_do_pmc(d, 0, i, 0), -EINVAL);
}

static void events_are_counted_between_start_and_stop(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load_counter(test, 0, USER);
	pfm_model_events(3);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 0ULL);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(5);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 5ULL);
	pfm_model_events(6);
	KUNIT_ASSERT_EQ(test, pfm_do_stop(d), 0);
	pfm_model_events(7);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 11ULL);
	KUNIT_EXPECT_EQ(test, d->model.pmc[0] & PFM_ITA_FREEZE, PFM_ITA_FREEZE);
}

static void levels_are_the_ones_of_the_pmc(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load_counter(test, 0, USER);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 5, EVENT | KERNEL), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 6, EVENT | BOTH), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(10);
	pfm_model_interruption();
	pfm_model_events(1);
	pfm_model_rfi();
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 10ULL);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 5), 1ULL);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 6), 11ULL);
}

static void an_overflow_freezes_interrupts_and_goes_on(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load_counter(test, 0, USER);
	KUNIT_ASSERT_EQ(test, pfm_do_pmd(d, 0, 4, BIT_ULL(47) - 3), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(3);
	KUNIT_EXPECT_EQ(test, d->model.pmis, 1U);
	pfm_model_events(100);
	pfm_do_interrupt(d);
	KUNIT_EXPECT_EQ(test, d->model.pmc[0], 0ULL);
	pfm_model_events(4);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), BIT_ULL(47) + 4);
}

static void overflow_status_is_cleared_in_all_four(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load_counter(test, 0, USER);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	d->model.pmc[0] = PFM_ITA_FREEZE | BIT_ULL(4);
	d->model.pmc[1] = 1;
	d->model.pmc[3] = BIT_ULL(63);
	pfm_do_interrupt(d);
	KUNIT_EXPECT_EQ(test, d->model.pmc[0], 0ULL);
	KUNIT_EXPECT_EQ(test, d->model.pmc[1], 0ULL);
	KUNIT_EXPECT_EQ(test, d->model.pmc[3], 0ULL);
}

static void an_overflow_that_notifies_masks(struct kunit *test)
{
	pfarg_pmc_t pmc = {
		.reg_num = 4, .reg_value = EVENT | USER, .reg_flags = PFM_REGFL_OVFL_NOTIFY,
	};
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmcs(d, &pmc, 1), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmd(d, 0, 4, -2ULL), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(2);
	pfm_do_interrupt(d);
	KUNIT_EXPECT_TRUE(test, d->ctx->masked);
	pfm_model_events(9);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 0ULL);
	KUNIT_EXPECT_EQ(test, d->model.pmc[0] & PFM_ITA_FREEZE, PFM_ITA_FREEZE);
}

static void buffers_follow_their_monitor(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 12, 0xff00 | USER), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.pmd[8], 0ULL);
	d->model.pmd[8] = 0x4000000000001234ULL;
	d->model.pmd[16] = 1;
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 8), 0x4000000000001234ULL);
	KUNIT_ASSERT_EQ(test, pfm_do_stop(d), 0);
	d->model.pmd[16] = 2;
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 16), 1ULL);
}

static void opcode_matching_is_loaded_with_the_set(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load_counter(test, 0, USER);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 9, 0x8000000100000000ULL), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	/* Bit 2 is reserved, and set. */
	KUNIT_EXPECT_EQ(test, d->model.pmc[9], 0x8000000100000004ULL);
}

/* Monitors have no enable bits: values that were left in them would count. */
static void no_set_finds_what_another_one_left(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_evtset(d, 1, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, EVENT | USER), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 8, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 1, 5, EVENT | USER), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start_set(d, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start_set(d, 1), 0);
	KUNIT_EXPECT_EQ(test, d->model.pmc[4], 0x800020ULL);
	KUNIT_EXPECT_EQ(test, d->model.pmc[8], 0xffffffff3fffffffULL);
	KUNIT_EXPECT_EQ(test, d->model.pmc[5] & 0xffff, EVENT | USER | PFM_ITA_OI);
}

static void the_next_owner_finds_the_registers_clear(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load_counter(test, 0, USER);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(3);
	KUNIT_ASSERT_EQ(test, pfm_do_unload(d), 0);
	local_irq_disable();
	pfm_cpu_quiesce(NULL);
	local_irq_enable();
	KUNIT_EXPECT_EQ(test, d->model.pmc[4] & USER, 0ULL);
	KUNIT_EXPECT_EQ(test, d->model.pmd[4], 0ULL);
	KUNIT_EXPECT_FALSE(test, d->model.unserialized);
}

static void reserved_bits_of_a_counter_keep_their_default(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, ~0ULL), 0);
	KUNIT_EXPECT_EQ(test, d->ctx->set0->regs.pmcs[4], 0x3ffff2fULL);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 5, ~0ULL), 0);
	KUNIT_EXPECT_EQ(test, d->ctx->set0->regs.pmcs[5], 0x37fff2fULL);
}

/* The manual forbids it: caches would tag instructions inconsistently. */
static void opcodes_and_code_ranges_need_a_data_range(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 13, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 8, 0), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_pmc(d, 0, 14, 0), -EINVAL);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 13, BIT_ULL(45)), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_pmc(d, 0, 14, 0), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_pmc(d, 0, 13, 0), -EINVAL);
}

static struct kunit_case ita_cases[] = {
	KUNIT_CASE(registers_have_the_processors_numbers),
	KUNIT_CASE(models_have_their_registers),
	KUNIT_CASE(freeze_and_status_are_not_a_users),
	KUNIT_CASE(events_are_counted_between_start_and_stop),
	KUNIT_CASE(levels_are_the_ones_of_the_pmc),
	KUNIT_CASE(an_overflow_freezes_interrupts_and_goes_on),
	KUNIT_CASE(overflow_status_is_cleared_in_all_four),
	KUNIT_CASE(an_overflow_that_notifies_masks),
	KUNIT_CASE(buffers_follow_their_monitor),
	KUNIT_CASE(opcode_matching_is_loaded_with_the_set),
	KUNIT_CASE(no_set_finds_what_another_one_left),
	KUNIT_CASE(the_next_owner_finds_the_registers_clear),
	KUNIT_CASE(reserved_bits_of_a_counter_keep_their_default),
	KUNIT_CASE(opcodes_and_code_ranges_need_a_data_range),
	{ }
};

static struct kunit_suite ita_suite = {
	.name = "perfmon_itanium",
	.init = itanium2_init,
	.exit = pfm_driver_exit,
	.test_cases = ita_cases,
};

/* The other two models, for their differences: the width of counters, and their number. */

static int itanium_init(struct kunit *test)
{
	return pfm_driver_init(test, &pfm_itanium);
}

static void counters_of_32_bits_are_emulated_to_64(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load_counter(test, 0, USER);
	KUNIT_ASSERT_EQ(test, pfm_do_pmd(d, 0, 4, 0xfffffffeULL), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	/* Copies of bit 31 beyond it are no part of the value. */
	pfm_model_events(1);
	KUNIT_EXPECT_EQ(test, d->model.pmd[4], ~0ULL);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 0xffffffffULL);
	pfm_model_events(1);
	KUNIT_EXPECT_EQ(test, d->model.pmis, 1U);
	pfm_do_interrupt(d);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 0x100000000ULL);
}

static void itanium_restricts_by_ta_and_pt(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, pfm_itanium.restricts(13, 1));
	KUNIT_EXPECT_TRUE(test, pfm_itanium.restricts(13, 0));
	KUNIT_EXPECT_FALSE(test, pfm_itanium.restricts(11, BIT_ULL(28)));
	KUNIT_EXPECT_TRUE(test, pfm_itanium.restricts(11, 0));
}

static struct kunit_case itanium_cases[] = {
	KUNIT_CASE(counters_of_32_bits_are_emulated_to_64),
	KUNIT_CASE(itanium_restricts_by_ta_and_pt),
	{ }
};

static struct kunit_suite itanium_suite = {
	.name = "perfmon_itanium_first",
	.init = itanium_init,
	.exit = pfm_driver_exit,
	.test_cases = itanium_cases,
};

static int montecito_init(struct kunit *test)
{
	return pfm_driver_init(test, &pfm_montecito);
}

static void twelve_counters_count_at_once(struct kunit *test)
{
	struct pfm_driver *d = test->priv;
	u16 i;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, 0), 0);
	for (i = 4; i < 16; i++)
		KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, i, EVENT | USER), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(12);
	for (i = 4; i < 16; i++)
		KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, i), 12ULL);
}

static void the_other_thread_of_the_core_is_not_counted(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, ~0ULL), 0);
	KUNIT_EXPECT_EQ(test, d->ctx->set0->regs.pmcs[4], 0x7a7fff2fULL);
}

static void the_trace_buffer_is_sixteen_pmds(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 39, USER), 0);
	KUNIT_EXPECT_EQ(test, d->ctx->set0->regs.live_pmds, 0xffff00c000000000ULL);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 39, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 42, USER), 0);
	KUNIT_EXPECT_EQ(test, d->ctx->set0->regs.live_pmds, 0xffff00c000000000ULL);
}

static struct kunit_case montecito_cases[] = {
	KUNIT_CASE(twelve_counters_count_at_once),
	KUNIT_CASE(the_other_thread_of_the_core_is_not_counted),
	KUNIT_CASE(the_trace_buffer_is_sixteen_pmds),
	{ }
};

static struct kunit_suite montecito_suite = {
	.name = "perfmon_montecito",
	.init = montecito_init,
	.exit = pfm_driver_exit,
	.test_cases = montecito_cases,
};

kunit_test_suites(&ita_suite, &itanium_suite, &montecito_suite);
