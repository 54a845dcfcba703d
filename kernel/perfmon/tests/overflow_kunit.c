// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the handling of overflows: the accounts, and the actions that a format
 * asks for, on a model of a PMU with two counters.
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/perfmon_fmt.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include "../message.h"
#include "../overflow.h"
#include "../ovfl_arg.h"
#include "../reset.h"
#include "counters.h"

static struct {
	int		err[COUNTERS];
	pfm_ovfl_ctrl_t	ctrl[COUNTERS];
	unsigned int	calls;
	pfm_ovfl_arg_t	seen;	/* of the last call */
} format;

static int model_handler(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data)
{
	format.calls++;
	format.seen = *arg;
	arg->ovfl_ctrl = format.ctrl[arg->ovfl_pmd];
	return format.err[arg->ovfl_pmd];
}

static const pfm_buffer_fmt_t model_fmt = { .fmt_name = "model", .fmt_handler = model_handler };

/* The statistics when the test began. */
static struct pfm_stats began;

#define STAT(name)	(pfm_stats_sum(offsetof(struct pfm_stats, name)) - began.name)

static int overflow_test_init(struct kunit *test)
{
	int err = counters_test_init(test);
	unsigned int i;

	memset(&format, 0, sizeof(format));
	for (i = 0; i < COUNTERS; i++)
		format.ctrl[i].reset_ovfl_pmds = 1;
#define X(name, help) began.name = pfm_stats_sum(offsetof(struct pfm_stats, name));
	PFM_STATS(X)
#undef X
	return err;
}

static void overflow_test_exit(struct kunit *test)
{
	struct pfm_test_context *s = test->priv;

	if (s && s->ctx) {
		s->ctx->fmt = NULL;
		s->ctx->task = NULL;
		irq_work_sync(&s->ctx->notify_work);
	}
	pfm_test_context_exit(test);
}

#define LEDGER(...)	((struct pfm_ledger){ __VA_ARGS__ })

/* The statistics are the sum of all contexts' ledgers, and this one is alone. */
static void expect_ledger(struct kunit *test, struct pfm_ledger want)
{
	const struct pfm_ledger *ledger = &ctx_of(test)->ledger;

	KUNIT_EXPECT_EQ(test, ledger->overflows, want.recorded + want.lost_full + want.lost_error +
						 want.lost_throttled + want.lost_late);
	KUNIT_EXPECT_EQ(test, ledger->recorded, want.recorded);
	KUNIT_EXPECT_EQ(test, ledger->lost_full, want.lost_full);
	KUNIT_EXPECT_EQ(test, ledger->lost_error, want.lost_error);
	KUNIT_EXPECT_EQ(test, ledger->lost_throttled, want.lost_throttled);
	KUNIT_EXPECT_EQ(test, ledger->lost_late, want.lost_late);
	KUNIT_EXPECT_EQ(test, ledger->lost_messages, want.lost_messages);
	KUNIT_EXPECT_EQ(test, STAT(overflows), ledger->overflows);
	KUNIT_EXPECT_EQ(test, STAT(samples), ledger->recorded);
	KUNIT_EXPECT_EQ(test, STAT(samples_lost_full), ledger->lost_full);
	KUNIT_EXPECT_EQ(test, STAT(samples_lost_error), ledger->lost_error);
	KUNIT_EXPECT_EQ(test, STAT(samples_lost_throttled), ledger->lost_throttled);
	KUNIT_EXPECT_EQ(test, STAT(samples_lost_late), ledger->lost_late);
	KUNIT_EXPECT_EQ(test, STAT(messages_lost), ledger->lost_messages);
}

static u64 value_of(struct kunit *test, unsigned int i)
{
	return pfm_pmd_of(ctx_of(test)->set, i)->value;
}

/* The counters of the oldest message, which is removed; 0: there is none. */
static u64 take_message(struct kunit *test, u32 type)
{
	struct pfm_msgq *q = &ctx_of(test)->msgq;
	unsigned long nr;
	pfm_msg_t msg;

	if (!pfm_msgq_peek(q, &msg, &nr))
		return 0;
	pfm_msgq_pop(q, &msg, nr);
	KUNIT_EXPECT_EQ(test, msg.msg_type, type);
	return msg.pfm_ovfl_msg.msg_ovfl_pmds[0];
}

