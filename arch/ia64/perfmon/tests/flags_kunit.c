// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the flags that exclude code in interruptions, or all other code,
 * through the core, on a model of the Itanium.
 */
#include <linux/sched.h>
#include "driver.h"

#define EXCL_INTR	PFM_ITA_SETFL_EXCL_INTR
#define INTR_ONLY	PFM_ITA_SETFL_INTR_ONLY
#define PRIV		PFM_ITA_FL_PRIV_MONITORS

static int flags_init(struct kunit *test)
{
	return pfm_driver_init(test, &pfm_itanium2);
}

/* One counter of @plm, in a set with @set_flags, counting. */
static void count(struct kunit *test, u32 ctx_flags, u32 set_flags, u64 plm)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, ctx_flags), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_evtset(d, 0, set_flags), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, EVENT | plm), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
}

/* User level, a system call, an interrupt in it, an interrupt of user level. */
static void live(void)
{
	pfm_model_events(1);
	pfm_model_interruption();
	pfm_model_events(10);
	pfm_model_interruption();
	pfm_model_events(100);
	pfm_model_rfi();
	pfm_model_rfi();
	pfm_model_interruption();
	pfm_model_events(1000);
	pfm_model_rfi();
}

/* The events counted in live(), and then in a system call by epc. */
static u64 lived(struct kunit *test, u32 ctx_flags, u32 set_flags, u64 plm)
{
	struct pfm_driver *d = test->priv;
	u64 n;

	count(test, ctx_flags, set_flags, plm);
	live();
	pfm_model_epc();
	pfm_model_events(10000);
	pfm_model_rfi();
	n = pfm_do_read(d, 0, 4);
	KUNIT_EXPECT_EQ(test, pfm_do_unload(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.dcr, 0UL);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_PP, 0UL);
	pfm_do_close(d);
	return n;
}

/* covers: 5.5.1-4 */
static void interrupts_are_monitored_by_default(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lived(test, PFM_FL_SYSTEM_WIDE, 0, BOTH), 11111ULL);
	KUNIT_EXPECT_EQ(test, lived(test, PRIV, 0, BOTH), 11111ULL);
}

/* covers: 5.5.1-1 6.4.1-2 */
static void excl_intr_leaves_out_what_interruptions_trigger(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lived(test, PFM_FL_SYSTEM_WIDE, EXCL_INTR, BOTH), 10001ULL);
	KUNIT_EXPECT_EQ(test, lived(test, PRIV, EXCL_INTR, BOTH), 10001ULL);
}

/* covers: 5.5.2-1 6.4.1-2 */
static void intr_only_leaves_out_all_else(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lived(test, PFM_FL_SYSTEM_WIDE, INTR_ONLY, BOTH), 1110ULL);
	KUNIT_EXPECT_EQ(test, lived(test, PRIV, INTR_ONLY, BOTH), 1110ULL);
}

/* covers: 5.5.1-2 */
static void excl_intr_means_nothing_for_user_level(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lived(test, PFM_FL_SYSTEM_WIDE, EXCL_INTR, USER), 1ULL);
	KUNIT_EXPECT_EQ(test, lived(test, PFM_FL_SYSTEM_WIDE, 0, USER), 1ULL);
	KUNIT_EXPECT_EQ(test, lived(test, PRIV, EXCL_INTR, USER), 1ULL);
}

/* covers: 5.5.2-2 */
static void intr_only_means_nothing_for_user_level(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lived(test, PFM_FL_SYSTEM_WIDE, INTR_ONLY, USER), 1ULL);
	KUNIT_EXPECT_EQ(test, lived(test, PRIV, INTR_ONLY, USER), 1ULL);
}

/* covers: 5.5.1-3 5.5.2-3 */
static void user_monitors_cannot_have_the_flags(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, 0), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_evtset(d, 1, EXCL_INTR), -EINVAL);
	KUNIT_EXPECT_EQ(test, pfm_do_evtset(d, 1, INTR_ONLY), -EINVAL);
	KUNIT_EXPECT_EQ(test, pfm_do_evtset(d, 1, 0x40000), -EINVAL);
	KUNIT_EXPECT_EQ(test, pfm_do_evtset(d, 1, 0), 0);
}

