// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of how a context is stopped, read and resumed, on a model of a PMU with two
 * counters.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include "../read.h"
#include "../set_switch.h"
#include "../throttle.h"
#include "../timer.h"
#include "counters.h"

#define STAT(name)	pfm_stats_sum(offsetof(struct pfm_stats, name))

static void program_both(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		program_pmc(test, 0, i, 0);
		program_pmd(test, 0, i, -1000, 0);
	}
}

/* Both counters' registers have what the context would load if it counted now. */
static void expect_loaded(struct kunit *test, u64 low)
{
	KUNIT_EXPECT_EQ(test, counters.counter[0], low);
	KUNIT_EXPECT_EQ(test, counters.counter[1], low);
}

static void registers_that_are_still_there_are_not_loaded_again(struct kunit *test)
{
	u64 full = STAT(activations), lazy = STAT(activations_lazy);
	struct pfm_context *ctx = ctx_of(test);

	program_both(test);
	begin(ctx);
	KUNIT_EXPECT_EQ(test, counters.loads, 2U);
	KUNIT_EXPECT_EQ(test, counters.controls, 2U);
	pfm_pause(ctx);
	pfm_resume(ctx);
	KUNIT_EXPECT_EQ(test, counters.loads, 2U);
	KUNIT_EXPECT_EQ(test, counters.controls, 2U);
	KUNIT_EXPECT_EQ(test, STAT(activations), full + 1);
	KUNIT_EXPECT_EQ(test, STAT(activations_lazy), lazy + 1);
	end(ctx);
	/* Only the change, and each one; then nothing again. */
	program_pmd(test, 0, 1, -500, 0);
	program_pmc(test, 0, 0, 0);
	begin(ctx);
	KUNIT_EXPECT_EQ(test, counters.counter[0], (u64)(u32)-1000);
	KUNIT_EXPECT_EQ(test, counters.counter[1], (u64)(u32)-500);
	KUNIT_EXPECT_EQ(test, counters.loads, 3U);
	KUNIT_EXPECT_EQ(test, counters.controls, 3U);
	pfm_pause(ctx);
	pfm_resume(ctx);
	KUNIT_EXPECT_EQ(test, counters.loads, 3U);
	KUNIT_EXPECT_EQ(test, counters.controls, 3U);
	end(ctx);
	KUNIT_EXPECT_EQ(test, STAT(activations), full + 1);
	/* Another CPU may have the same number of loadings. */
	ctx->last_cpu++;
	begin(ctx);
	KUNIT_EXPECT_EQ(test, counters.loads, 5U);
	end(ctx);
}

static void registers_are_not_trusted_when_others_had_the_pmu(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);
	unsigned int inits;

	/* Earlier tests ran on other CPUs, perhaps: these have nothing to clear any more. */
	pfm_cpu_new_epoch();
	pfm_pmu_hand_over();
	program_both(test);
	begin(ctx);
	end(ctx);
	inits = counters.inits;
	counters.loads = 0;
	KUNIT_EXPECT_EQ(test, pfm_pmu_take(), 0);
	begin(ctx);
	end(ctx);
	KUNIT_EXPECT_EQ(test, counters.inits, inits + 1);
	KUNIT_EXPECT_EQ(test, counters.loads, 2U);
	pfm_pmu_let_go();
	/* They are cleared once for their next user. */
	pfm_pmu_hand_over();
	KUNIT_EXPECT_EQ(test, counters.inits, inits + 2);
	pfm_pmu_hand_over();
	KUNIT_EXPECT_EQ(test, counters.inits, inits + 2);
}

