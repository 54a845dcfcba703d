// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of range restrictions: the Itanium's debug registers as PMCs, and
 * their ownership.
 */
#include "driver.h"

#define IBR(n)		(256 + (n))
#define DBR(n)		(264 + (n))
#define RANGE		0xa000000000000000ULL
#define MASK		0x00fffffffffff000ULL

static int debug_init(struct kunit *test)
{
	int err = pfm_driver_init(test, &pfm_itanium2);

	return err ?: pfm_do_create(test->priv, 0);
}

/* covers: 5.1-2 5.6.1-1 5.6.1-2 5.6.1-5 */
static void pmcs_from_256_on_are_the_debug_registers(struct kunit *test)
{
	pfarg_pmcinfo_t info[16] = { };
	struct pfm_call call = { .args = info, .n = 16 };
	u16 i;

	for (i = 0; i < 16; i++)
		info[i].reg_num = IBR(0) + i;
	KUNIT_ASSERT_EQ(test, pfm_getinfo_pmcs(&call), 0);
	for (i = 0; i < 8; i++) {
		KUNIT_EXPECT_EQ(test, info[i].reg_type, (u16)PFM_REG_TYPE_IBR);
		KUNIT_EXPECT_EQ(test, info[i].reg_index, (u64)i);
		KUNIT_EXPECT_EQ(test, info[8 + i].reg_type, (u16)PFM_REG_TYPE_DBR);
		KUNIT_EXPECT_EQ(test, info[8 + i].reg_index, (u64)i);
	}
}

/* covers: 5.6.1-3 */
static void they_are_the_last_pmcs_and_no_pmds(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, pfm_pmc_valid(271));
	KUNIT_EXPECT_FALSE(test, pfm_pmc_valid(272));
	KUNIT_EXPECT_FALSE(test, pfm_pmc_valid(255));
	KUNIT_EXPECT_LE(test, pfm_pmu->num_pmds, (u16)PFM_MAX_HW_PMDS);
}

/* There is no such model; if there were, this is how it would look. */
/* covers: 5.6.1-4 */
static void without_range_restriction_they_are_not_there(struct kunit *test)
{
	struct pfm_driver *d = test->priv;
	struct pfm_pmu without = *pfm_pmu;
	const struct pfm_pmu *with;

	without.num_pmcs = 16;
	without.banks = NULL;
	with = pfm_pmu_use(&without);
	KUNIT_EXPECT_EQ(test, pfm_pmu_validate(&without), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_pmc(d, 0, IBR(0), 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, pfm_do_pmc(d, 0, DBR(7), 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, pfm_do_pmc(d, 0, 15, 0), 0);
	pfm_pmu_use(with);
}

/* covers: 5.6.1-1 5.6.1-2 5.6.3-1 */
static void values_reach_the_registers_as_they_are(struct kunit *test)
{
	struct pfm_driver *d = test->priv;
	u16 i;

	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, EVENT | USER), 0);
	for (i = 0; i < 8; i += 2) {
		KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, IBR(i), RANGE | i), 0);
		KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, IBR(i + 1), MASK | i), 0);
		KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, DBR(i), ~RANGE | i), 0);
		KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, DBR(i + 1), MASK | 8 | i), 0);
	}
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	for (i = 0; i < 8; i += 2) {
		KUNIT_EXPECT_EQ(test, d->model.ibr[i], RANGE | i);
		KUNIT_EXPECT_EQ(test, d->model.ibr[i + 1], MASK | i);
		KUNIT_EXPECT_EQ(test, d->model.dbr[i], ~RANGE | i);
		KUNIT_EXPECT_EQ(test, d->model.dbr[i + 1], MASK | 8 | i);
	}
}

/* covers: 5.6.3-2 */
static void they_take_no_flags(struct kunit *test)
{
	pfarg_pmc_t req = { .reg_num = IBR(0) };
	struct pfm_driver *d = test->priv;
	unsigned int bit;

	for (bit = 0; bit < 29; bit++) {
		req.reg_flags = BIT(bit);
		KUNIT_EXPECT_EQ(test, pfm_do_pmcs(d, &req, 1), -EINVAL);
		KUNIT_EXPECT_EQ(test, req.reg_flags, (u32)(BIT(bit) | PFM_REG_RETFL_EINVAL));
	}
	req.reg_flags = PFM_REG_RETFL_MASK;
	KUNIT_EXPECT_EQ(test, pfm_do_pmcs(d, &req, 1), 0);
	KUNIT_EXPECT_EQ(test, req.reg_flags, 0U);
}