static void program_both(struct kunit *test, u32 first, u32 second)
{
	program_pmc(test, 0, 0, first);
	program_pmc(test, 0, 1, second);
	program_pmd(test, 0, 0, -10, 0);
	program_pmd(test, 0, 1, -10, 0);
}

static void each_overflow_is_in_one_account(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	ctx->fmt = &model_fmt;
	program_both(test, 0, 0);
	begin(ctx);
	overflow(1, 0);
	expect_ledger(test, LEDGER(.recorded = 1));
	overflow(3, 0);
	expect_ledger(test, LEDGER(.recorded = 3));
	KUNIT_EXPECT_EQ(test, counters.counter[0], (u64)(u32)-10);
	KUNIT_EXPECT_EQ(test, counters.counter[1], (u64)(u32)-10);
	format.err[1] = -ENOSPC;
	overflow(3, 0);
	expect_ledger(test, LEDGER(.recorded = 4, .lost_full = 1));
	/* A format that fails records nothing, whatever it asks for. */
	format.err[0] = -EINVAL;
	overflow(1, 0);
	expect_ledger(test, LEDGER(.recorded = 4, .lost_full = 1, .lost_error = 1));
	/* It is not called for the next counters. */
	format.calls = 0;
	overflow(3, 0);
	KUNIT_EXPECT_EQ(test, format.calls, 1U);
	expect_ledger(test, LEDGER(.recorded = 4, .lost_full = 1, .lost_error = 3));
	/* Their counters go on with their next periods. */
	KUNIT_EXPECT_EQ(test, counters.counter[1], (u64)(u32)-10);
	/* One period and five events late */
	format.err[0] = 0;
	overflow(1, 15);
	expect_ledger(test, LEDGER(.recorded = 5, .lost_full = 1, .lost_error = 3,
				   .lost_late = 1));
	KUNIT_EXPECT_EQ(test, counters.counter[0], (u64)(u32)-5);
	end(ctx);
}

static void a_format_that_always_fails_is_given_up(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);
	unsigned int i;

	ctx->fmt = &model_fmt;
	program_both(test, PFM_REGFL_OVFL_NOTIFY, 0);
	begin(ctx);
	/* A full buffer is no failure of the format. */
	format.err[0] = -ENOSPC;
	for (i = 0; i <= PFM_FMT_FAILURES_MAX; i++)
		overflow(1, 0);
	format.err[0] = -EINVAL;
	for (i = 1; i < PFM_FMT_FAILURES_MAX; i++)
		overflow(1, 0);
	KUNIT_EXPECT_FALSE(test, ctx->masked);
	KUNIT_EXPECT_EQ(test, take_message(test, PFM_MSG_OVFL), 0ULL);
	overflow(1, 3);
	KUNIT_EXPECT_TRUE(test, ctx->masked);
	KUNIT_EXPECT_EQ(test, take_message(test, PFM_MSG_OVFL), 1ULL);
	/* The tool sees the value at the overflow. */
	KUNIT_EXPECT_EQ(test, value_of(test, 0), 3ULL);
	end(ctx);
	ctx->masked = false;
}

static void a_wish_for_one_of_several_counters_is_enough(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	ctx->fmt = &model_fmt;
	program_both(test, PFM_REGFL_OVFL_NOTIFY, 0);
	begin(ctx);
	/* The first one asks for a message, the second for nothing but its reset. */
	format.ctrl[0].notify_user = 1;
	format.ctrl[0].reset_ovfl_pmds = 0;
	overflow(3, 0);
	KUNIT_EXPECT_EQ(test, take_message(test, PFM_MSG_OVFL), 3ULL);
	KUNIT_EXPECT_FALSE(test, ctx->masked);
	KUNIT_EXPECT_EQ(test, value_of(test, 0), 0ULL);
	KUNIT_EXPECT_EQ(test, value_of(test, 1), -10ULL);
	/* The first one's reset waits; after its next sample it is done. */
	KUNIT_EXPECT_EQ(test, ctx->set->ovfl_pmds, 1ULL);
	memset(format.ctrl, 0, sizeof(format.ctrl));
	format.ctrl[0].reset_ovfl_pmds = 1;
	pfm_pause(ctx);
	pfm_pmd_set_value(ctx->set, 0, -10);
	pfm_resume(ctx);
	overflow(1, 0);
	KUNIT_EXPECT_EQ(test, ctx->set->ovfl_pmds, 0ULL);
	KUNIT_EXPECT_EQ(test, take_message(test, PFM_MSG_OVFL), 0ULL);
	/* A mask leaves all values as they are. */
	format.ctrl[0].mask_monitoring = 1;
	overflow(3, 4);
	KUNIT_EXPECT_TRUE(test, ctx->masked);
	KUNIT_EXPECT_EQ(test, value_of(test, 0), 4ULL);
	KUNIT_EXPECT_EQ(test, value_of(test, 1), 4ULL);
	KUNIT_EXPECT_EQ(test, ctx->set->ovfl_pmds, 3ULL);
	end(ctx);
	ctx->masked = false;
}

