// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the software PMU's counters, on any machine. Its clocks need a timer, which
 * a machine with another PMU does not set up.
 */
#include <linux/irqflags.h>
#include <linux/perfmon_pmu.h>
#include <uapi/perfmon_soft.h>
#include "../registers.h"
#include "../run.h"
#include "../soft.h"
#include "../stats.h"
#include "context.h"

#define BOTH	(PFM_SOFT_ENABLE | PFM_SOFT_USER | PFM_SOFT_KERNEL)

static int soft_test_init(struct kunit *test)
{
	return pfm_test_context_init(test, &pfm_soft_pmu);
}

/* The counters that count at user level, and at bit 32 those that count at kernel level. */
static u64 enabled(unsigned int first, u64 value, unsigned int second, u64 more, u64 *live)
{
	u64 pmcs[PFM_SOFT_NUM] = { [0] = BOTH };
	struct pfm_regs regs = { .pmcs = pmcs };

	pmcs[first] = value;
	pmcs[second] = more;
	pfm_bv_set(regs.used_pmcs, first);
	pfm_bv_set(regs.used_pmcs, second);
	pfm_soft_pmu.ops->prepare(&regs);
	*live = regs.live_pmds;
	return regs.enable;
}

static void a_counter_counts_at_the_levels_that_are_set(struct kunit *test)
{
	static const u64 user = PFM_SOFT_ENABLE | PFM_SOFT_USER;
	static const u64 kernel = PFM_SOFT_ENABLE | PFM_SOFT_KERNEL;
	u64 live;

	KUNIT_EXPECT_EQ(test, enabled(1, user, 2, kernel, &live), 0x400000002ULL);
	KUNIT_EXPECT_EQ(test, live, 6ULL);
	KUNIT_EXPECT_EQ(test, enabled(1, kernel, 2, user, &live), 0x200000004ULL);
	KUNIT_EXPECT_EQ(test, live, 6ULL);
	KUNIT_EXPECT_EQ(test, enabled(1, BOTH, 2, BOTH, &live), 0x600000006ULL);
	KUNIT_EXPECT_EQ(test, live, 6ULL);
	KUNIT_EXPECT_EQ(test, enabled(1, PFM_SOFT_ENABLE, 2, user, &live), 4ULL);
	KUNIT_EXPECT_EQ(test, live, 4ULL);
	/* Levels alone enable nothing. */
	KUNIT_EXPECT_EQ(test, enabled(1, BOTH & ~PFM_SOFT_ENABLE, 2, 0, &live), 0ULL);
	KUNIT_EXPECT_EQ(test, live, 0ULL);
}

static void an_event_without_levels_counts_at_both(struct kunit *test)
{
	const u64 bit = BIT_ULL(PFM_SOFT_CTX_SWITCHES);
	u64 live;

	KUNIT_EXPECT_EQ(test, enabled(PFM_SOFT_CTX_SWITCHES, PFM_SOFT_ENABLE, 1, 0, &live),
			bit | bit << 32);
	KUNIT_EXPECT_EQ(test, live, bit);
	KUNIT_EXPECT_EQ(test, enabled(PFM_SOFT_CTX_SWITCHES, 0, 1, 0, &live), 0ULL);
}

static void program(struct kunit *test, unsigned int i, u64 levels, u64 value)
{
	pfarg_pmc_t pmc = { .reg_num = i, .reg_value = PFM_SOFT_ENABLE | levels };
	pfarg_pmd_t pmd = { .reg_num = i, .reg_value = value };

	pfm_test_command(test, pfm_write_pmcs, &pmc);
	pfm_test_command(test, pfm_write_pmds, &pmd);
}

static u64 value_of(struct pfm_context *ctx, unsigned int i)
{
	return pfm_pmd_of(ctx->set, i)->value;
}

static void many_events_stop_at_the_first_overflow(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;
	struct pfm_context *ctx = s->ctx;
	u64 interrupts = pfm_stats_sum(offsetof(struct pfm_stats, interrupts));

#define INTERRUPTS	(pfm_stats_sum(offsetof(struct pfm_stats, interrupts)) - interrupts)
	program(test, 0, PFM_SOFT_USER, -10);
	program(test, 1, PFM_SOFT_USER, 100);
	program(test, 2, PFM_SOFT_KERNEL, -3);
	program(test, PFM_SOFT_CTX_SWITCHES, 0, 7);
	local_irq_disable();
	ctx->started = true;
	pfm_resume(ctx);
	/* Of 50 events at user level, counter 0 overflows at the tenth. */
	KUNIT_EXPECT_EQ(test, pfm_soft_count_many(PFM_SOFT_TESTS, 1, true, NULL), 1ULL);
	KUNIT_EXPECT_EQ(test, INTERRUPTS, 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_soft_count_many(PFM_SOFT_TESTS, 50, true, NULL), 9ULL);
	KUNIT_EXPECT_EQ(test, INTERRUPTS, 1ULL);
	KUNIT_EXPECT_EQ(test, pfm_soft_count_many(PFM_SOFT_TESTS, 41, true, NULL), 41ULL);
	KUNIT_EXPECT_EQ(test, INTERRUPTS, 1ULL);
	KUNIT_EXPECT_EQ(test, pfm_soft_count_many(PFM_SOFT_TESTS, 5, false, NULL), 3ULL);
	KUNIT_EXPECT_EQ(test, INTERRUPTS, 2ULL);
	pfm_pause(ctx);
	KUNIT_EXPECT_EQ(test, value_of(ctx, 0), 41ULL);
	KUNIT_EXPECT_EQ(test, value_of(ctx, 1), 151ULL);
	KUNIT_EXPECT_EQ(test, value_of(ctx, 2), 0ULL);
	KUNIT_EXPECT_EQ(test, value_of(ctx, PFM_SOFT_CTX_SWITCHES), 7ULL);
	/* Stopped, no counter counts or holds the others up. */
	KUNIT_EXPECT_EQ(test, pfm_soft_count_many(PFM_SOFT_TESTS, 1000, true, NULL), 1000ULL);
	KUNIT_EXPECT_EQ(test, INTERRUPTS, 2ULL);
	pfm_resume(ctx);
	pfm_pause(ctx);
	KUNIT_EXPECT_EQ(test, value_of(ctx, 0), 41ULL);
	ctx->started = false;
	local_irq_enable();
#undef INTERRUPTS
}

static struct kunit_case soft_cases[] = {
	KUNIT_CASE(a_counter_counts_at_the_levels_that_are_set),
	KUNIT_CASE(an_event_without_levels_counts_at_both),
	KUNIT_CASE(many_events_stop_at_the_first_overflow),
	{ }
};

static struct kunit_suite soft_suite = {
	.name = "perfmon_soft",
	.init = soft_test_init,
	.exit = pfm_test_context_exit,
	.test_cases = soft_cases,
};

kunit_test_suite(soft_suite);