/* covers: 5.6.3-3 */
static void what_is_for_sampling_is_ignored(struct kunit *test)
{
	pfarg_pmc_t req = { .reg_num = DBR(0), .reg_smpl_eventid = 7 };
	struct pfm_driver *d = test->priv;
	const struct pfm_request *request;
	unsigned int i;

	memset(req.reg_smpl_pmds, 0xff, sizeof(req.reg_smpl_pmds));
	memset(req.reg_reset_pmds, 0xff, sizeof(req.reg_reset_pmds));
	KUNIT_EXPECT_EQ(test, pfm_do_pmcs(d, &req, 1), 0);
	for (i = 4; i < 8; i++) {
		request = pfm_counter_request(d->ctx->set0, i);
		KUNIT_EXPECT_EQ(test, request->smpl_count, (u16)0);
		KUNIT_EXPECT_EQ(test, request->reset_pmds, 0ULL);
		KUNIT_EXPECT_EQ(test, request->eventid, 0ULL);
	}
	req.reg_num = 4;
	KUNIT_EXPECT_EQ(test, pfm_do_pmcs(d, &req, 1), -EINVAL);
}

/* covers: 5.6.3-4 */
static void no_breakpoint_in_code_can_be_set(struct kunit *test)
{
	struct pfm_driver *d = test->priv;
	u16 i;

	for (i = 0; i < 8; i++) {
		KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, IBR(i), ~0ULL), 0);
		KUNIT_EXPECT_EQ(test, d->ctx->set0->regs.pmcs[IBR(i)],
				i & 1 ? GENMASK_ULL(62, 0) : ~0ULL);
	}
}

/* covers: 5.6.3-5 */
static void no_breakpoint_on_data_can_be_set(struct kunit *test)
{
	struct pfm_driver *d = test->priv;
	u16 i;

	for (i = 0; i < 8; i++) {
		KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, DBR(i), ~0ULL), 0);
		KUNIT_EXPECT_EQ(test, d->ctx->set0->regs.pmcs[DBR(i)],
				i & 1 ? GENMASK_ULL(61, 0) : ~0ULL);
	}
}

/* covers: 5.6.2-2 5.6.2-4 */
static void load_fails_while_any_thread_is_debugged(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, IBR(0), RANGE), 0);
	KUNIT_ASSERT_EQ(test, pfm_ita_debug_thread_uses(), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_load(d), -EBUSY);
	KUNIT_EXPECT_EQ(test, (int)d->ctx->state, (int)PFM_UNLOADED);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(pfm_pmu_held));
	pfm_ita_debug_thread_drops();
	KUNIT_EXPECT_EQ(test, pfm_do_load(d), 0);
}

/* covers: 5.6.2-2 */
static void load_without_ranges_does_not_mind(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, EVENT | USER), 0);
	KUNIT_ASSERT_EQ(test, pfm_ita_debug_thread_uses(), 0);
	d->model.ibr[1] = PFM_ITA_IBR_X;
	KUNIT_EXPECT_EQ(test, pfm_do_load(d), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_start(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.ibr[1], PFM_ITA_IBR_X);
	pfm_ita_debug_thread_drops();
}

/* covers: 5.6.2-3 */
static void a_loaded_context_cannot_write_them_meanwhile(struct kunit *test)
{
	pfarg_pmc_t req = { .reg_num = DBR(2), .reg_value = RANGE };
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_ita_debug_thread_uses(), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_pmcs(d, &req, 1), -EBUSY);
	KUNIT_EXPECT_EQ(test, req.reg_flags, PFM_REG_RETFL_EINVAL);
	KUNIT_EXPECT_EQ(test, d->ctx->set0->regs.pmcs[DBR(2)], 0ULL);
	pfm_ita_debug_thread_drops();
	req.reg_flags = 0;
	KUNIT_EXPECT_EQ(test, pfm_do_pmcs(d, &req, 1), 0);
}

