// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the registers of a context, on a PMU that has one of each kind: a
 * counter with two control registers, both of which select kernel level, a bare
 * control register, and a data register that is no counter, half of which is reserved.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/string.h>
#include "../attach.h"
#include "../call.h"
#include "../cpu.h"
#include "../event_set.h"
#include "../evtset_cmds.h"
#include "../pmu.h"
#include "../registers.h"
#include "../set_list.h"
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
			      .reg_smpl_pmds = { BIT_ULL(BUFFER) },
			      .reg_reset_pmds = { BIT_ULL(BUFFER) }, .reg_smpl_eventid = 8 };
	pfarg_pmc_t second = { .reg_num = 1, .reg_flags = PFM_REGFL_RANDOM,
			       .reg_reset_pmds = { BIT_ULL(COUNTER) }, .reg_smpl_eventid = 7 };
	const struct pfm_request *request = pfm_counter_request(set_of(test), COUNTER);

	first.reg_smpl_pmds[PFM_PMD_CPU / 64] = BIT_ULL(PFM_PMD_CPU % 64);
	pfm_test_command(test, pfm_write_pmcs, &first);
	pfm_test_command(test, pfm_write_pmcs, &second);
	KUNIT_EXPECT_EQ(test, request->flags, PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM);
	KUNIT_EXPECT_EQ(test, request->smpl_pmds, BIT_ULL(BUFFER));
	KUNIT_EXPECT_EQ(test, request->smpl_virtual, BIT(PFM_PMD_CPU - PFM_VIRTUAL_PMD));
	KUNIT_EXPECT_EQ(test, request->smpl_count, 2);
	KUNIT_EXPECT_EQ(test, request->reset_pmds, BIT_ULL(COUNTER) | BIT_ULL(BUFFER));
	KUNIT_EXPECT_EQ(test, request->eventid, 15ULL);
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

static void a_register_that_is_no_counter_has_no_request(struct kunit *test)
{
	struct pfm_request *none = NULL;
	pfarg_pmd_t req = { .reg_num = BUFFER, .reg_value = 5, .reg_ovflsw_thres = 3,
			    .reg_long_reset = 7 };

	KUNIT_EXPECT_PTR_EQ(test, pfm_counter_request(set_of(test), BUFFER), none);
	pfm_test_command(test, pfm_write_pmds, &req);
	/* Nor has it overflows that are left, in a set that is left after some. */
	set_of(test)->flags = PFM_SETFL_OVFL_SWITCH;
	set_of(test)->trigger_pmds = BIT_ULL(COUNTER);
	req.reg_flags = PFM_REGFL_READ_RESET;
	pfm_test_command(test, pfm_read_pmds, &req);
	KUNIT_EXPECT_EQ(test, req.reg_value, BUFFER_DEFAULT | 5);
	KUNIT_EXPECT_EQ(test, req.reg_ovflsw_thres, 0ULL);
	req.reg_flags = 0;
	pfm_test_command(test, pfm_read_pmds, &req);
	KUNIT_EXPECT_EQ(test, req.reg_value, BUFFER_DEFAULT | 7);
	set_of(test)->flags = 0;
	set_of(test)->trigger_pmds = 0;
}

/* Commands set the members that they return, whatever is there before. */
static void an_answer_has_nothing_of_the_question(struct kunit *test)
{
	pfarg_pmd_t pmd = { .reg_num = PFM_PMD_CPU, .reg_flags = PFM_REG_RETFL_MASK };
	pfarg_pmcinfo_t info = { .reg_flags = PFM_REG_RETFL_MASK };

	pmd.reg_last_reset_val = 99;
	pmd.reg_ovflsw_thres = 99;
	pmd.reg_pad = 99;
	pfm_test_command(test, pfm_read_pmds, &pmd);
	KUNIT_EXPECT_EQ(test, pmd.reg_flags, 0U);
	KUNIT_EXPECT_EQ(test, pmd.reg_last_reset_val, 0ULL);
	KUNIT_EXPECT_EQ(test, pmd.reg_ovflsw_thres, 0ULL);
	KUNIT_EXPECT_EQ(test, pmd.reg_pad, 0);
	pmd.reg_num = COUNTER;
	pmd.reg_flags = PFM_REG_RETFL_MASK;
	pmd.reg_ovflsw_thres = 99;
	pmd.reg_pad = 99;
	pfm_test_command(test, pfm_read_pmds, &pmd);
	KUNIT_EXPECT_EQ(test, pmd.reg_flags, 0U);
	KUNIT_EXPECT_EQ(test, pmd.reg_ovflsw_thres, 0ULL);
	KUNIT_EXPECT_EQ(test, pmd.reg_pad, 0);
	pfm_test_command(test, pfm_getinfo_pmcs, &info);
	KUNIT_EXPECT_EQ(test, info.reg_flags, 0U);
}

