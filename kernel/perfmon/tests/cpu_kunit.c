// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of how a context comes onto a CPU, on a model of a PMU whose interrupt
 * arrives in the middle of that.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/sched/clock.h>
#include "../call.h"
#include "../context.h"
#include "../cpu.h"
#include "../evtset_cmds.h"
#include "../pmu.h"
#include "../refs.h"
#include "../registers.h"
#include "../run.h"
#include "../set_list.h"
#include "../stats.h"
#include "context.h"
#include "model.h"

static struct {
	u64	control;
	u64	counter;
	bool	hit;	/* a late interrupt comes, and the counter overflows right after it */
	bool	seen;	/* while it stopped: an interrupt can have come from it */
	unsigned int acks;
} model;

static void model_ack(void)
{
	model.acks++;
}

static void model_prepare(struct pfm_regs *regs)
{
	regs->enable = regs->pmcs[0];
	regs->live_pmds = !!regs->enable;
}

static void model_start(const struct pfm_regs *regs)
{
	if (model.hit) {
		model.hit = false;
		pfm_pmu_interrupt(NULL);
		model.counter = 0;
		pfm_pmu_interrupt(NULL);
	}
	model.control = regs->enable;
}

static void model_stop(const struct pfm_regs *regs)
{
	model.control = 0;
	model.seen = pfm_pmu_overflowed();
}

static void model_write_pmc(unsigned int pmc, u64 value)
{
}

static void model_write_pmd(unsigned int pmd, u64 value)
{
	model.counter = value;
}

static u64 model_read_pmd(unsigned int pmd)
{
	return model.counter;
}

static const struct pfm_pmu_ops model_ops = {
	.acquire	= pfm_model_acquire,
	.release	= pfm_model_nothing,
	.init_cpu	= pfm_model_nothing,
	.prepare	= model_prepare,
	.start		= model_start,
	.stop		= model_stop,
	.ack		= model_ack,
	.write_pmc	= model_write_pmc,
	.write_pmd	= model_write_pmd,
	.read_pmd	= model_read_pmd,
};

static const struct pfm_pmu model_pmu = PFM_MODEL(&model_ops);

static int cpu_test_init(struct kunit *test)
{
	memset(&model, 0, sizeof(model));
	return pfm_test_context_init(test, &model_pmu);
}

/* In that set count @what, and overflow at the next event. */
static void program(struct kunit *test, u16 set, u64 what, u32 flags, u64 threshold)
{
	pfarg_pmc_t pmc = { .reg_set = set, .reg_value = what, .reg_flags = flags };
	pfarg_pmd_t pmd = {
		.reg_set = set, .reg_value = -1, .reg_ovflsw_thres = threshold,
	};

	pfm_test_command(test, pfm_write_pmcs, &pmc);
	pfm_test_command(test, pfm_write_pmds, &pmd);
}

/* True if a context counted here at the end. */
static bool come_in_with_a_late_interrupt(struct pfm_context *ctx)
{
	unsigned long flags;
	bool counts;

	local_irq_save(flags);
	ctx->started = true;
	model.hit = true;
	pfm_cpu_in(ctx);
	counts = __this_cpu_read(pfm_cpu.ctx);
	if (counts)
		pfm_cpu_out(ctx);
	ctx->started = false;
	local_irq_restore(flags);
	return counts;
}

static void an_interrupt_may_hit_until_the_values_are_in_software(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;
	unsigned long flags;

	program(test, 0, 5, 0, 0);
	pfm_pmd_of(s->ctx->set, 0)->value = 0;
	KUNIT_EXPECT_TRUE(test, s->ctx->set->dirty);
	local_irq_save(flags);
	__this_cpu_write(pfm_cpu.wrapped, jiffies - HZ);
	s->ctx->started = true;
	pfm_cpu_in(s->ctx);
	KUNIT_EXPECT_FALSE(test, pfm_pmu_overflowed());
	KUNIT_EXPECT_EQ(test, pfm_pmu_enabled(), 5ULL);
	pfm_cpu_out(s->ctx);
	KUNIT_EXPECT_EQ(test, pfm_pmu_enabled(), 0ULL);
	KUNIT_EXPECT_TRUE(test, model.seen);
	KUNIT_EXPECT_FALSE(test, pfm_pmu_overflowed());
	s->ctx->started = false;
	local_irq_restore(flags);
	/* The next time no register has to be loaded. */
	KUNIT_EXPECT_FALSE(test, s->ctx->set->dirty);
}

/* A PMU without steps stands still on a throttled CPU. */
static void time_that_was_not_counted_is_in_the_ledger(struct kunit *test)
{
	u64 began, took, throttles = pfm_stats_sum(offsetof(struct pfm_stats, throttles));
	struct pfm_test_context *s = test->priv;
	struct pfm_context *ctx = s->ctx;
	unsigned long flags;
	int i;

	program(test, 0, 5, 0, 0);
	mutex_lock(&ctx->lock);
	KUNIT_EXPECT_EQ(test, pfm_sets_chain(ctx), 0);
	mutex_unlock(&ctx->lock);
	local_irq_save(flags);
	began = local_clock();
	__this_cpu_write(pfm_cpu.throttled_until, began + NSEC_PER_SEC);
	ctx->started = true;
	for (i = 0; i < 2; i++) {
		pfm_resume(ctx);
		KUNIT_EXPECT_TRUE(test, ctx->throttled);
		ctx->set->regs.needs_pmi = true;
		ndelay(2000);
		pfm_pause(ctx);
	}
	took = local_clock() - began;
	ctx->started = false;
	__this_cpu_write(pfm_cpu.throttled_until, 0);
	local_irq_restore(flags);
	KUNIT_EXPECT_GE(test, ctx->ledger.masked_ns, 4000ULL);
	KUNIT_EXPECT_LE(test, ctx->ledger.masked_ns, took);
	/* The tool is notified once. */
	KUNIT_EXPECT_EQ(test, pfm_stats_sum(offsetof(struct pfm_stats, throttles)), throttles + 1);
}

