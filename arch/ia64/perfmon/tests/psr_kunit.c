// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of psr and dcr: user and privileged monitors, secure monitoring,
 * signal handlers, through the core, on a model of the Itanium.
 */
#include "driver.h"

#define PM	BIT_ULL(6)

static int psr_init(struct kunit *test)
{
	return pfm_driver_init(test, &pfm_itanium2);
}

static void load(struct kunit *test, u32 flags, u64 value)
{
	struct pfm_driver *d = test->priv;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, flags), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, 4, value), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
}

static u64 written_pmc(struct kunit *test, u32 flags, u16 pmc, u64 value)
{
	struct pfm_driver *d = test->priv;
	u64 got;

	KUNIT_ASSERT_EQ(test, pfm_do_create(d, flags), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 0, pmc, value), 0);
	got = d->ctx->set0->regs.pmcs[pmc];
	pfm_do_close(d);
	return got;
}

/* covers: 5.2-1 */
static void a_thread_has_user_monitors(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load(test, 0, EVENT | USER);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.pmc[4] & PM, 0ULL);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_UP, PFM_ITA_PSR_UP);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_PP, 0UL);
}

/* covers: 5.2-1 */
static void a_cpu_has_privileged_monitors(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load(test, PFM_FL_SYSTEM_WIDE, EVENT | USER);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.pmc[4] & PM, PM);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_UP, 0UL);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_PP, PFM_ITA_PSR_PP);
	pfm_model_events(4);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 4ULL);
}

/* covers: 5.2-2 6.4.1-1 */
static void pm_goes_by_the_kind_of_the_context(struct kunit *test)
{
	const u32 priv = PFM_ITA_FL_PRIV_MONITORS;

	KUNIT_EXPECT_EQ(test, written_pmc(test, 0, 4, EVENT) & PM, 0ULL);
	KUNIT_EXPECT_EQ(test, written_pmc(test, PFM_FL_SYSTEM_WIDE, 4, EVENT) & PM, PM);
	KUNIT_EXPECT_EQ(test, written_pmc(test, priv, 4, EVENT) & PM, PM);
	KUNIT_EXPECT_EQ(test, written_pmc(test, priv, 11, 0) & PM, PM);
	KUNIT_EXPECT_EQ(test, written_pmc(test, priv, 12, 0) & PM, PM);
	/* PMC10 has pm elsewhere, and some PMCs have none. */
	KUNIT_EXPECT_EQ(test, written_pmc(test, priv, 10, 0), BIT_ULL(4));
	KUNIT_EXPECT_EQ(test, written_pmc(test, priv, 9, 0), BIT_ULL(2));
}

/* covers: 5.2-3 */
static void a_pm_that_does_not_match_is_no_error(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, written_pmc(test, 0, 4, EVENT | PM) & PM, 0ULL);
	KUNIT_EXPECT_EQ(test, written_pmc(test, 0, 10, BIT_ULL(4)), 0ULL);
	KUNIT_EXPECT_EQ(test, written_pmc(test, PFM_FL_SYSTEM_WIDE, 4, EVENT | PM) & PM, PM);
}

static void start_and_stop_are_the_threads_psr_up(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load(test, 0, EVENT | BOTH);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_UP, 0UL);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_UP, PFM_ITA_PSR_UP);
	pfm_model_interruption();
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_UP, PFM_ITA_PSR_UP);
	pfm_model_rfi();
	KUNIT_ASSERT_EQ(test, pfm_do_stop(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_UP, 0UL);
}

/* covers: 5.3-2 */
static void a_thread_that_monitors_itself_is_insecure(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_SP, PFM_ITA_PSR_SP);
	load(test, 0, EVENT | USER);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_SP, 0UL);
	KUNIT_EXPECT_TRUE(test, d->self->insecure);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(6);
	KUNIT_EXPECT_EQ(test, pfm_model_user_reads(4), 6ULL);
	pfm_model_user_sum(false);
	pfm_model_events(100);
	pfm_model_user_sum(true);
	pfm_model_events(1);
	KUNIT_EXPECT_EQ(test, pfm_model_user_reads(4), 7ULL);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 7ULL);
	KUNIT_ASSERT_EQ(test, pfm_do_unload(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.psr & (PFM_ITA_PSR_SP | PFM_ITA_PSR_UP), PFM_ITA_PSR_SP);
	KUNIT_EXPECT_FALSE(test, d->self->insecure);
	KUNIT_EXPECT_EQ(test, pfm_model_user_reads(4), 0ULL);
}