static u32 refused(struct kunit *test, int (*handler)(struct pfm_call *call), void *args,
		   const u32 *flags)
{
	struct pfm_test_context *s = test->priv;
	struct pfm_call call = { .ctx = s->ctx, .args = args, .n = 1 };

	mutex_lock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, handler(&call), -EINVAL);
	mutex_unlock(&s->ctx->lock);
	return *flags;
}

static void a_refusal_gives_its_own_reason(struct kunit *test)
{
	pfarg_pmcinfo_t info = { .reg_num = 3, .reg_flags = PFM_REG_RETFL_MASK };
	/* Of a set of registers, 64 would be the first one once more. */
	pfarg_pmd_t pmd = { .reg_num = PFM_MAX_HW_PMDS, .reg_flags = PFM_REG_RETFL_MASK };

	KUNIT_EXPECT_EQ(test, refused(test, pfm_getinfo_pmcs, &info, &info.reg_flags),
			PFM_REG_RETFL_EINVAL);
	info.reg_num = 0;
	info.reg_flags = PFM_REG_RETFL_NOTAVAIL | 1;
	KUNIT_EXPECT_EQ(test, refused(test, pfm_getinfo_pmcs, &info, &info.reg_flags),
			PFM_REG_RETFL_EINVAL | 1);
	KUNIT_EXPECT_EQ(test, refused(test, pfm_read_pmds, &pmd, &pmd.reg_flags),
			PFM_REG_RETFL_NOTAVAIL);
	pmd.reg_num = model_pmu.num_pmds;
	KUNIT_EXPECT_EQ(test, refused(test, pfm_write_pmds, &pmd, &pmd.reg_flags),
			PFM_REG_RETFL_NOTAVAIL);
	pmd.reg_num = PFM_VIRTUAL_PMD + PFM_NUM_VIRTUAL_PMDS;
	KUNIT_EXPECT_EQ(test, refused(test, pfm_read_pmds, &pmd, &pmd.reg_flags),
			PFM_REG_RETFL_NOTAVAIL);
}

static int write_with(struct kunit *test, bool reset, unsigned int pmd)
{
	struct pfm_test_context *s = test->priv;
	pfarg_pmc_t pmc = { };
	struct pfm_call call = { .ctx = s->ctx, .args = &pmc, .n = 1 };
	int err;

	pfm_bv_set(reset ? pmc.reg_reset_pmds : pmc.reg_smpl_pmds, pmd);
	mutex_lock(&s->ctx->lock);
	err = pfm_write_pmcs(&call);
	mutex_unlock(&s->ctx->lock);
	return err;
}

static void a_request_names_the_registers_that_exist(struct kunit *test)
{
	const unsigned int last = PFM_VIRTUAL_PMD + PFM_NUM_VIRTUAL_PMDS - 1;
	unsigned int i, reset;

	for (reset = 0; reset < 2; reset++) {
		KUNIT_EXPECT_EQ(test, write_with(test, reset, COUNTER), 0);
		KUNIT_EXPECT_EQ(test, write_with(test, reset, BUFFER), 0);
		KUNIT_EXPECT_EQ(test, write_with(test, reset, PFM_VIRTUAL_PMD), 0);
		KUNIT_EXPECT_EQ(test, write_with(test, reset, last), 0);
		/* All others, among them those next to these, and one in each word */
		for (i = BUFFER + 1; i < PFM_VIRTUAL_PMD; i++)
			KUNIT_EXPECT_EQ_MSG(test, write_with(test, reset, i), -EINVAL, "%u", i);
		for (i = last + 1; i < 64 * PFM_MAX_PMD_BITVECTOR; i++)
			KUNIT_EXPECT_EQ_MSG(test, write_with(test, reset, i), -EINVAL, "%u", i);
	}
}