static void a_mask_without_a_message_masks(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	ctx->fmt = &model_fmt;
	program_both(test, PFM_REGFL_OVFL_NOTIFY, 0);
	format.ctrl[1].mask_monitoring = 1;
	begin(ctx);
	overflow(2, 4);
	KUNIT_EXPECT_TRUE(test, ctx->masked);
	KUNIT_EXPECT_FALSE(test, counters.on);
	KUNIT_EXPECT_EQ(test, value_of(test, 1), 4ULL);
	end(ctx);
	ctx->masked = false;
}

/* The time of the mask is not. */
static void the_time_before_a_sample_that_masks_is_the_sets(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);
	u64 counted;

	ctx->fmt = &model_fmt;
	program_both(test, 0, 0);
	format.ctrl[0].mask_monitoring = 1;
	begin(ctx);
	ndelay(2000);
	overflow(1, 0);
	counted = ctx->set->active;
	KUNIT_EXPECT_GE(test, counted, 2000ULL);
	ndelay(2000);
	end(ctx);
	KUNIT_EXPECT_EQ(test, ctx->set->active, counted);
	KUNIT_EXPECT_GE(test, ctx->ledger.masked_ns, 2000ULL);
	ctx->masked = false;
}

static void a_thread_blocks_only_if_its_context_may_block_it(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	ctx->fmt = &model_fmt;
	ctx->task = current;
	program_both(test, 0, 0);
	begin(ctx);
	ctx->flags = PFM_FL_EXTRA_MSG;
	format.ctrl[0].block_thread = 1;
	overflow(1, 0);
	overflow(3, 0);
	KUNIT_EXPECT_FALSE(test, ctx->blocked);
	ctx->flags = PFM_FL_NOTIFY_BLOCK;
	overflow(2, 0);
	KUNIT_EXPECT_FALSE(test, ctx->blocked);
	overflow(3, 0);
	KUNIT_EXPECT_TRUE(test, ctx->blocked);
	ctx->blocked = false;
	overflow(1, 0);
	KUNIT_EXPECT_TRUE(test, ctx->blocked);
	ctx->blocked = false;
	/* Nor does an overflow without a format that notifies of nothing. */
	ctx->fmt = NULL;
	overflow(1, 0);
	KUNIT_EXPECT_FALSE(test, ctx->blocked);
	end(ctx);
	ctx->task = NULL;
	ctx->flags = 0;
	clear_tsk_thread_flag(current, TIF_NOTIFY_RESUME);
}