static void a_late_interrupt_of_a_session_is_claimed_and_charged(struct kunit *test)
{
	u64 late = STAT(interrupts_late), charged;

	KUNIT_EXPECT_EQ(test, pfm_pmu_take(), 0);
	local_irq_disable();
	__this_cpu_write(pfm_cpu.wrapped, jiffies - HZ);
	pfm_budget_roll(this_cpu_ptr(&pfm_budgets), local_clock());
	charged = this_cpu_ptr(&pfm_budgets)->interrupts;
	KUNIT_EXPECT_TRUE(test, pfm_pmu_interrupt(NULL));
	KUNIT_EXPECT_EQ(test, STAT(interrupts_late), late + 1);
	/* Of this window, or the first one of the next. */
	if (charged)
		KUNIT_EXPECT_NE(test, this_cpu_ptr(&pfm_budgets)->interrupts, charged);
	else
		KUNIT_EXPECT_EQ(test, this_cpu_ptr(&pfm_budgets)->interrupts, 1ULL);
	local_irq_enable();
	pfm_pmu_let_go();
	local_irq_disable();
	__this_cpu_write(pfm_cpu.wrapped, jiffies - HZ);
	KUNIT_EXPECT_FALSE(test, pfm_pmu_interrupt(NULL));
	KUNIT_EXPECT_EQ(test, STAT(interrupts_late), late + 1);
	local_irq_enable();
}

/* Its interrupt may still come. */
static void a_wrap_that_a_pause_found_is_remembered(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	program_both(test);
	begin(ctx);
	__this_cpu_write(pfm_cpu.wrapped, jiffies - HZ);
	counters.counter[0] = 1;
	pfm_pause(ctx);
	KUNIT_EXPECT_TRUE(test, pfm_pmu_overflowed());
	end(ctx);
}

static void a_step_ends_without_an_overflow_and_the_next_begins(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);
	struct pfm_event_set *set = ctx->set0;

	program_both(test);
	program_pmd(test, 0, 0, 0, 0);
	program_pmd(test, 0, 1, FAR, 0);
	begin(ctx);
	expect_loaded(test, FAR);
	counters.counter[0] = 5;
	counters.counter[1] = 7;
	pfm_pmu_interrupt(NULL);
	KUNIT_EXPECT_EQ(test, pfm_pmd_of(set, 0)->value, FAR + 5);
	KUNIT_EXPECT_EQ(test, pfm_pmd_of(set, 1)->value, 2 * FAR + 7);
	KUNIT_EXPECT_EQ(test, counters.counter[0], FAR + 5);
	KUNIT_EXPECT_EQ(test, counters.counter[1], FAR);
	end(ctx);
}

static void a_suspended_machine_takes_the_context_off_and_brings_it_back(struct kunit *test)
{
	struct pfm_context *none = NULL, *ctx = ctx_of(test);
	unsigned int inits;

	/* Without a context nothing happens. */
	local_irq_disable();
	pfm_pmu_suspend();
	pfm_pmu_resume();
	KUNIT_EXPECT_PTR_EQ(test, __this_cpu_read(pfm_cpu.ctx), none);
	local_irq_enable();

	program_both(test);
	begin(ctx);
	counters.counter[0] += 10;
	counters.counter[1] += 10;
	pfm_pmu_suspend();
	KUNIT_EXPECT_FALSE(test, counters.on);
	KUNIT_EXPECT_EQ(test, ctx->mode, PFM_OFF);
	KUNIT_EXPECT_PTR_EQ(test, __this_cpu_read(pfm_cpu.parked), ctx);
	/* The PMU loses power. */
	memset(counters.counter, 0, sizeof(counters.counter));
	inits = counters.inits;
	pfm_pmu_resume();
	KUNIT_EXPECT_TRUE(test, counters.on);
	KUNIT_EXPECT_EQ(test, counters.inits, inits + 1);
	expect_loaded(test, (u32)-990);
	KUNIT_EXPECT_PTR_EQ(test, __this_cpu_read(pfm_cpu.parked), none);
	/* Not a context that does not count. */
	pfm_pause(ctx);
	ctx->masked = true;
	pfm_resume(ctx);
	pfm_pmu_suspend();
	pfm_pmu_resume();
	KUNIT_EXPECT_FALSE(test, counters.on);
	end(ctx);
	ctx->masked = false;
}

static unsigned int reads, hits;
static bool stopped;

/* An interrupt hits the first @hits reads. */
static void read_and_hit(struct pfm_context *ctx, bool here, void *arg)
{
	stopped = !counters.on;
	if (reads++ < hits)
		pfm_pmu_interrupt(NULL);
}