/* covers: 5.5.2-5 */
static void both_flags_are_an_error(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, PRIV), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_evtset(d, 1, EXCL_INTR), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_evtset(d, 1, INTR_ONLY), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_evtset(d, 1, EXCL_INTR | INTR_ONLY), -EINVAL);
	pfm_do_close(d);
	KUNIT_ASSERT_EQ(test, pfm_do_create(d, PFM_FL_SYSTEM_WIDE), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_evtset(d, 1, EXCL_INTR | INTR_ONLY), -EINVAL);
}

/* covers: 5.5.2-5 */
static void sets_of_a_context_may_differ(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, PRIV), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_evtset(d, 0, EXCL_INTR), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_evtset(d, 1, INTR_ONLY), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, EVENT | BOTH), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 1, 4, EVENT | BOTH), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	live();
	KUNIT_ASSERT_EQ(test, pfm_do_start_set(d, 1), 0);
	live();
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 1ULL);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 1, 4), 1110ULL);
}

/* A thread that the kernel does not run, for the model to switch to. */
static struct task_struct *make_thread(struct kunit *test, unsigned int flags)
{
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	task->flags = flags;
	pfm_model_add_task(task, flags & PF_KTHREAD);
	return task;
}

/*
 * On a CPU with a context: user level, a system call that waits, meanwhile @other, which
 * is interrupted once, and the system call again.
 */
static u64 waited_for(struct kunit *test, struct task_struct *other, u32 set_flags)
{
	struct pfm_driver *d = test->priv;
	u64 n;

	count(test, PFM_FL_SYSTEM_WIDE, set_flags, BOTH);
	pfm_model_events(100000);
	pfm_model_interruption();
	pfm_model_events(1);
	local_irq_disable();
	pfm_ita_psr_switch(current, other);
	pfm_model_events(10);
	pfm_model_interruption();
	pfm_model_events(100);
	pfm_model_rfi();
	pfm_model_events(1000);
	pfm_ita_psr_switch(other, current);
	local_irq_enable();
	pfm_model_events(10000);
	pfm_model_rfi();
	n = pfm_do_read(d, 0, 4);
	pfm_do_close(d);
	return n;
}

static void the_idle_thread_is_monitored_by_default(struct kunit *test)
{
	struct task_struct *idle = make_thread(test, PF_IDLE | PF_KTHREAD);

	KUNIT_EXPECT_EQ(test, waited_for(test, idle, 0), 111111ULL);
	KUNIT_EXPECT_EQ(test, waited_for(test, idle, EXCL_INTR), 101010ULL);
}

/* covers: 5.5.1-6 */
static void excl_idle_alone_monitors_interrupts_of_the_idle_thread(struct kunit *test)
{
	struct task_struct *idle = make_thread(test, PF_IDLE | PF_KTHREAD);

	KUNIT_EXPECT_EQ(test, waited_for(test, idle, PFM_SETFL_EXCL_IDLE), 110101ULL);
}

/* covers: 5.5.1-5 */
static void excl_idle_with_excl_intr_leaves_out_its_interrupts(struct kunit *test)
{
	struct task_struct *idle = make_thread(test, PF_IDLE | PF_KTHREAD);

	KUNIT_EXPECT_EQ(test, waited_for(test, idle, PFM_SETFL_EXCL_IDLE | EXCL_INTR), 100000ULL);
}

/* covers: 5.5.2-4 */
static void excl_idle_with_intr_only_monitors_its_interrupts(struct kunit *test)
{
	struct task_struct *idle = make_thread(test, PF_IDLE | PF_KTHREAD);

	KUNIT_EXPECT_EQ(test, waited_for(test, idle, PFM_SETFL_EXCL_IDLE | INTR_ONLY), 10101ULL);
}

/* covers: 5.5.1-6 */
static void kernel_threads_are_left_out_likewise(struct kunit *test)
{
	struct task_struct *kthread = make_thread(test, PF_KTHREAD);
	const u32 excl = PFM_SETFL_EXCL_KERNEL_ONLY_THREADS;

	KUNIT_EXPECT_EQ(test, waited_for(test, kthread, PFM_SETFL_EXCL_IDLE), 111111ULL);
	/* With EXCL_INTR the core stops the PMU: the test's own thread is the kernel's. */
	KUNIT_EXPECT_EQ(test, waited_for(test, kthread, excl), 110101ULL);
	KUNIT_EXPECT_EQ(test, waited_for(test, kthread, excl | EXCL_INTR), 0ULL);
}