static void a_handler_gets_what_its_own_counter_asks_for(struct kunit *test)
{
	pfarg_pmc_t pmc = { .reg_num = 1, .reg_value = 5, .reg_smpl_eventid = 99,
			    .reg_smpl_pmds = { BIT_ULL(0) } };
	struct pfm_context *ctx = ctx_of(test);
	u64 virtuals[PFM_MAX_PMD_BITVECTOR] = { };

	ctx->fmt = &model_fmt;
	program_both(test, PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_NO_64BIT_EMUL, 0);
	pfm_bv_set(pmc.reg_smpl_pmds, PFM_PMD_TID);
	pfm_bv_set(virtuals, PFM_PMD_TID);
	pfm_test_command(test, pfm_write_pmcs, &pmc);
	begin(ctx);
	counters.counter[0] = (u32)-3;
	overflow(2, 1);
	KUNIT_EXPECT_EQ(test, format.seen.ovfl_pmd, 1);
	KUNIT_EXPECT_EQ(test, format.seen.active_set, 0);
	KUNIT_EXPECT_EQ(test, format.seen.ovfl_notify, 0);
	KUNIT_EXPECT_EQ(test, format.seen.pmd_last_reset, -10ULL);
	KUNIT_EXPECT_EQ(test, format.seen.pmd_value, 1ULL);
	KUNIT_EXPECT_EQ(test, format.seen.pmd_eventid, 99ULL);
	KUNIT_EXPECT_EQ(test, format.seen.num_smpl_pmds, 2);
	KUNIT_EXPECT_EQ(test, format.seen.smpl_pmds[0], 1ULL);
	KUNIT_EXPECT_EQ(test, format.seen.smpl_pmds[PFM_PMD_TID / 64],
			virtuals[PFM_PMD_TID / 64]);
	/* The first one has no 64-bit emulation: its value is that of its register. */
	KUNIT_EXPECT_EQ(test, format.seen.smpl_pmds_values[0], (u64)(u32)-3);
	KUNIT_EXPECT_EQ(test, format.seen.smpl_pmds_values[1], (u64)current->pid);
	overflow(1, 2);
	KUNIT_EXPECT_EQ(test, format.seen.ovfl_pmd, 0);
	KUNIT_EXPECT_EQ(test, format.seen.ovfl_notify, 1);
	KUNIT_EXPECT_EQ(test, format.seen.pmd_value, 2ULL);
	KUNIT_EXPECT_EQ(test, format.seen.pmd_eventid, 0ULL);
	KUNIT_EXPECT_EQ(test, format.seen.num_smpl_pmds, 0);
	end(ctx);
}

static void a_counter_steps_while_another_is_sampled(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	ctx->fmt = &model_fmt;
	program_both(test, 0, 0);
	program_pmd(test, 0, 1, 0, 0);
	begin(ctx);
	KUNIT_EXPECT_EQ(test, counters.counter[1], FAR);
	/* It is half of the register's range on, and five events. */
	counters.counter[1] = 5;
	overflow(1, 0);
	KUNIT_EXPECT_EQ(test, format.calls, 1U);
	KUNIT_EXPECT_EQ(test, value_of(test, 1), FAR + 5);
	KUNIT_EXPECT_EQ(test, counters.counter[1], FAR + 5);
	end(ctx);
}

static void without_a_format_a_message_records_its_counters(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);
	unsigned int i, depth = ctx->msgq.depth;

	program_both(test, PFM_REGFL_OVFL_NOTIFY, 0);
	begin(ctx);
	overflow(3, 2);
	KUNIT_EXPECT_TRUE(test, ctx->masked);
	KUNIT_EXPECT_EQ(test, ctx->set->ovfl_pmds, 3ULL);
	KUNIT_EXPECT_EQ(test, take_message(test, PFM_MSG_OVFL), 3ULL);
	expect_ledger(test, LEDGER(.recorded = 1));
	/* A counter that does not notify just wraps. */
	ctx->masked = false;
	pfm_pmd_set_value(ctx->set, 1, -10);
	pfm_resume(ctx);
	overflow(2, 2);
	KUNIT_EXPECT_FALSE(test, ctx->masked);
	KUNIT_EXPECT_EQ(test, value_of(test, 1), 2ULL);
	expect_ledger(test, LEDGER(.recorded = 1));
	/* The queue takes so many messages; the next one is lost, and its overflow. */
	for (i = 0; i < depth + 1; i++) {
		pfm_pause(ctx);
		ctx->masked = false;
		pfm_pmd_set_value(ctx->set, 0, -10);
		pfm_resume(ctx);
		overflow(1, 0);
	}
	expect_ledger(test, LEDGER(.recorded = depth + 1, .lost_full = 1,
				   .lost_messages = 1));
	/* A tool that wants the signal alone loses nothing. */
	ctx->flags = PFM_FL_OVFL_NO_MSG;
	pfm_pause(ctx);
	ctx->masked = false;
	pfm_pmd_set_value(ctx->set, 0, -10);
	pfm_resume(ctx);
	overflow(1, 0);
	KUNIT_EXPECT_TRUE(test, ctx->masked);
	expect_ledger(test, LEDGER(.recorded = depth + 2, .lost_full = 1,
				   .lost_messages = 1));
	end(ctx);
	ctx->flags = 0;
	ctx->masked = false;
}