static unsigned int read_with(struct pfm_context *ctx, unsigned int n)
{
	reads = 0;
	hits = n;
	pfm_read_counting(ctx, true, 0, read_and_hit, NULL);
	return reads;
}

static void counters_go_on_while_they_are_read(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	program_both(test);
	begin(ctx);
	KUNIT_EXPECT_EQ(test, read_with(ctx, 0), 1U);
	KUNIT_EXPECT_EQ(test, counters.stops, 0U);
	/* A read that an interrupt has hit is repeated; but not for ever. */
	KUNIT_EXPECT_EQ(test, read_with(ctx, 1), 2U);
	KUNIT_EXPECT_EQ(test, counters.stops, 1U);
	KUNIT_EXPECT_FALSE(test, stopped);
	KUNIT_EXPECT_EQ(test, read_with(ctx, PFM_READ_TRIES), PFM_READ_TRIES + 1U);
	KUNIT_EXPECT_TRUE(test, stopped);
	KUNIT_EXPECT_TRUE(test, counters.on);
	/* The values of a throttled context are those after a pause. */
	throttle_cpu(NSEC_PER_SEC);
	pfm_pause(ctx);
	pfm_resume(ctx);
	KUNIT_EXPECT_EQ(test, read_with(ctx, 0), 1U);
	KUNIT_EXPECT_TRUE(test, stopped);
	KUNIT_EXPECT_TRUE(test, counters.on);
	throttle_ends();
	end(ctx);
}

/* Run a command of @n PMDs on the present context, which counts for this thread. */
static void read_pmds(struct kunit *test, pfarg_pmd_t *req, unsigned int n)
{
	struct pfm_context *ctx = ctx_of(test);
	struct pfm_call call = { .ctx = ctx, .args = req, .n = n };

	mutex_lock(&ctx->lock);
	ctx->task = current;
	preempt_disable();
	begin(ctx);
	counters.stops = 0;
	counters.counter[0] += 10;
	counters.counter[1] += 10;
	KUNIT_EXPECT_EQ(test, pfm_read_pmds(&call), 0);
	local_irq_disable();
	end(ctx);
	preempt_enable();
	ctx->task = NULL;
	mutex_unlock(&ctx->lock);
}

static void one_reset_of_a_vector_stops_the_counters_for_it(struct kunit *test)
{
	pfarg_pmd_t req[2] = { { }, { .reg_num = 1 } };

	program_both(test);
	read_pmds(test, req, 2);
	KUNIT_EXPECT_EQ(test, req[0].reg_value, -990ULL);
	KUNIT_EXPECT_EQ(test, req[1].reg_value, -990ULL);
	KUNIT_EXPECT_EQ(test, counters.stops, 1U);	/* the end */
	req[0].reg_flags = PFM_REGFL_READ_RESET;
	read_pmds(test, req, 2);
	KUNIT_EXPECT_EQ(test, req[0].reg_value, -980ULL);
	KUNIT_EXPECT_EQ(test, req[1].reg_value, -980ULL);
	KUNIT_EXPECT_EQ(test, counters.counter[0], (u64)(u32)-2000);
	KUNIT_EXPECT_EQ(test, counters.counter[1], (u64)(u32)-980);
}

static void a_register_that_does_not_count_is_read_from_memory(struct kunit *test)
{
	pfarg_pmd_t req[2] = { { }, { .reg_num = 1 } };

	program_pmc(test, 0, 0, 0);
	program_pmd(test, 0, 0, -1000, 0);
	program_pmd(test, 0, 1, 5, 0);
	read_pmds(test, req, 2);
	KUNIT_EXPECT_EQ(test, req[0].reg_value, -990ULL);
	KUNIT_EXPECT_EQ(test, req[1].reg_value, 5ULL);
}