/* The core stops the PMU only when nothing may be monitored. */
/* covers: 5.5.1-5 */
static void the_pmu_stops_only_when_interrupts_do_not_count(struct kunit *test)
{
	struct task_struct *idle = make_thread(test, PF_IDLE | PF_KTHREAD);
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, PFM_FL_SYSTEM_WIDE), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_evtset(d, 0, PFM_SETFL_EXCL_IDLE), 0);
	KUNIT_EXPECT_FALSE(test, pfm_excludes(d->ctx, idle));
	KUNIT_ASSERT_EQ(test, pfm_do_evtset(d, 0, PFM_SETFL_EXCL_IDLE | INTR_ONLY), 0);
	KUNIT_EXPECT_FALSE(test, pfm_excludes(d->ctx, idle));
	KUNIT_ASSERT_EQ(test, pfm_do_evtset(d, 0, PFM_SETFL_EXCL_IDLE | EXCL_INTR), 0);
	KUNIT_EXPECT_TRUE(test, pfm_excludes(d->ctx, idle));
	KUNIT_EXPECT_FALSE(test, pfm_excludes(d->ctx, current));
}

/* Code entered by epc is still monitored after others ran, whose psr.pp is their own. */
/* covers: 5.5.1-1 */
static void psr_pp_is_switched_with_the_threads(struct kunit *test)
{
	struct task_struct *other = make_thread(test, 0);
	struct pfm_driver *d = test->priv;

	count(test, PFM_FL_SYSTEM_WIDE, EXCL_INTR, BOTH);
	pfm_model_epc();
	pfm_model_events(1);
	local_irq_disable();
	pfm_ita_psr_switch(current, other);
	KUNIT_EXPECT_EQ(test, *pfm_ita_user_psr(other) & PFM_ITA_PSR_PP, PFM_ITA_PSR_PP);
	pfm_model_events(10);
	pfm_ita_psr_switch(other, current);
	local_irq_enable();
	pfm_model_events(100);
	pfm_model_rfi();
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 101ULL);
}

/* A start that interrupts kernel code: that code is monitored at once. */
static void a_start_reaches_what_is_interrupted(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, PFM_FL_SYSTEM_WIDE), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, EVENT | KERNEL), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	pfm_model_interruption();
	/* pfm_do_start() makes it an interrupt of that. */
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(5);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 5ULL);
	KUNIT_ASSERT_EQ(test, pfm_do_stop(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_PP, 0UL);
	pfm_model_rfi();
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_PP, 0UL);
}

static struct kunit_case flags_cases[] = {
	KUNIT_CASE(interrupts_are_monitored_by_default),
	KUNIT_CASE(excl_intr_leaves_out_what_interruptions_trigger),
	KUNIT_CASE(intr_only_leaves_out_all_else),
	KUNIT_CASE(excl_intr_means_nothing_for_user_level),
	KUNIT_CASE(intr_only_means_nothing_for_user_level),
	KUNIT_CASE(user_monitors_cannot_have_the_flags),
	KUNIT_CASE(both_flags_are_an_error),
	KUNIT_CASE(sets_of_a_context_may_differ),
	KUNIT_CASE(the_idle_thread_is_monitored_by_default),
	KUNIT_CASE(excl_idle_alone_monitors_interrupts_of_the_idle_thread),
	KUNIT_CASE(excl_idle_with_excl_intr_leaves_out_its_interrupts),
	KUNIT_CASE(excl_idle_with_intr_only_monitors_its_interrupts),
	KUNIT_CASE(kernel_threads_are_left_out_likewise),
	KUNIT_CASE(the_pmu_stops_only_when_interrupts_do_not_count),
	KUNIT_CASE(psr_pp_is_switched_with_the_threads),
	KUNIT_CASE(a_start_reaches_what_is_interrupted),
	{ }
};

static struct kunit_suite flags_suite = {
	.name = "perfmon_itanium_flags",
	.init = flags_init,
	.exit = pfm_driver_exit,
	.test_cases = flags_cases,
};

kunit_test_suite(flags_suite);