static void a_threshold_without_overflow_switching_is_none(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	program_sets(test, PFM_SETFL_TIME_SWITCH, 1);
	begin(ctx);
	overflow(3, 2);
	KUNIT_EXPECT_PTR_EQ(test, ctx->set, ctx->set0);
	KUNIT_EXPECT_EQ(test, value_of(test, 0), 2ULL);
	KUNIT_EXPECT_EQ(test, value_of(test, 1), 2ULL);
	/* Nor on a throttled CPU. */
	throttle_cpu(NSEC_PER_SEC);
	pfm_pause(ctx);
	pfm_resume(ctx);
	counters.counter[0] -= 2 + 10;
	pfm_pause(ctx);
	pfm_pmd_set_value(ctx->set, 0, -10);
	pfm_resume(ctx);
	counters.counter[0] += 15;
	pfm_pause(ctx);
	pfm_resume(ctx);
	KUNIT_EXPECT_PTR_EQ(test, ctx->set, ctx->set0);
	KUNIT_EXPECT_EQ(test, value_of(test, 0), 5ULL);
	throttle_ends();
	end(ctx);
}

static void a_trigger_is_reset_until_it_reaches_its_threshold(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);
	struct pfm_event_set *set = ctx->set0;

	program_sets(test, PFM_SETFL_OVFL_SWITCH, 2);
	program_pmd(test, 0, 1, -10, 0);
	begin(ctx);
	overflow(3, 2);
	KUNIT_EXPECT_PTR_EQ(test, ctx->set, set);
	KUNIT_EXPECT_EQ(test, value_of(test, 0), -10ULL);
	KUNIT_EXPECT_EQ(test, value_of(test, 1), 2ULL);
	KUNIT_EXPECT_EQ(test, pfm_pmd_of(set, 0)->ovflsw_left, 1ULL);
	overflow(1, 2);
	KUNIT_EXPECT_EQ(test, ctx->set->id, 1);
	KUNIT_EXPECT_EQ(test, set->switch_pmds, 1ULL);
	KUNIT_EXPECT_EQ(test, set->ovfl_pmds, 1ULL);
	end(ctx);
	/* None of these overflows asks for a record. */
	expect_ledger(test, LEDGER());
	KUNIT_EXPECT_EQ(test, STAT(switches_overflow), 1ULL);
	KUNIT_EXPECT_EQ(test, STAT(switches_time), 0ULL);
}

static void triggers_that_are_due_together_are_all_named(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	ctx->fmt = &model_fmt;
	program_sets(test, PFM_SETFL_OVFL_SWITCH, 1);
	begin(ctx);
	overflow(3, 0);
	KUNIT_EXPECT_EQ(test, ctx->set->id, 1);
	KUNIT_EXPECT_EQ(test, ctx->set0->switch_pmds, 3ULL);
	/* Set 1 has no trigger, and stays. */
	overflow(1, 0);
	overflow(3, 0);
	KUNIT_EXPECT_EQ(test, ctx->set->id, 1);
	KUNIT_EXPECT_EQ(test, ctx->set->runs, 1ULL);
	expect_ledger(test, LEDGER(.recorded = 5));
	end(ctx);
}

static void one_trigger_is_enough_with_a_format(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	ctx->fmt = &model_fmt;
	program_sets(test, PFM_SETFL_OVFL_SWITCH, 1);
	begin(ctx);
	overflow(2, 0);
	KUNIT_EXPECT_EQ(test, ctx->set->id, 1);
	KUNIT_EXPECT_EQ(test, ctx->set0->switch_pmds, 2ULL);
	KUNIT_EXPECT_EQ(test, format.calls, 1U);
	end(ctx);
}