static void time_without_counting_goes_to_its_account(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);
	u64 began, took;

	program_both(test);
	ctx->share = PFM_YIELDS;
	pfm_suspended[PFM_YIELDS] = true;
	began = local_clock();
	begin(ctx);
	KUNIT_EXPECT_FALSE(test, counters.on);
	ndelay(2000);
	pfm_pause(ctx);
	took = local_clock() - began;
	pfm_suspended[PFM_YIELDS] = false;
	KUNIT_EXPECT_GE(test, ctx->ledger.suspended_ns, 2000ULL);
	KUNIT_EXPECT_LE(test, ctx->ledger.suspended_ns, took);
	KUNIT_EXPECT_EQ(test, ctx->ledger.masked_ns, 0ULL);
	began = local_clock();
	ctx->masked = true;
	pfm_resume(ctx);
	KUNIT_EXPECT_FALSE(test, counters.on);
	ndelay(2000);
	pfm_pause(ctx);
	took = local_clock() - began;
	KUNIT_EXPECT_GE(test, ctx->ledger.masked_ns, 2000ULL);
	KUNIT_EXPECT_LE(test, ctx->ledger.masked_ns, took);
	/* A context without a PMC has nothing to count, and misses nothing. */
	took = ctx->ledger.masked_ns;
	ctx->share = PFM_IDLE;
	pfm_resume(ctx);
	KUNIT_EXPECT_FALSE(test, counters.on);
	ndelay(2000);
	pfm_pause(ctx);
	ctx->masked = false;
	pfm_resume(ctx);
	KUNIT_EXPECT_FALSE(test, counters.on);
	ndelay(2000);
	pfm_pause(ctx);
	KUNIT_EXPECT_EQ(test, ctx->ledger.masked_ns, took);
	/* Nor does a set that excludes the thread, which is one of the kernel. */
	ctx->share = PFM_KEEPS;
	ctx->flags = PFM_FL_SYSTEM_WIDE;
	ctx->set->flags = PFM_SETFL_EXCL_KERNEL_ONLY_THREADS;
	ctx->masked = true;
	pfm_resume(ctx);
	ndelay(2000);
	pfm_pause(ctx);
	KUNIT_EXPECT_EQ(test, ctx->ledger.masked_ns, took);
	ctx->set->flags = 0;
	ctx->flags = 0;
	ctx->masked = false;
	end(ctx);
	KUNIT_EXPECT_LT(test, ctx->ledger.suspended_ns, NSEC_PER_SEC);
}

static void a_thread_is_excluded_by_its_kind(struct kunit *test)
{
	static struct task_struct user, idle = { .flags = PF_IDLE | PF_KTHREAD };
	struct pfm_context *ctx = ctx_of(test);
	struct pfm_event_set *set = ctx->set;

	user.flags = PF_RANDOMIZE;
	ctx->flags = PFM_FL_SYSTEM_WIDE;
	set->flags = PFM_SETFL_TIME_SWITCH;
	KUNIT_EXPECT_FALSE(test, pfm_excludes(ctx, &user));
	KUNIT_EXPECT_FALSE(test, pfm_excludes(ctx, &idle));
	KUNIT_EXPECT_FALSE(test, pfm_excludes(ctx, current));
	set->flags = PFM_SETFL_EXCL_IDLE;
	KUNIT_EXPECT_FALSE(test, pfm_excludes(ctx, &user));
	KUNIT_EXPECT_TRUE(test, pfm_excludes(ctx, &idle));
	KUNIT_EXPECT_FALSE(test, pfm_excludes(ctx, current));
	set->flags = PFM_SETFL_EXCL_KERNEL_ONLY_THREADS;
	KUNIT_EXPECT_FALSE(test, pfm_excludes(ctx, &user));
	KUNIT_EXPECT_TRUE(test, pfm_excludes(ctx, &idle));
	KUNIT_EXPECT_TRUE(test, pfm_excludes(ctx, current));
	/* In contexts of one thread nothing is. */
	ctx->flags = 0;
	KUNIT_EXPECT_FALSE(test, pfm_excludes(ctx, current));
	set->flags = 0;
}