/* The vector is followed by an element of set @behind, which does not belong to it. */
static void write_two_sets(struct kunit *test, u16 first, u16 second, u16 behind)
{
	struct pfm_test_context *s = test->priv;
	pfarg_pmc_t req[3] = { { .reg_set = first, .reg_value = KERNEL_LEVEL },
			       { .reg_set = second, .reg_value = KERNEL_LEVEL },
			       { .reg_set = behind } };
	struct pfm_call call = { .ctx = s->ctx, .args = req, .n = 2 };

	mutex_lock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, pfm_write_pmcs(&call), 0);
	KUNIT_EXPECT_TRUE(test, pfm_set_find(s->ctx, first)->kernel);
	KUNIT_EXPECT_TRUE(test, pfm_set_find(s->ctx, second)->kernel);
	mutex_unlock(&s->ctx->lock);
}

static void each_set_of_a_vector_changes(struct kunit *test)
{
	static const u16 orders[][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 0, 0 } };
	pfarg_setdesc_t second = { .set_id = 1 };
	struct pfm_test_context *s = test->priv;
	unsigned int i;
	u16 behind;

	pfm_test_command(test, pfm_create_evtsets, &second);
	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		for (behind = 0; behind < 2; behind++) {
			mutex_lock(&s->ctx->lock);
			pfm_set_find(s->ctx, 0)->kernel = false;
			pfm_set_find(s->ctx, 1)->kernel = false;
			mutex_unlock(&s->ctx->lock);
			write_two_sets(test, orders[i][0], orders[i][1], behind);
		}
	}
}

static void a_vector_may_be_long(struct kunit *test)
{
	const unsigned int n = 100;
	struct pfm_test_context *s = test->priv;
	pfarg_pmd_t *req = kunit_kcalloc(test, n, sizeof(*req), GFP_KERNEL);
	struct pfm_call call = { .ctx = s->ctx, .args = req, .n = n };
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, req);
	for (i = 0; i < n; i++)
		req[i].reg_value = i;
	mutex_lock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, pfm_write_pmds(&call), 0);
	KUNIT_EXPECT_EQ(test, call.done, n);
	KUNIT_EXPECT_EQ(test, pfm_read_pmds(&call), 0);
	mutex_unlock(&s->ctx->lock);
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ(test, req[i].reg_value, (u64)n - 1);
}

/* After the check of its first PMC, another thread may unload the context, or write it first. */
static void a_context_whose_need_is_over_gets_no_pmu(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	s->ctx->share = PFM_IDLE;
	KUNIT_EXPECT_EQ(test, pfm_use_pmu(s->ctx), 0);
	KUNIT_EXPECT_EQ(test, s->ctx->share, PFM_IDLE);
	s->ctx->share = PFM_KEEPS;
	s->ctx->state = PFM_LOADED;
	KUNIT_EXPECT_EQ(test, pfm_use_pmu(s->ctx), 0);
	s->ctx->state = PFM_UNLOADED;
	KUNIT_EXPECT_FALSE(test, pfm_pmu_held);
}

static struct kunit_case registers_cases[] = {
	KUNIT_CASE(a_register_behind_the_table_does_not_exist),
	KUNIT_CASE(reserved_bits_of_a_pmd_that_is_no_counter_keep_their_default),
	KUNIT_CASE(a_pmd_that_is_no_counter_is_no_trigger),
	KUNIT_CASE(one_pmc_of_several_makes_a_set_one_of_kernel_level),
	KUNIT_CASE(a_counter_asks_for_what_any_of_its_pmcs_does),
	KUNIT_CASE(a_bare_pmc_takes_no_flag_except_an_answers),
	KUNIT_CASE(a_register_that_is_no_counter_has_no_request),
	KUNIT_CASE(an_answer_has_nothing_of_the_question),
	KUNIT_CASE(a_refusal_gives_its_own_reason),
	KUNIT_CASE(a_request_names_the_registers_that_exist),
	KUNIT_CASE(each_set_of_a_vector_changes),
	KUNIT_CASE(a_vector_may_be_long),
	KUNIT_CASE(a_context_whose_need_is_over_gets_no_pmu),
	{ }
};

static struct kunit_suite registers_suite = {
	.name = "perfmon_registers",
	.init = registers_test_init,
	.exit = pfm_test_context_exit,
	.test_cases = registers_cases,
};

kunit_test_suite(registers_suite);