static void on_a_throttled_cpu_overflows_are_counted_and_nothing_else(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	ctx->fmt = &model_fmt;
	ctx->flags = PFM_FL_EXTRA_MSG;
	program_both(test, PFM_REGFL_OVFL_NOTIFY, 0);
	program_pmd(test, 0, 1, -1000, 0);
	throttle_cpu(NSEC_PER_SEC);
	begin(ctx);
	KUNIT_EXPECT_TRUE(test, counters.throttled);
	KUNIT_EXPECT_EQ(test, counters.counter[0], FAR);
	KUNIT_EXPECT_EQ(test, counters.counter[1], FAR);
	/* The first one's overflow is one period and five events ago. */
	counters.counter[0] += 25;
	counters.counter[1] += 25;
	pfm_pause(ctx);
	KUNIT_EXPECT_EQ(test, format.calls, 0U);
	expect_ledger(test, LEDGER(.lost_throttled = 2));
	KUNIT_EXPECT_EQ(test, value_of(test, 0), -5ULL);
	KUNIT_EXPECT_EQ(test, value_of(test, 1), -975ULL);
	KUNIT_EXPECT_EQ(test, ctx->set->ovfl_pmds, 0ULL);
	KUNIT_EXPECT_EQ(test, ctx->set->runs, 0ULL);
	KUNIT_EXPECT_EQ(test, take_message(test, PFM_MSG_THROTTLE), 1ULL);
	KUNIT_EXPECT_EQ(test, take_message(test, PFM_MSG_THROTTLE), 0ULL);
	KUNIT_EXPECT_EQ(test, STAT(throttles), 1ULL);
	/* At its end both interrupt again. */
	throttle_ends();
	pfm_resume(ctx);
	KUNIT_EXPECT_FALSE(test, counters.throttled);
	KUNIT_EXPECT_EQ(test, counters.counter[0], (u64)(u32)-5);
	KUNIT_EXPECT_EQ(test, counters.counter[1], (u64)(u32)-975);
	overflow(1, 0);
	expect_ledger(test, LEDGER(.lost_throttled = 2, .recorded = 1));
	/* The next throttle is another one, without a message if the tool takes none. */
	ctx->flags = PFM_FL_OVFL_NO_MSG;
	throttle_cpu(NSEC_PER_SEC);
	pfm_pause(ctx);
	pfm_resume(ctx);
	counters.counter[0] += 12;
	pfm_pause(ctx);
	KUNIT_EXPECT_EQ(test, STAT(throttles), 2ULL);
	KUNIT_EXPECT_EQ(test, take_message(test, PFM_MSG_THROTTLE), 0ULL);
	throttle_ends();
	end(ctx);
	ctx->flags = 0;
}

static void an_interrupt_finds_that_its_cpu_is_throttled(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	ctx->fmt = &model_fmt;
	program_both(test, 0, 0);
	begin(ctx);
	/* The throttle began after the counters were armed: this sample is still recorded. */
	throttle_cpu(NSEC_PER_SEC);
	overflow(1, 0);
	expect_ledger(test, LEDGER(.recorded = 1));
	KUNIT_EXPECT_EQ(test, counters.counter[0], FAR);
	KUNIT_EXPECT_EQ(test, counters.counter[1], FAR);
	/* It is over, and the counters are still armed as they were. */
	throttle_ends();
	counters.counter[0] += 12;
	pfm_pmu_interrupt(NULL);
	expect_ledger(test, LEDGER(.recorded = 1, .lost_throttled = 1));
	KUNIT_EXPECT_EQ(test, counters.counter[0], (u64)(u32)-8);
	end(ctx);
}

static void without_a_format_the_throttle_lets_those_that_notify_interrupt(struct kunit *test)
{
	struct pfm_context *ctx = ctx_of(test);

	program_both(test, 0, PFM_REGFL_OVFL_NOTIFY);
	throttle_cpu(NSEC_PER_SEC);
	begin(ctx);
	KUNIT_EXPECT_EQ(test, counters.counter[0], FAR);
	KUNIT_EXPECT_EQ(test, counters.counter[1], (u64)(u32)-10);
	counters.counter[0] += 12;
	overflow(2, 1);
	KUNIT_EXPECT_TRUE(test, ctx->masked);
	KUNIT_EXPECT_EQ(test, take_message(test, PFM_MSG_OVFL), 2ULL);
	KUNIT_EXPECT_EQ(test, value_of(test, 0), 2ULL);
	expect_ledger(test, LEDGER(.recorded = 1));
	throttle_ends();
	end(ctx);
	ctx->masked = false;
}