static void a_context_that_comes_back_ends_a_throttle_that_is_over(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	program_both(test);
	local_irq_disable();
	memset(this_cpu_ptr(&pfm_budgets), 0, sizeof(struct pfm_budget));
	__this_cpu_write(pfm_cpu.throttled_until, local_clock() - 1);
	local_irq_enable();
	begin(ctx);
	KUNIT_EXPECT_EQ(test, __this_cpu_read(pfm_cpu.throttled_until), 0ULL);
	KUNIT_EXPECT_FALSE(test, ctx->throttled);
	throttle_ends();
	end(ctx);
}

/* Let interrupts come while the context counts, until the timer has gone off once. */
static void let_the_timer_go_off(void)
{
	preempt_disable();
	pfm_timer_at(local_clock(), local_clock());
	local_irq_enable();
	mdelay(2);
	local_irq_disable();
	preempt_enable();
}

static void the_timer_changes_sets_whose_time_is_up_and_no_others(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	program_sets(test, PFM_SETFL_OVFL_SWITCH, 1);
	begin(ctx);
	let_the_timer_go_off();
	KUNIT_EXPECT_PTR_EQ(test, ctx->set, ctx->set0);
	KUNIT_EXPECT_GE(test, counters.stops, 1U);
	KUNIT_EXPECT_TRUE(test, counters.on);
	pfm_pause(ctx);
	/* Its time is not up. */
	ctx->set0->flags = PFM_SETFL_TIME_SWITCH;
	ctx->set0->left = NSEC_PER_SEC;
	pfm_resume(ctx);
	let_the_timer_go_off();
	KUNIT_EXPECT_PTR_EQ(test, ctx->set, ctx->set0);
	pfm_pause(ctx);
	ctx->set0->left = 1;
	pfm_resume(ctx);
	let_the_timer_go_off();
	KUNIT_EXPECT_EQ(test, ctx->set->id, 1);
	KUNIT_EXPECT_TRUE(test, counters.on);
	end(ctx);
}

static void on_a_throttled_cpu_the_switch_waits_and_so_does_the_timer(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	program_sets(test, PFM_SETFL_TIME_SWITCH, 0);
	/* The timer may be armed for an earlier time. */
	begin(ctx);
	let_the_timer_go_off();
	pfm_pause(ctx);
	throttle_cpu(10ULL * NSEC_PER_SEC);
	ctx->set0->left = 1;
	counters.stops = 0;
	pfm_resume(ctx);
	preempt_disable();
	local_irq_enable();
	mdelay(2);
	local_irq_disable();
	preempt_enable();
	KUNIT_EXPECT_EQ(test, counters.stops, 0U);
	KUNIT_EXPECT_PTR_EQ(test, ctx->set, ctx->set0);
	throttle_ends();
	end(ctx);
}

/* Like those of the PMU: the limits hold for both together. */
static void an_interrupt_of_the_timer_is_charged(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);
	struct pfm_budget *b;

	program_sets(test, PFM_SETFL_OVFL_SWITCH, 1);
	begin(ctx);
	b = this_cpu_ptr(&pfm_budgets);
	memset(b, 0, sizeof(*b));
	b->window = local_clock();
	b->interrupts = 500;
	let_the_timer_go_off();
	/* To this window, or to the next one, which begins at 0. */
	KUNIT_EXPECT_NE(test, b->interrupts, 500ULL);
	KUNIT_EXPECT_GT(test, b->interrupts, 0ULL);
	memset(b, 0, sizeof(*b));
	end(ctx);
}

static void a_timeout_is_a_multiple_of_the_resolution(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, pfm_timeout_rounded(123457, 1), 123457ULL);
	KUNIT_EXPECT_EQ(test, pfm_timeout_rounded(1, 4000), 4000ULL);
	KUNIT_EXPECT_EQ(test, pfm_timeout_rounded(4000, 4000), 4000ULL);
	KUNIT_EXPECT_EQ(test, pfm_timeout_rounded(4001, 4000), 8000ULL);
	/* Not one that is shorter because the multiple has more than 64 bits. */
	KUNIT_EXPECT_EQ(test, pfm_timeout_rounded(U64_MAX, 4000), U64_MAX);
	KUNIT_EXPECT_EQ(test, pfm_timeout_rounded(U64_MAX - 5000, 4000), U64_MAX - 3615);
}