/* A sum in between is not lost over the kernel, nor over a switch of threads. */
/* covers: 5.3-2 */
static void what_sum_and_rum_did_is_kept(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load(test, 0, EVENT | BOTH);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_user_sum(false);
	pfm_model_interruption();
	local_irq_disable();
	pfm_pause(d->ctx);
	d->model.psr |= PFM_ITA_PSR_UP;		/* another thread's */
	pfm_resume(d->ctx);
	local_irq_enable();
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_UP, 0UL);
	pfm_model_events(10);
	pfm_model_rfi();
	pfm_model_events(10);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 0ULL);
}

/* Counts of others in PMDs that a set does not use must not be visible. */
/* covers: 5.3-2 */
static void an_insecure_thread_finds_no_pmds_of_others(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	load(test, 0, EVENT | USER);
	KUNIT_ASSERT_EQ(test, pfm_do_unload(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_evtset(d, 1, 0), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_pmc(d, 1, 5, EVENT | USER), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_load(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(77);
	KUNIT_ASSERT_EQ(test, pfm_do_start_set(d, 1), 0);
	KUNIT_EXPECT_EQ(test, pfm_model_user_reads(4), 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_model_user_reads(17), 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 77ULL);
}

/* Another thread, which does not run: its context is loaded by a controller. */
static struct task_struct *other_thread(struct kunit *test)
{
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	pfm_model_add_task(task, false);
	return task;
}

/* covers: 5.3-1 */
static void monitoring_another_thread_is_secure(struct kunit *test)
{
	struct task_struct *task = other_thread(test);
	unsigned long *psr = pfm_ita_user_psr(task);
	struct pfm_driver *d = test->priv;
	struct pfm_regs regs = { };

	*psr &= ~PFM_ITA_PSR_SP;
	pfm_ita_rules.thread(task, &regs, PFM_THREAD_ATTACH);
	KUNIT_EXPECT_EQ(test, *psr & (PFM_ITA_PSR_SP | PFM_ITA_PSR_UP), PFM_ITA_PSR_SP);
	pfm_ita_rules.thread(task, &regs, PFM_THREAD_START);
	KUNIT_EXPECT_EQ(test, *psr & PFM_ITA_PSR_UP, PFM_ITA_PSR_UP);
	/* @task is not the thread that runs. */
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_UP, 0UL);
	pfm_ita_rules.thread(task, &regs, PFM_THREAD_DETACH);
	KUNIT_EXPECT_EQ(test, *psr & (PFM_ITA_PSR_SP | PFM_ITA_PSR_UP), PFM_ITA_PSR_SP);
}

/* covers: 5.4-1 */
static void insecure_lifts_it_for_another_thread(struct kunit *test)
{
	struct pfm_regs regs = { .ctx_flags = PFM_ITA_FL_INSECURE };
	struct task_struct *task = other_thread(test);
	unsigned long *psr = pfm_ita_user_psr(task);
	struct pfm_driver *d = test->priv;

	pfm_ita_rules.thread(task, &regs, PFM_THREAD_ATTACH);
	KUNIT_EXPECT_EQ(test, *psr & PFM_ITA_PSR_SP, 0UL);
	pfm_ita_rules.thread(task, &regs, PFM_THREAD_DETACH);
	KUNIT_EXPECT_EQ(test, *psr & PFM_ITA_PSR_SP, PFM_ITA_PSR_SP);
	KUNIT_EXPECT_EQ(test, pfm_do_create(d, PFM_ITA_FL_INSECURE), 0);
}

/* covers: 5.4-2 6.4.1-3 */
static void a_system_wide_context_cannot_be_insecure(struct kunit *test)
{
	struct pfm_driver *d = test->priv;

	KUNIT_EXPECT_EQ(test, pfm_do_create(d, PFM_FL_SYSTEM_WIDE | PFM_ITA_FL_INSECURE), -EINVAL);
	KUNIT_EXPECT_EQ(test, pfm_do_create(d, PFM_FL_SYSTEM_WIDE | PFM_ITA_FL_PRIV_MONITORS),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, pfm_do_create(d, 0x40000), -EINVAL);
	KUNIT_EXPECT_EQ(test, pfm_do_create(d, PFM_ITA_FL_INSECURE | PFM_ITA_FL_PRIV_MONITORS), 0);
}

/* A handler's frame, as the kernel keeps it: the return from it restores the user mask. */
static void signal_return(struct pfm_driver *d, unsigned long um)
{
	d->model.psr = (d->model.psr & ~PFM_MODEL_PSR_UM) | (um & PFM_MODEL_PSR_UM);
	d->self->user_psr = d->model.psr;
}

/* covers: 5.7-1 */
static void a_whole_life_fits_into_a_signal_handler(struct kunit *test)
{
	struct pfm_driver *d = test->priv;
	unsigned long um = d->model.psr;

	load(test, 0, EVENT | USER);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(8);
	KUNIT_ASSERT_EQ(test, pfm_do_stop(d), 0);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 8ULL);
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	KUNIT_ASSERT_EQ(test, pfm_do_unload(d), 0);
	pfm_do_close(d);
	signal_return(d, um);
	KUNIT_EXPECT_EQ(test, d->model.psr & (PFM_ITA_PSR_UP | PFM_ITA_PSR_SP), PFM_ITA_PSR_SP);
}

/* covers: 5.7-2 5.7-3 */
static void a_start_in_a_signal_handler_is_lost_on_return(struct kunit *test)
{
	struct pfm_driver *d = test->priv;
	unsigned long um;

	load(test, 0, EVENT | USER);
	um = d->model.psr;
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(1);
	signal_return(d, um);
	pfm_model_events(10);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 1ULL);
	/* Another start changes nothing for the context, but it does for the thread. */
	KUNIT_ASSERT_EQ(test, pfm_do_start(d), 0);
	pfm_model_events(10);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 11ULL);
	/* Or the handler sets it in sc_um. */
	um = d->model.psr;
	KUNIT_ASSERT_EQ(test, pfm_do_stop(d), 0);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_UP, 0UL);
	signal_return(d, um);
	KUNIT_EXPECT_EQ(test, d->model.psr & PFM_ITA_PSR_UP, PFM_ITA_PSR_UP);
	/* The PMU is stopped all the same. */
	pfm_model_events(10);
	KUNIT_EXPECT_EQ(test, pfm_do_read(d, 0, 4), 11ULL);
}