static void the_emulation_of_one_counter_is_not_that_of_another(struct kunit *test)
{
	pfarg_pmd_t req = { };
	struct pfm_context *ctx = ctx_of(test);

	program_both(test, 0, PFM_REGFL_NO_64BIT_EMUL);
	begin(ctx);
	overflow(3, 2);
	KUNIT_EXPECT_EQ(test, value_of(test, 0), 2ULL);
	end(ctx);
	program_pmd(test, 0, 0, 0x123456789aULL, 0);
	program_pmd(test, 0, 1, 0x123456789aULL, 0);
	pfm_test_command(test, pfm_read_pmds, &req);
	KUNIT_EXPECT_EQ(test, req.reg_value, 0x123456789aULL);
	req.reg_num = 1;
	pfm_test_command(test, pfm_read_pmds, &req);
	KUNIT_EXPECT_EQ(test, req.reg_value, 0x3456789aULL);
	/* With the first one's comes the second one's. */
	program_pmc(test, 0, 0, PFM_REGFL_NO_64BIT_EMUL);
	req.reg_num = 0;
	pfm_test_command(test, pfm_read_pmds, &req);
	KUNIT_EXPECT_EQ(test, req.reg_value, 0x3456789aULL);
	program_pmc(test, 0, 0, 0);
	pfm_test_command(test, pfm_read_pmds, &req);
	KUNIT_EXPECT_EQ(test, req.reg_value, 0x3456789aULL);
}

static void a_stamp_is_given_out_once(struct kunit *test)
{
	u64 now, first, second;

	preempt_disable();
	now = local_clock() + NSEC_PER_MSEC;
	first = pfm_stamp(now);
	second = pfm_stamp(now);
	KUNIT_EXPECT_EQ(test, first, now);
	KUNIT_EXPECT_GT(test, second, first);
	KUNIT_EXPECT_EQ(test, pfm_stamp(now + NSEC_PER_USEC), now + NSEC_PER_USEC);
	preempt_enable();
}

/* Addresses of the kernel are secret. */
static void registers_of_kernel_level_are_shown_if_it_is_monitored(struct kunit *test)
{
	struct pfm_event_set set = { .kernel = true };
	struct pt_regs *none = NULL, kernel = { };

	/* This thread is one of the kernel, and has no others. */
	local_irq_disable();
	KUNIT_EXPECT_PTR_EQ(test, pfm_ovfl_regs(&set, &kernel), &kernel);
	KUNIT_EXPECT_PTR_EQ(test, pfm_ovfl_regs(&set, NULL), none);
	set.kernel = false;
	KUNIT_EXPECT_PTR_EQ(test, pfm_ovfl_regs(&set, &kernel), none);
	KUNIT_EXPECT_PTR_EQ(test, pfm_ovfl_regs(&set, NULL), none);
	local_irq_enable();
}

static struct kunit_case overflow_cases[] = {
	KUNIT_CASE(each_overflow_is_in_one_account),
	KUNIT_CASE(a_format_that_always_fails_is_given_up),
	KUNIT_CASE(a_wish_for_one_of_several_counters_is_enough),
	KUNIT_CASE(a_mask_without_a_message_masks),
	KUNIT_CASE(the_time_before_a_sample_that_masks_is_the_sets),
	KUNIT_CASE(a_thread_blocks_only_if_its_context_may_block_it),
	KUNIT_CASE(a_handler_gets_what_its_own_counter_asks_for),
	KUNIT_CASE(a_counter_steps_while_another_is_sampled),
	KUNIT_CASE(without_a_format_a_message_records_its_counters),
	KUNIT_CASE(a_threshold_without_overflow_switching_is_none),
	KUNIT_CASE(a_trigger_is_reset_until_it_reaches_its_threshold),
	KUNIT_CASE(triggers_that_are_due_together_are_all_named),
	KUNIT_CASE(one_trigger_is_enough_with_a_format),
	KUNIT_CASE(on_a_throttled_cpu_overflows_are_counted_and_nothing_else),
	KUNIT_CASE(an_interrupt_finds_that_its_cpu_is_throttled),
	KUNIT_CASE(without_a_format_the_throttle_lets_those_that_notify_interrupt),
	KUNIT_CASE(the_emulation_of_one_counter_is_not_that_of_another),
	KUNIT_CASE(a_stamp_is_given_out_once),
	KUNIT_CASE(registers_of_kernel_level_are_shown_if_it_is_monitored),
	{ }
};

static struct kunit_suite overflow_suite = {
	.name = "perfmon_overflow",
	.init = overflow_test_init,
	.exit = overflow_test_exit,
	.test_cases = overflow_cases,
};

kunit_test_suite(overflow_suite);