/* The register at 1 is a PMC with a default, and a PMD that is no counter. */
static void the_registers_of_a_new_set_have_their_defaults(struct kunit *test)
{
	struct pfm_reg_desc pmcs[COUNTERS], pmds[COUNTERS];
	struct pfm_context *ctx = ctx_of(test);
	struct pfm_pmu model = counters_pmu;
	const struct pfm_pmu *before;
	struct pfm_event_set *set;

	memcpy(pmcs, counters_pmcs, sizeof(pmcs));
	memcpy(pmds, counters_pmds, sizeof(pmds));
	pmcs[1].def = 0x5000;
	pmds[1].def = 0x77;
	pmds[1].cls = PFM_CLASS_BUFFER;
	model.pmcs = pmcs;
	model.pmds = pmds;
	before = pfm_pmu_use(&model);
	mutex_lock(&ctx->lock);
	set = pfm_set_obtain(ctx, 7);
	mutex_unlock(&ctx->lock);
	KUNIT_ASSERT_FALSE(test, IS_ERR(set));
	KUNIT_EXPECT_EQ(test, set->regs.pmcs[0], 0ULL);
	KUNIT_EXPECT_EQ(test, set->regs.pmcs[1], 0x5000ULL);
	KUNIT_EXPECT_EQ(test, pfm_pmd_of(set, 0)->value, 0ULL);
	KUNIT_EXPECT_EQ(test, pfm_pmd_of(set, 0)->mask, (u64)U32_MAX);
	KUNIT_EXPECT_EQ(test, pfm_pmd_of(set, 0)->top, FAR);
	KUNIT_EXPECT_EQ(test, pfm_pmd_of(set, 1)->value, 0x77ULL);
	KUNIT_EXPECT_EQ(test, pfm_pmd_of(set, 1)->mask, 0ULL);
	mutex_lock(&ctx->lock);
	KUNIT_EXPECT_TRUE(test, pfm_set_remove(ctx, 7));
	KUNIT_EXPECT_FALSE(test, pfm_set_remove(ctx, 7));
	mutex_unlock(&ctx->lock);
	pfm_pmu_use(before);
}

static struct kunit_case run_cases[] = {
	KUNIT_CASE(registers_that_are_still_there_are_not_loaded_again),
	KUNIT_CASE(registers_are_not_trusted_when_others_had_the_pmu),
	KUNIT_CASE(a_late_interrupt_of_a_session_is_claimed_and_charged),
	KUNIT_CASE(a_wrap_that_a_pause_found_is_remembered),
	KUNIT_CASE(a_step_ends_without_an_overflow_and_the_next_begins),
	KUNIT_CASE(a_suspended_machine_takes_the_context_off_and_brings_it_back),
	KUNIT_CASE(counters_go_on_while_they_are_read),
	KUNIT_CASE(one_reset_of_a_vector_stops_the_counters_for_it),
	KUNIT_CASE(a_register_that_does_not_count_is_read_from_memory),
	KUNIT_CASE(time_without_counting_goes_to_its_account),
	KUNIT_CASE(a_thread_is_excluded_by_its_kind),
	KUNIT_CASE(a_context_that_comes_back_ends_a_throttle_that_is_over),
	KUNIT_CASE(the_timer_changes_sets_whose_time_is_up_and_no_others),
	KUNIT_CASE(on_a_throttled_cpu_the_switch_waits_and_so_does_the_timer),
	KUNIT_CASE(an_interrupt_of_the_timer_is_charged),
	KUNIT_CASE(a_timeout_is_a_multiple_of_the_resolution),
	KUNIT_CASE(the_registers_of_a_new_set_have_their_defaults),
	{ }
};

static struct kunit_suite run_suite = {
	.name = "perfmon_run",
	.init = counters_test_init,
	.exit = pfm_test_context_exit,
	.test_cases = run_cases,
};

kunit_test_suite(run_suite);