/* covers: 5.6.2-1 */
static void no_thread_can_be_debugged_meanwhile(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, IBR(0), RANGE), 0);
	KUNIT_EXPECT_EQ(test, pfm_ita_debug_thread_uses(), 0);
	pfm_ita_debug_thread_drops();
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_EXPECT_EQ(test, pfm_ita_debug_thread_uses(), -EBUSY);
	KUNIT_ASSERT_EQ(test, pfm_do_unload(d), 0);
	KUNIT_EXPECT_EQ(test, pfm_ita_debug_thread_uses(), 0);
	pfm_ita_debug_thread_drops();
}

/* covers: 5.6.2-4 */
static void close_gives_them_back(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, IBR(0), RANGE), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, IBR(1), MASK), 0);
	KUNIT_EXPECT_EQ(test, pfm_ita_debug_thread_uses(), -EBUSY);
	pfm_do_close(d);
	KUNIT_EXPECT_EQ(test, pfm_ita_debug_thread_uses(), 0);
	pfm_ita_debug_thread_drops();
}

/* covers: 5.6.2-1 */
static void a_system_wide_context_is_bound_as_well(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	pfm_do_close(d);
	KUNIT_ASSERT_EQ(test, pfm_do_create(d, PFM_FL_SYSTEM_WIDE), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, DBR(0), RANGE), 0);
	KUNIT_ASSERT_EQ(test, pfm_ita_debug_thread_uses(), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_load(d), -EBUSY);
	pfm_ita_debug_thread_drops();
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_EXPECT_EQ(test, pfm_ita_debug_thread_uses(), -EBUSY);
}

/* The values that the last debugger left look like a range. */
/* covers: 5.6.2-1 */
static void a_debuggers_leftovers_are_no_range(struct kunit *test)
{
	struct pfm_driver *d = test->priv;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		d->model.ibr[i] = RANGE + i;
		d->model.dbr[i] = RANGE + i;
	}
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, EVENT | USER), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, IBR(2), 0x4000), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	for (i = 0; i < 8; i++) {
		KUNIT_EXPECT_EQ(test, d->model.ibr[i], i == 2 ? 0x4000ULL : 0ULL);
		KUNIT_EXPECT_EQ(test, d->model.dbr[i], 0ULL);
	}
}

/* covers: 5.6.2-1 */
static void a_restriction_without_ranges_is_bound_as_well(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 14, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_ita_debug_thread_uses(), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_load(d), -EBUSY);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 14, 0x2492), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_load(d), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_pmc(d, 0, 13, BIT_ULL(45)), -EBUSY);
	pfm_ita_debug_thread_drops();
	d->model.dbr[0] = RANGE;
	KUNIT_EXPECT_EQ(test, pfm_do_pmc(d, 0, 13, BIT_ULL(45)), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_start(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.dbr[0], 0ULL);
}

static struct kunit_case debug_cases[] = {
	KUNIT_CASE(pmcs_from_256_on_are_the_debug_registers),
	KUNIT_CASE(they_are_the_last_pmcs_and_no_pmds),
	KUNIT_CASE(without_range_restriction_they_are_not_there),
	KUNIT_CASE(values_reach_the_registers_as_they_are),
	KUNIT_CASE(they_take_no_flags),
	KUNIT_CASE(what_is_for_sampling_is_ignored),
	KUNIT_CASE(no_breakpoint_in_code_can_be_set),
	KUNIT_CASE(no_breakpoint_on_data_can_be_set),
	KUNIT_CASE(load_fails_while_any_thread_is_debugged),
	KUNIT_CASE(load_without_ranges_does_not_mind),
	KUNIT_CASE(a_loaded_context_cannot_write_them_meanwhile),
	KUNIT_CASE(no_thread_can_be_debugged_meanwhile),
	KUNIT_CASE(close_gives_them_back),
	KUNIT_CASE(a_system_wide_context_is_bound_as_well),
	KUNIT_CASE(a_debuggers_leftovers_are_no_range),
	KUNIT_CASE(a_restriction_without_ranges_is_bound_as_well),
	{ }
};

static struct kunit_suite debug_suite = {
	.name = "perfmon_itanium_debug",
	.init = debug_init,
	.exit = pfm_driver_exit,
	.test_cases = debug_cases,
};

kunit_test_suite(debug_suite);