static struct kunit_case psr_cases[] = {
	KUNIT_CASE(a_thread_has_user_monitors),
	KUNIT_CASE(a_cpu_has_privileged_monitors),
	KUNIT_CASE(pm_goes_by_the_kind_of_the_context),
	KUNIT_CASE(a_pm_that_does_not_match_is_no_error),
	KUNIT_CASE(start_and_stop_are_the_threads_psr_up),
	KUNIT_CASE(a_thread_that_monitors_itself_is_insecure),
	KUNIT_CASE(what_sum_and_rum_did_is_kept),
	KUNIT_CASE(an_insecure_thread_finds_no_pmds_of_others),
	KUNIT_CASE(monitoring_another_thread_is_secure),
	KUNIT_CASE(insecure_lifts_it_for_another_thread),
	KUNIT_CASE(a_system_wide_context_cannot_be_insecure),
	KUNIT_CASE(a_whole_life_fits_into_a_signal_handler),
	KUNIT_CASE(a_start_in_a_signal_handler_is_lost_on_return),
	{ }
};

static struct kunit_suite psr_suite = {
	.name = "perfmon_itanium_psr",
	.init = psr_init,
	.exit = pfm_driver_exit,
	.test_cases = psr_cases,
};

kunit_test_suite(psr_suite);
