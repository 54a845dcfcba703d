// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the registers of a context, on a PMU that has one of each kind: a
 * counter with two control registers, both of which select kernel level, a bare
 * control register, and a data register that is no counter, half of which is reserved.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/string.h>
#include "../call.h"
#include "../event_set.h"
#include "../pmu.h"
#include "../registers.h"
#include "context.h"

#define COUNTER		0
#define BUFFER		1
#define BARE		2
#define KERNEL_LEVEL	0x1ULL
#define BUFFER_DEFAULT	0xa500ULL
#define BUFFER_RSVD	0xff00ULL

/* Behind each table there is a register that does not belong to the PMU. */
static const struct pfm_reg_desc model_pmcs[] = {
	{ .name = "C0", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_CONTROL, .width = 32,
	  .addr = 0, .kernel_bits = KERNEL_LEVEL, .deps = { BIT_ULL(COUNTER) } },
	{ .name = "C1", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_CONTROL, .width = 32,
	  .addr = 1, .kernel_bits = KERNEL_LEVEL, .deps = { BIT_ULL(COUNTER) } },
	{ .name = "C2", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_CONTROL, .width = 32,
	  .addr = 2, .bare = true },
	{ .name = "C3", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_CONTROL, .width = 32,
	  .addr = 3 },
};

static const struct pfm_reg_desc model_pmds[] = {
	{ .name = "D0", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_COUNTER, .width = 40,
	  .write_width = 32, .addr = 10, .deps = { 3 } },
	{ .name = "D1", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_BUFFER, .width = 16,
	  .addr = 11, .def = BUFFER_DEFAULT, .rsvd = BUFFER_RSVD },
	{ .name = "D2", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_COUNTER, .width = 40,
	  .write_width = 32, .addr = 12 },
};

static struct pfm_pmu model_pmu = {
	.name = "model", .software = true, .counter_width = 40,
	.pmcs = model_pmcs, .num_pmcs = ARRAY_SIZE(model_pmcs) - 1,
	.pmds = model_pmds, .num_pmds = ARRAY_SIZE(model_pmds) - 1,
};

static int registers_test_init(struct kunit *test)
{
	/* The context is never loaded: the operations of any PMU will do. */
	model_pmu.ops = pfm_pmu->ops;
	return pfm_test_context_init(test, &model_pmu);
}

static struct pfm_event_set *set_of(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	return s->ctx->set0;
}

static u64 read_back(struct kunit *test, unsigned int pmd)
{
	pfarg_pmd_t req = { .reg_num = pmd };

	pfm_test_command(test, pfm_read_pmds, &req);
	return req.reg_value;
}

static void a_register_behind_the_table_does_not_exist(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, pfm_pmc_valid(model_pmu.num_pmcs - 1));
	KUNIT_EXPECT_FALSE(test, pfm_pmc_valid(model_pmu.num_pmcs));
	KUNIT_EXPECT_TRUE(test, pfm_pmd_valid(model_pmu.num_pmds - 1));
	KUNIT_EXPECT_FALSE(test, pfm_pmd_valid(model_pmu.num_pmds));
	KUNIT_EXPECT_EQ(test, pfm_hw_pmds, BIT_ULL(model_pmu.num_pmds) - 1);
	KUNIT_EXPECT_EQ(test, pfm_pmd_count(), model_pmu.num_pmds + PFM_NUM_VIRTUAL_PMDS);
}

/* covers: 3.1.14-13 3.1.14-14 */
static void reserved_bits_of_a_pmd_that_is_no_counter_keep_their_default(struct kunit *test)
{
	pfarg_pmd_t req = { .reg_num = BUFFER };

	KUNIT_EXPECT_EQ(test, read_back(test, BUFFER), BUFFER_DEFAULT);
	req.reg_value = ~0ULL;
	pfm_test_command(test, pfm_write_pmds, &req);
	KUNIT_EXPECT_EQ(test, read_back(test, BUFFER), BUFFER_DEFAULT | 0xff);
	req.reg_value = 0;
	pfm_test_command(test, pfm_write_pmds, &req);
	KUNIT_EXPECT_EQ(test, read_back(test, BUFFER), BUFFER_DEFAULT);
	/* A counter has 64 bits. */
	req.reg_num = COUNTER;
	req.reg_value = 0x123456789abcdef0ULL;
	pfm_test_command(test, pfm_write_pmds, &req);
	KUNIT_EXPECT_EQ(test, read_back(test, COUNTER), 0x123456789abcdef0ULL);
}

/* covers: 3.1.4-14 */
static void a_pmd_that_is_no_counter_is_no_trigger(struct kunit *test)
{
	pfarg_pmd_t req = { .reg_num = BUFFER, .reg_ovflsw_thres = 3 };

	pfm_test_command(test, pfm_write_pmds, &req);
	KUNIT_EXPECT_EQ(test, set_of(test)->trigger_pmds, 0ULL);
	req.reg_num = COUNTER;
	pfm_test_command(test, pfm_write_pmds, &req);
	KUNIT_EXPECT_EQ(test, set_of(test)->trigger_pmds, BIT_ULL(COUNTER));
	req.reg_ovflsw_thres = 0;
	pfm_test_command(test, pfm_write_pmds, &req);
	KUNIT_EXPECT_EQ(test, set_of(test)->trigger_pmds, 0ULL);
}

