// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of virtual PMDs, of messages' trace events, and of waking readers, of which none
 * needs a PMU.
 */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <trace/events/perfmon.h>
#include "../message.h"
#include "../notify.h"
#include "../overflow.h"
#include "../virtual.h"
#include "counters.h"
#include "woken.h"

/* A thread that does not run. */
static void a_threads_values_are_the_schedulers(struct kunit *test)
{
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);
	struct pfm_context *ctx = ctx_of(test);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	task->se.sum_exec_runtime = 1234;
	task->nvcsw = 50;
	task->nivcsw = 7;
	task->se.nr_migrations = 3;
	task->min_flt = 11;
	task->maj_flt = 2;
	KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx, task, PFM_PMD_TASK_CLOCK), 1234ULL);
	KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx, task, PFM_PMD_CTX_SWITCHES), 57ULL);
	KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx, task, PFM_PMD_MIGRATIONS), 3ULL);
	KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx, task, PFM_PMD_MIN_FAULTS), 11ULL);
	KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx, task, PFM_PMD_MAJ_FAULTS), 2ULL);
}

static void without_a_thread_its_values_are_zero(struct kunit *test)
{
	static const unsigned int of_threads[] = {
		PFM_PMD_TASK_CLOCK, PFM_PMD_CTX_SWITCHES, PFM_PMD_MIGRATIONS, PFM_PMD_MIN_FAULTS,
		PFM_PMD_MAJ_FAULTS, PFM_PMD_PID, PFM_PMD_TID,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(of_threads); i++)
		KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx_of(test), NULL, of_threads[i]), 0ULL);
}

/* It runs between two ticks, too, and not longer than since its start. */
static void the_clock_of_a_thread_that_runs_is_up_to_date(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);
	u64 before, after, first, second;

	local_irq_disable();
	before = local_clock();
	first = pfm_virtual_read(ctx, current, PFM_PMD_TASK_CLOCK);
	ndelay(5000);
	second = pfm_virtual_read(ctx, current, PFM_PMD_TASK_CLOCK);
	after = local_clock();
	local_irq_enable();
	KUNIT_EXPECT_GE(test, second, first + 5000);
	KUNIT_EXPECT_LE(test, second, first + (after - before));
	KUNIT_EXPECT_GE(test, first, current->se.sum_exec_runtime / 2);
}

static void the_numbers_are_those_of_the_thread_in_question(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx, current, PFM_PMD_TID), (u64)current->pid);
	KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx, current, PFM_PMD_PID), (u64)current->tgid);
	/* The idle thread's */
	KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx, &init_task, PFM_PMD_TID), 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx, &init_task, PFM_PMD_PID), 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_virtual_read(ctx, current, PFM_PMD_TID), (u64)current->pid);
}

static struct {
	unsigned int	n;
	u32		type;
	u16		set;
	u64		pmds;
	bool		lost;
} traced;

static void note_message(void *data, const struct pfm_context *ctx, u32 type, u16 set, u64 pmds,
			 bool lost)
{
	traced.n++;
	traced.type = type;
	traced.set = set;
	traced.pmds = pmds;
	traced.lost = lost;
}

/* One message, with these members; the statistics begin again. */
static void expect_traced(struct kunit *test, u32 type, u64 pmds)
{
	KUNIT_EXPECT_EQ(test, traced.n, 1U);
	KUNIT_EXPECT_EQ(test, traced.type, type);
	KUNIT_EXPECT_EQ(test, traced.set, 0);
	KUNIT_EXPECT_EQ(test, traced.pmds, pmds);
	KUNIT_EXPECT_FALSE(test, traced.lost);
	memset(&traced, 0, sizeof(traced));
}

static void each_message_is_traced_as_it_is(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	memset(&traced, 0, sizeof(traced));
	KUNIT_ASSERT_EQ(test, register_trace_pfm_message(note_message, NULL), 0);
	ctx->flags = PFM_FL_EXTRA_MSG;
	local_irq_disable();
	pfm_post_throttle(ctx, 5);
	local_irq_enable();
	expect_traced(test, PFM_MSG_THROTTLE, 5);
	/* One stands for all as long as it is unread: there is no other message. */
	ctx->throttle_notified = false;
	local_irq_disable();
	pfm_post_throttle(ctx, 5);
	local_irq_enable();
	KUNIT_EXPECT_EQ(test, traced.n, 0U);
	pfm_notify_preempt(ctx, PFM_MSG_SUSPEND);
	expect_traced(test, PFM_MSG_SUSPEND, 0);
	pfm_notify_preempt(ctx, PFM_MSG_RESUME);
	expect_traced(test, PFM_MSG_RESUME, 0);
	pfm_notify_end(ctx);
	expect_traced(test, PFM_MSG_END, 0);
	/* A tool that did not ask for them does not get them. */
	ctx->flags = PFM_FL_OVFL_NO_MSG;
	ctx->throttle_notified = false;
	local_irq_disable();
	pfm_post_throttle(ctx, 5);
	local_irq_enable();
	pfm_notify_preempt(ctx, PFM_MSG_SUSPEND);
	KUNIT_EXPECT_EQ(test, traced.n, 0U);
	ctx->flags = 0;
	ctx->throttle_notified = false;
	irq_work_sync(&ctx->notify_work);
	unregister_trace_pfm_message(note_message, NULL);
	tracepoint_synchronize_unregister();
}

static void an_overflow_wakes_pollers_for_either_event(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);
	struct wait_queue_entry entry;

	woken_by(&ctx->msgq.wait, &entry);
	preempt_disable();
	pfm_notify(ctx);
	preempt_enable();
	irq_work_sync(&ctx->notify_work);
	KUNIT_EXPECT_TRUE(test, woken_to_read());
	remove_wait_queue(&ctx->msgq.wait, &entry);
}

static struct kunit_case virtual_cases[] = {
	KUNIT_CASE(a_threads_values_are_the_schedulers),
	KUNIT_CASE(without_a_thread_its_values_are_zero),
	KUNIT_CASE(the_clock_of_a_thread_that_runs_is_up_to_date),
	KUNIT_CASE(the_numbers_are_those_of_the_thread_in_question),
	KUNIT_CASE(each_message_is_traced_as_it_is),
	KUNIT_CASE(an_overflow_wakes_pollers_for_either_event),
	{ }
};

static struct kunit_suite virtual_suite = {
	.name = "perfmon_virtual",
	.init = counters_test_init,
	.exit = pfm_test_context_exit,
	.test_cases = virtual_cases,
};

kunit_test_suite(virtual_suite);
