// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of features that only some PMUs have, on a model that has them, as the
 * Itanium: flags of its own, and threads that read the registers themselves.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/fdtable.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "../attach.h"
#include "../call.h"
#include "../context.h"
#include "../control.h"
#include "../evtset_cmds.h"
#include "../pmu.h"
#include "context.h"
#include "model.h"

/* Flags from those that architectures define. */
#define MODEL_SETFL		0x20000
#define MODEL_SETFL_NONE	0x40000

static struct {
	enum pfm_thread_event	events[8];
	unsigned int		count;
	struct task_struct	*task;
	u32			set_flags;	/* of the latest check */
} model;

static int model_check_context(u32 ctx_flags)
{
	return 0;
}

static int model_check_set(u32 ctx_flags, u32 set_flags)
{
	model.set_flags = set_flags;
	return 0;
}

static int model_check_pmc(const struct pfm_regs *regs, unsigned int pmc, u64 value)
{
	return 0;
}

static void model_thread(struct task_struct *task, const struct pfm_regs *regs,
			 enum pfm_thread_event event)
{
	model.task = task;
	if (model.count < ARRAY_SIZE(model.events))
		model.events[model.count++] = event;
}

static const struct pfm_pmu_rules model_rules = {
	.set_flags	= MODEL_SETFL,
	.direct		= true,
	.check_context	= model_check_context,
	.check_set	= model_check_set,
	.check_pmc	= model_check_pmc,
	.thread		= model_thread,
};

static void model_prepare(struct pfm_regs *regs)
{
	regs->enable = 0;
	regs->live_pmds = 0;
}

static void model_regs(const struct pfm_regs *regs)
{
}

static const struct pfm_pmu_ops model_ops = {
	.acquire	= pfm_model_acquire,
	.release	= pfm_model_nothing,
	.init_cpu	= pfm_model_nothing,
	.prepare	= model_prepare,
	.start		= model_regs,
	.stop		= model_regs,
	.ack		= pfm_model_nothing,
	.write_pmc	= pfm_model_ignore,
	.write_pmd	= pfm_model_ignore,
	.read_pmd	= pfm_model_zero,
};

static int rules_test_init(struct kunit *test)
{
	static struct pfm_pmu pmu = PFM_MODEL(&model_ops);

	memset(&model, 0, sizeof(model));
	pmu.rules = &model_rules;
	return pfm_test_context_init(test, &pmu);
}

/* A command without an argument. */
static void command(struct kunit *test, int (*handler)(struct pfm_call *call))
{
	struct pfm_test_context *s = test->priv;
	struct pfm_call call = { .ctx = s->ctx };

	mutex_lock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, handler(&call), 0);
	mutex_unlock(&s->ctx->lock);
}

static void a_threads_own_state_follows_its_context(struct kunit *test)
{
	static const enum pfm_thread_event expected[] = {
		PFM_THREAD_ATTACH_SELF, PFM_THREAD_START, PFM_THREAD_START, PFM_THREAD_STOP,
		PFM_THREAD_DETACH,
	};
	struct pfm_test_context *s = test->priv;
	pfarg_load_t req = { .load_pid = task_pid_nr(current) };
	struct pfm_call load = { .ctx = s->ctx, .fd = -1, .args = &req, .n = 1 };
	unsigned int i;
	int err;

	s->ctx->share = PFM_IDLE;
	err = pfm_load_context(&load);
	KUNIT_EXPECT_EQ(test, err, 0);
	if (err)
		return;
	/* The thread may read the registers: the context has the PMU, though it has no PMC. */
	KUNIT_EXPECT_EQ(test, s->ctx->share, PFM_KEEPS);
	command(test, pfm_start);
	command(test, pfm_start);
	command(test, pfm_stop);
	command(test, pfm_unload_context);
	KUNIT_EXPECT_EQ(test, s->ctx->share, PFM_IDLE);
	KUNIT_EXPECT_EQ(test, model.count, (unsigned int)ARRAY_SIZE(expected));
	for (i = 0; i < min_t(size_t, model.count, ARRAY_SIZE(expected)); i++)
		KUNIT_EXPECT_EQ_MSG(test, model.events[i], expected[i], "event %u", i);
	KUNIT_EXPECT_PTR_EQ(test, model.task, current);
}

static void a_set_has_the_flags_of_its_pmu_and_no_other(struct kunit *test)
{
	pfarg_setdesc_t sets[] = {
		{ .set_id = 1, .set_flags = MODEL_SETFL | PFM_SET_RETFL_NOSET },
		{ .set_id = 2, .set_flags = MODEL_SETFL_NONE },
	};
	struct pfm_test_context *s = test->priv;
	struct pfm_call call = { .ctx = s->ctx, .args = sets, .n = ARRAY_SIZE(sets) };

	mutex_lock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, pfm_create_evtsets(&call), -EINVAL);
	mutex_unlock(&s->ctx->lock);
	KUNIT_EXPECT_EQ(test, call.done, 2U);
	KUNIT_EXPECT_EQ(test, sets[0].set_flags, (u32)MODEL_SETFL);
	KUNIT_EXPECT_EQ(test, sets[1].set_flags, MODEL_SETFL_NONE | PFM_SET_RETFL_EINVAL);
	/* The PMU checks flags that an element can have, not those that it returns. */
	KUNIT_EXPECT_EQ(test, model.set_flags, (u32)MODEL_SETFL);
}

static void a_thread_without_descriptors_has_none_of_a_context(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	KUNIT_EXPECT_FALSE(test, pfm_files_have(NULL, 0, s->file));
}

static struct kunit_case rules_cases[] = {
	KUNIT_CASE(a_threads_own_state_follows_its_context),
	KUNIT_CASE(a_set_has_the_flags_of_its_pmu_and_no_other),
	KUNIT_CASE(a_thread_without_descriptors_has_none_of_a_context),
	{ }
};

static struct kunit_suite rules_suite = {
	.name = "perfmon_rules",
	.init = rules_test_init,
	.exit = pfm_test_context_exit,
	.test_cases = rules_cases,
};

kunit_test_suite(rules_suite);