static void write_both_pmcs(struct kunit *test, u64 first, u64 second)
{
	struct pfm_test_context *s = test->priv;
	pfarg_pmc_t req[] = { { .reg_num = 0, .reg_value = first },
			      { .reg_num = 1, .reg_value = second } };
	struct pfm_call call = { .ctx = s->ctx, .args = req, .n = 2 };

	mutex_lock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, pfm_write_pmcs(&call), 0);
	mutex_unlock(&s->ctx->lock);
}

static void one_pmc_of_several_makes_a_set_one_of_kernel_level(struct kunit *test)
{
	write_both_pmcs(test, 0, 0);
	KUNIT_EXPECT_FALSE(test, set_of(test)->kernel);
	write_both_pmcs(test, KERNEL_LEVEL, 0);
	KUNIT_EXPECT_TRUE(test, set_of(test)->kernel);
	write_both_pmcs(test, 0, KERNEL_LEVEL);
	KUNIT_EXPECT_TRUE(test, set_of(test)->kernel);
	write_both_pmcs(test, KERNEL_LEVEL, KERNEL_LEVEL);
	KUNIT_EXPECT_TRUE(test, set_of(test)->kernel);
	write_both_pmcs(test, 0, 0);
	KUNIT_EXPECT_FALSE(test, set_of(test)->kernel);
}

static void a_counter_asks_for_what_any_of_its_pmcs_does(struct kunit *test)
{
	pfarg_pmc_t first = { .reg_num = 0, .reg_flags = PFM_REGFL_OVFL_NOTIFY,
			      .reg_smpl_pmds = { BIT_ULL(BUFFER) } };
	pfarg_pmc_t second = { .reg_num = 1, .reg_flags = PFM_REGFL_RANDOM,
			       .reg_reset_pmds = { BIT_ULL(COUNTER) }, .reg_smpl_eventid = 7 };
	const struct pfm_request *request = pfm_counter_request(set_of(test), COUNTER);

	pfm_test_command(test, pfm_write_pmcs, &first);
	pfm_test_command(test, pfm_write_pmcs, &second);
	KUNIT_EXPECT_EQ(test, request->flags, PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM);
	KUNIT_EXPECT_EQ(test, request->smpl_pmds, BIT_ULL(BUFFER));
	KUNIT_EXPECT_EQ(test, request->smpl_count, 1);
	KUNIT_EXPECT_EQ(test, request->reset_pmds, BIT_ULL(COUNTER));
	KUNIT_EXPECT_EQ(test, request->eventid, 7ULL);
	KUNIT_EXPECT_EQ(test, set_of(test)->notify_pmds, BIT_ULL(COUNTER));
	KUNIT_EXPECT_EQ(test, set_of(test)->random_pmds, BIT_ULL(COUNTER));
	/* A request that one PMC drops goes, and no other. */
	first.reg_flags = 0;
	pfm_test_command(test, pfm_write_pmcs, &first);
	KUNIT_EXPECT_EQ(test, set_of(test)->notify_pmds, 0ULL);
	KUNIT_EXPECT_EQ(test, set_of(test)->random_pmds, BIT_ULL(COUNTER));
}

static void a_bare_pmc_takes_no_flag_except_an_answers(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;
	pfarg_pmc_t req = { .reg_num = BARE, .reg_flags = PFM_REG_RETFL_MASK };
	struct pfm_call call = { .ctx = s->ctx, .args = &req, .n = 1 };

	pfm_test_command(test, pfm_write_pmcs, &req);
	KUNIT_EXPECT_EQ(test, req.reg_flags, 0);
	req.reg_flags = PFM_REGFL_RANDOM;
	mutex_lock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, pfm_write_pmcs(&call), -EINVAL);
	mutex_unlock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, req.reg_flags, PFM_REGFL_RANDOM | PFM_REG_RETFL_EINVAL);
}

static struct kunit_case registers_cases[] = {
	KUNIT_CASE(a_register_behind_the_table_does_not_exist),
	KUNIT_CASE(reserved_bits_of_a_pmd_that_is_no_counter_keep_their_default),
	KUNIT_CASE(a_pmd_that_is_no_counter_is_no_trigger),
	KUNIT_CASE(one_pmc_of_several_makes_a_set_one_of_kernel_level),
	KUNIT_CASE(a_counter_asks_for_what_any_of_its_pmcs_does),
	KUNIT_CASE(a_bare_pmc_takes_no_flag_except_an_answers),
	{ }
};

static struct kunit_suite registers_suite = {
	.name = "perfmon_registers",
	.init = registers_test_init,
	.exit = pfm_test_context_exit,
	.test_cases = registers_cases,
};

kunit_test_suite(registers_suite);
