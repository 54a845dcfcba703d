// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the end of the kernel, on a model of a PMU. kexec keeps the registers: the
 * next kernel must find a PMU that does not count.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "../context.h"
#include "../cpu.h"
#include "../pmu.h"
#include "../preempt.h"
#include "../registers.h"
#include "../run.h"
#include "context.h"
#include "model.h"

static struct {
	u64	control;
	bool	cleared;
} model;

static void model_init_cpu(void)
{
	model.cleared = true;
}

static void model_prepare(struct pfm_regs *regs)
{
	regs->enable = regs->pmcs[0];
	regs->live_pmds = !!regs->enable;
}

static void model_start(const struct pfm_regs *regs)
{
	model.control = regs->enable;
}

static void model_stop(const struct pfm_regs *regs)
{
	model.control = 0;
}

static const struct pfm_pmu_ops model_ops = {
	.acquire	= pfm_model_acquire,
	.release	= pfm_model_nothing,
	.init_cpu	= model_init_cpu,
	.prepare	= model_prepare,
	.start		= model_start,
	.stop		= model_stop,
	.ack		= pfm_model_nothing,
	.write_pmc	= pfm_model_ignore,
	.write_pmd	= pfm_model_ignore,
	.read_pmd	= pfm_model_zero,
};

static const struct pfm_pmu model_pmu = PFM_MODEL(&model_ops);

static int preempt_test_init(struct kunit *test)
{
	memset(&model, 0, sizeof(model));
	return pfm_test_context_init(test, &model_pmu);
}

/* The context counts on this CPU, which is its own. */
static void count_here(struct kunit *test, struct pfm_context *ctx)
{
	unsigned long flags;

	local_irq_save(flags);
	__this_cpu_write(pfm_cpu.system_ctx, ctx);
	ctx->started = true;
	pfm_resume(ctx);
	model.cleared = false;
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, ctx->mode, PFM_COUNTING);
	KUNIT_EXPECT_EQ(test, model.control, 5ULL);
}

static void leave_here(struct pfm_context *ctx)
{
	unsigned long flags;

	local_irq_save(flags);
	ctx->started = false;
	pfm_pause(ctx);
	__this_cpu_write(pfm_cpu.system_ctx, NULL);
	local_irq_restore(flags);
	/* The kernel goes on. */
	pfm_suspended[PFM_YIELDS] = false;
	pfm_suspended[PFM_KEEPS] = false;
}

static void the_kernel_ends_without_a_context_that_counts(struct kunit *test)
{
	static const enum pfm_share shares[] = { PFM_KEEPS, PFM_YIELDS };
	struct pfm_test_context *s = test->priv;
	pfarg_pmc_t pmc = { .reg_value = 5 };
	unsigned int i;

	pfm_test_command(test, pfm_write_pmcs, &pmc);
	for (i = 0; i < ARRAY_SIZE(shares); i++) {
		s->ctx->share = shares[i];
		count_here(test, s->ctx);
		pfm_preempt_for_good();
		KUNIT_EXPECT_EQ(test, s->ctx->mode, PFM_BLIND);
		KUNIT_EXPECT_EQ(test, model.control, 0ULL);
		KUNIT_EXPECT_TRUE(test, model.cleared);
		/* Nor does it count afterwards. */
		KUNIT_EXPECT_TRUE(test, pfm_is_suspended(s->ctx));
		leave_here(s->ctx);
	}
	s->ctx->share = PFM_KEEPS;
}

static struct kunit_case preempt_cases[] = {
	KUNIT_CASE(the_kernel_ends_without_a_context_that_counts),
	{ }
};

static struct kunit_suite preempt_suite = {
	.name = "perfmon_preempt",
	.init = preempt_test_init,
	.exit = pfm_test_context_exit,
	.test_cases = preempt_cases,
};

kunit_test_suite(preempt_suite);