static void an_interrupt_that_masks_has_the_last_word(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	program(test, 0, 5, PFM_REGFL_OVFL_NOTIFY, 0);
	KUNIT_EXPECT_FALSE(test, come_in_with_a_late_interrupt(s->ctx));
	KUNIT_EXPECT_FALSE(test, model.hit);
	KUNIT_EXPECT_TRUE(test, s->ctx->masked);
	KUNIT_EXPECT_EQ(test, model.control, 0ULL);
}

static u64 seen_control;

/* The value that counts when the context has come in, before it goes out again. */
static void seen_stop(const struct pfm_regs *regs)
{
	seen_control = model.control;
	model_stop(regs);
}

static void an_interrupt_that_switches_sets_has_the_last_word(struct kunit *test)
{
	pfarg_setdesc_t first = { .set_flags = PFM_SETFL_OVFL_SWITCH }, second = { .set_id = 1 };
	struct pfm_test_context *s = test->priv;

	pfm_test_command(test, pfm_create_evtsets, &first);
	pfm_test_command(test, pfm_create_evtsets, &second);
	program(test, 0, 5, 0, 1);
	program(test, 1, 6, 0, 0);
	mutex_lock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, pfm_sets_chain(s->ctx), 0);
	mutex_unlock(&s->ctx->lock);
	static_call_update(pfm_pmu_stop, seen_stop);
	KUNIT_EXPECT_TRUE(test, come_in_with_a_late_interrupt(s->ctx));
	KUNIT_EXPECT_EQ(test, s->ctx->set->id, (u16)1);
	KUNIT_EXPECT_EQ(test, seen_control, 6ULL);
}

/* An interrupt comes without a session, @after jiffies after a counter wrapped. */
static bool claim_interrupt(unsigned long after)
{
	unsigned long flags;
	bool claimed;

	local_irq_save(flags);
	__this_cpu_write(pfm_cpu.wrapped, jiffies - after);
	claimed = pfm_pmu_interrupt(NULL);
	local_irq_restore(flags);
	return claimed;
}

static void an_interrupt_after_the_last_session_is_claimed_for_a_moment(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, claim_interrupt(0));
	KUNIT_EXPECT_FALSE(test, claim_interrupt(HZ));
	/* Another user of the PMU may have the registers. */
	KUNIT_EXPECT_EQ(test, model.acks, 0U);
}

static void an_interrupt_after_the_hand_over_is_not_claimed(struct kunit *test)
{
	unsigned long flags;

	pfm_cpu_new_epoch();
	local_irq_save(flags);
	__this_cpu_write(pfm_cpu.epoch, 1);
	__this_cpu_write(pfm_cpu.wrapped, jiffies);
	local_irq_restore(flags);
	pfm_pmu_hand_over();
	KUNIT_EXPECT_FALSE(test, pfm_pmu_interrupt(NULL));
	KUNIT_EXPECT_EQ(test, __this_cpu_read(pfm_cpu.epoch), 0ULL);
}

/* The hooks of a CPU find a context until it has left the CPU: its last reference may be gone. */
static void a_context_that_is_being_freed_is_not_found(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;
	struct pfm_context *dying = kunit_kzalloc(test, sizeof(*dying), GFP_KERNEL);
	struct pfm_context *none = NULL;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dying);
	KUNIT_EXPECT_PTR_EQ(test, pfm_context_get(&none), none);
	KUNIT_EXPECT_PTR_EQ(test, pfm_context_get(&dying), none);
	KUNIT_EXPECT_PTR_EQ(test, pfm_context_get(&s->ctx), s->ctx);
	pfm_context_put(s->ctx);
}

static struct kunit_case cpu_cases[] = {
	KUNIT_CASE(an_interrupt_after_the_last_session_is_claimed_for_a_moment),
	KUNIT_CASE(an_interrupt_after_the_hand_over_is_not_claimed),
	KUNIT_CASE(an_interrupt_may_hit_until_the_values_are_in_software),
	KUNIT_CASE(time_that_was_not_counted_is_in_the_ledger),
	KUNIT_CASE(an_interrupt_that_masks_has_the_last_word),
	KUNIT_CASE(an_interrupt_that_switches_sets_has_the_last_word),
	KUNIT_CASE(a_context_that_is_being_freed_is_not_found),
	{ }
};

static struct kunit_suite cpu_suite = {
	.name = "perfmon_cpu",
	.init = cpu_test_init,
	.exit = pfm_test_context_exit,
	.test_cases = cpu_cases,
};

kunit_test_suite(cpu_suite);
