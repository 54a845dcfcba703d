// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests of the notification queue.
 */
#include <kunit/test.h>
#include <linux/irq_work.h>
#include <linux/string.h>
#include <linux/wait.h>
#include "../context.h"
#include "../message.h"
#include "../notify.h"
#include "../stats.h"
#include "woken.h"

static struct pfm_msgq *queue(struct kunit *test, unsigned int depth)
{
	struct pfm_msgq *q = kunit_kzalloc(test, sizeof(*q), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, q);
	/* Whatever the memory holds. */
	memset(q, 0xa5, sizeof(*q));
	KUNIT_ASSERT_EQ(test, pfm_msgq_init(q, depth), 0);
	return q;
}

static bool post(struct pfm_msgq *q, u16 set)
{
	struct pfm_note note = { .type = PFM_MSG_OVFL, .set = set, .pmds = set };

	return pfm_msgq_post(q, &note);
}

/* The set of the oldest message, which is removed; -1: PFM_MSG_END; -2: no message. */
static int take(struct pfm_msgq *q)
{
	unsigned long nr;
	pfm_msg_t msg;

	if (!pfm_msgq_peek(q, &msg, &nr))
		return -2;
	pfm_msgq_pop(q, &msg, nr);
	return msg.msg_type == PFM_MSG_END ? -1 : msg.pfm_ovfl_msg.msg_active_set;
}

/* covers: 3.3.1-2 */
static void messages_come_in_order(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 3);
	int i;

	KUNIT_EXPECT_TRUE(test, pfm_msgq_empty(q));
	for (i = 0; i < 20; i++) {
		KUNIT_EXPECT_TRUE(test, post(q, 2 * i));
		KUNIT_EXPECT_TRUE(test, post(q, 2 * i + 1));
		KUNIT_EXPECT_FALSE(test, pfm_msgq_empty(q));
		KUNIT_EXPECT_EQ(test, take(q), 2 * i);
		KUNIT_EXPECT_EQ(test, take(q), 2 * i + 1);
		KUNIT_EXPECT_EQ(test, take(q), -2);
	}
	pfm_msgq_destroy(q);
}

/* covers: 3.3.6-2 D.7-10 */
static void full_queue_takes_nothing_but_the_end(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 2);

	KUNIT_EXPECT_TRUE(test, post(q, 1));
	KUNIT_EXPECT_TRUE(test, post(q, 2));
	KUNIT_EXPECT_FALSE(test, post(q, 3));
	pfm_msgq_end(q);
	KUNIT_EXPECT_EQ(test, take(q), 1);
	KUNIT_EXPECT_EQ(test, take(q), 2);
	KUNIT_EXPECT_EQ(test, take(q), -1);
	KUNIT_EXPECT_EQ(test, take(q), -2);
	pfm_msgq_destroy(q);
}

/* covers: 3.3.5-1 */
static void reset_discards_and_late_pop_removes_nothing(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 2);
	unsigned long nr;
	pfm_msg_t msg;

	post(q, 1);
	pfm_msgq_end(q);
	KUNIT_ASSERT_TRUE(test, pfm_msgq_peek(q, &msg, &nr));
	pfm_msgq_reset(q);
	KUNIT_EXPECT_TRUE(test, pfm_msgq_empty(q));
	KUNIT_EXPECT_TRUE(test, post(q, 5));
	pfm_msgq_pop(q, &msg, nr);
	KUNIT_EXPECT_EQ(test, take(q), 5);
	pfm_msgq_destroy(q);
}

/* Nothing but this message is there, and its number is not the next one's. */
static void a_late_pop_removes_no_later_message(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 2);
	unsigned long nr;
	pfm_msg_t msg;

	post(q, 1);
	KUNIT_ASSERT_TRUE(test, pfm_msgq_peek(q, &msg, &nr));
	pfm_msgq_reset(q);
	KUNIT_EXPECT_TRUE(test, post(q, 5));
	pfm_msgq_pop(q, &msg, nr);
	KUNIT_EXPECT_EQ(test, take(q), 5);
	pfm_msgq_destroy(q);
}

/* PFM_MSGQ_FEW messages are part of the context. */
static void only_a_long_queue_takes_memory(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, PFM_MSGQ_FEW);

	KUNIT_EXPECT_PTR_EQ(test, &q->notes[0], &q->few[0]);
	pfm_msgq_destroy(q);
	KUNIT_EXPECT_EQ(test, pfm_msgq_size(1), 0UL);
	KUNIT_EXPECT_EQ(test, pfm_msgq_size(PFM_MSGQ_FEW), 0UL);
	KUNIT_EXPECT_EQ(test, pfm_msgq_size(PFM_MSGQ_FEW + 1),
			(PFM_MSGQ_FEW + 1) * sizeof(struct pfm_note));
}

static bool throttle(struct pfm_msgq *q, u16 set)
{
	struct pfm_note note = { .set = set, .pmds = set };

	return pfm_msgq_throttle(q, &note);
}

static void a_throttle_takes_no_slot_and_stands_for_later_ones(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 1);
	unsigned long nr;
	pfm_msg_t msg;

	KUNIT_EXPECT_TRUE(test, throttle(q, 7));
	KUNIT_EXPECT_FALSE(test, pfm_msgq_empty(q));
	KUNIT_EXPECT_FALSE(test, throttle(q, 8));
	KUNIT_EXPECT_TRUE(test, post(q, 1));
	KUNIT_EXPECT_FALSE(test, post(q, 2));
	pfm_msgq_end(q);
	KUNIT_EXPECT_EQ(test, take(q), 1);
	KUNIT_ASSERT_TRUE(test, pfm_msgq_peek(q, &msg, &nr));
	KUNIT_EXPECT_EQ(test, msg.msg_type, (u32)PFM_MSG_THROTTLE);
	KUNIT_EXPECT_EQ(test, msg.pfm_ovfl_msg.msg_active_set, (u16)7);
	KUNIT_EXPECT_EQ(test, msg.pfm_ovfl_msg.msg_ovfl_pmds[0], 7ULL);
	/* A message that is posted before the pop stays. */
	KUNIT_EXPECT_TRUE(test, post(q, 3));
	pfm_msgq_pop(q, &msg, nr);
	KUNIT_EXPECT_EQ(test, take(q), 3);
	KUNIT_EXPECT_EQ(test, take(q), -1);
	KUNIT_EXPECT_EQ(test, take(q), -2);
	throttle(q, 9);
	pfm_msgq_reset(q);
	KUNIT_EXPECT_TRUE(test, pfm_msgq_empty(q));
	pfm_msgq_destroy(q);
}

static void a_late_pop_removes_no_later_throttle(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 1);
	unsigned long nr;
	pfm_msg_t msg;

	throttle(q, 1);
	KUNIT_ASSERT_TRUE(test, pfm_msgq_peek(q, &msg, &nr));
	pfm_msgq_reset(q);
	throttle(q, 2);
	pfm_msgq_pop(q, &msg, nr);
	KUNIT_EXPECT_EQ(test, take(q), 2);
	pfm_msgq_destroy(q);
}

#define MESSAGES(name)	pfm_stats_sum(offsetof(struct pfm_stats, name))

static void every_message_is_in_the_statistics(struct kunit *test)
{
	u64 before, lost = MESSAGES(messages_lost), reset = MESSAGES(messages_reset);
	struct pfm_msgq *q = queue(test, 1);

	post(q, 1);
	take(q);
	before = MESSAGES(messages);
	post(q, 1);
	KUNIT_EXPECT_EQ(test, MESSAGES(messages), before + 1);
	post(q, 2);
	KUNIT_EXPECT_EQ(test, MESSAGES(messages_lost), lost + 1);
	throttle(q, 3);
	throttle(q, 4);
	KUNIT_EXPECT_EQ(test, MESSAGES(messages), before + 2);
	pfm_msgq_preempt(q, PFM_MSG_SUSPEND);
	pfm_msgq_preempt(q, PFM_MSG_RESUME);
	pfm_msgq_end(q);
	KUNIT_EXPECT_EQ(test, MESSAGES(messages), before + 5);
	pfm_msgq_reset(q);
	KUNIT_EXPECT_EQ(test, MESSAGES(messages_reset), reset + 5);
	pfm_msgq_destroy(q);
}

static u32 peek(struct pfm_msgq *q, pfm_msg_t *msg, unsigned long *nr)
{
	return pfm_msgq_peek(q, msg, nr) ? msg->msg_type : 0;
}

/* The type of the oldest message, which is removed; 0: no message. */
static u32 take_type(struct pfm_msgq *q)
{
	unsigned long nr;
	pfm_msg_t msg;

	if (!peek(q, &msg, &nr))
		return 0;
	pfm_msgq_pop(q, &msg, nr);
	return msg.msg_type;
}

/* covers: 6.5-3 */
static void the_last_of_suspensions_and_returns_is_how_it_is(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 1);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		pfm_msgq_preempt(q, PFM_MSG_SUSPEND);
		pfm_msgq_preempt(q, PFM_MSG_RESUME);
	}
	KUNIT_EXPECT_TRUE(test, post(q, 1));
	pfm_msgq_end(q);
	KUNIT_EXPECT_EQ(test, take(q), 1);
	KUNIT_EXPECT_EQ(test, take_type(q), (u32)PFM_MSG_SUSPEND);
	KUNIT_EXPECT_EQ(test, take_type(q), (u32)PFM_MSG_RESUME);
	KUNIT_EXPECT_EQ(test, take(q), -1);
	pfm_msgq_preempt(q, PFM_MSG_SUSPEND);
	KUNIT_EXPECT_EQ(test, take_type(q), (u32)PFM_MSG_SUSPEND);
	pfm_msgq_preempt(q, PFM_MSG_RESUME);
	pfm_msgq_preempt(q, PFM_MSG_SUSPEND);
	KUNIT_EXPECT_FALSE(test, pfm_msgq_empty(q));
	KUNIT_EXPECT_EQ(test, take_type(q), (u32)PFM_MSG_SUSPEND);
	KUNIT_EXPECT_TRUE(test, pfm_msgq_empty(q));
	pfm_msgq_preempt(q, PFM_MSG_SUSPEND);
	pfm_msgq_preempt(q, PFM_MSG_RESUME);
	pfm_msgq_reset(q);
	KUNIT_EXPECT_TRUE(test, pfm_msgq_empty(q));
	pfm_msgq_destroy(q);
}

/* covers: 6.5-3 */
static void a_return_that_follows_the_one_in_hand_stays(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 1);
	unsigned long nr;
	pfm_msg_t msg;

	pfm_msgq_preempt(q, PFM_MSG_RESUME);
	KUNIT_ASSERT_EQ(test, peek(q, &msg, &nr), (u32)PFM_MSG_RESUME);
	pfm_msgq_preempt(q, PFM_MSG_SUSPEND);
	pfm_msgq_preempt(q, PFM_MSG_RESUME);
	pfm_msgq_pop(q, &msg, nr);
	KUNIT_ASSERT_EQ(test, peek(q, &msg, &nr), (u32)PFM_MSG_SUSPEND);
	pfm_msgq_preempt(q, PFM_MSG_SUSPEND);
	pfm_msgq_preempt(q, PFM_MSG_RESUME);
	pfm_msgq_pop(q, &msg, nr);
	KUNIT_EXPECT_EQ(test, take_type(q), (u32)PFM_MSG_RESUME);
	KUNIT_EXPECT_EQ(test, take_type(q), 0U);
	pfm_msgq_destroy(q);
}

/* covers: 4.1-1 */
static void message_is_zero_but_for_its_content(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 1);
	pfm_msg_t msg, want = { };
	unsigned long nr;

	memset(&msg, 0xff, sizeof(msg));
	post(q, 7);
	KUNIT_ASSERT_TRUE(test, pfm_msgq_peek(q, &msg, &nr));
	want.pfm_ovfl_msg.msg_type = PFM_MSG_OVFL;
	want.pfm_ovfl_msg.msg_active_set = 7;
	want.pfm_ovfl_msg.msg_ovfl_pmds[0] = 7;
	KUNIT_EXPECT_EQ(test, memcmp(&msg, &want, sizeof(msg)), 0);
	pfm_msgq_destroy(q);
}

static void each_kind_of_message_is_one(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 1);

	pfm_msgq_preempt(q, PFM_MSG_RESUME);
	KUNIT_EXPECT_FALSE(test, pfm_msgq_empty(q));
	KUNIT_EXPECT_EQ(test, take_type(q), (u32)PFM_MSG_RESUME);
	pfm_msgq_preempt(q, PFM_MSG_SUSPEND);
	KUNIT_EXPECT_FALSE(test, pfm_msgq_empty(q));
	KUNIT_EXPECT_EQ(test, take_type(q), (u32)PFM_MSG_SUSPEND);
	throttle(q, 1);
	KUNIT_EXPECT_FALSE(test, pfm_msgq_empty(q));
	KUNIT_EXPECT_EQ(test, take_type(q), (u32)PFM_MSG_THROTTLE);
	pfm_msgq_end(q);
	KUNIT_EXPECT_FALSE(test, pfm_msgq_empty(q));
	KUNIT_EXPECT_EQ(test, take_type(q), (u32)PFM_MSG_END);
	KUNIT_EXPECT_TRUE(test, pfm_msgq_empty(q));
	pfm_msgq_destroy(q);
}

/* A program may poll for either event. */
static void pollers_are_woken_for_normal_and_other_data(struct kunit *test)
{
	struct pfm_msgq *q = queue(test, 1);
	struct wait_queue_entry entry;

	woken_by(&q->wait, &entry);
	pfm_msgq_preempt(q, PFM_MSG_SUSPEND);
	KUNIT_EXPECT_TRUE(test, woken_to_read());
	woken_for = 0;
	pfm_msgq_end(q);
	KUNIT_EXPECT_TRUE(test, woken_to_read());
	remove_wait_queue(&q->wait, &entry);
	pfm_msgq_destroy(q);
}

static void notify_nothing(struct irq_work *work)
{
}

/* Work that waits for the timer stands for that of a CPU whose interrupts are late. */
static void an_unload_waits_for_its_notification(struct kunit *test)
{
	struct pfm_context *ctx = kunit_kzalloc(test, sizeof(*ctx), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, ctx);
	ctx->notify_work = IRQ_WORK_INIT_LAZY(notify_nothing);
	for (i = 0; i < 4; i++) {
		irq_work_queue(&ctx->notify_work);
		pfm_notify_flush(ctx);
		KUNIT_EXPECT_FALSE(test, irq_work_is_busy(&ctx->notify_work));
	}
	irq_work_sync(&ctx->notify_work);
}

static struct kunit_case pfm_message_cases[] = {
	KUNIT_CASE(messages_come_in_order),
	KUNIT_CASE(full_queue_takes_nothing_but_the_end),
	KUNIT_CASE(reset_discards_and_late_pop_removes_nothing),
	KUNIT_CASE(a_late_pop_removes_no_later_message),
	KUNIT_CASE(only_a_long_queue_takes_memory),
	KUNIT_CASE(a_throttle_takes_no_slot_and_stands_for_later_ones),
	KUNIT_CASE(a_late_pop_removes_no_later_throttle),
	KUNIT_CASE(every_message_is_in_the_statistics),
	KUNIT_CASE(the_last_of_suspensions_and_returns_is_how_it_is),
	KUNIT_CASE(a_return_that_follows_the_one_in_hand_stays),
	KUNIT_CASE(message_is_zero_but_for_its_content),
	KUNIT_CASE(each_kind_of_message_is_one),
	KUNIT_CASE(pollers_are_woken_for_normal_and_other_data),
	KUNIT_CASE(an_unload_waits_for_its_notification),
	{ }
};

static struct kunit_suite pfm_message_suite = {
	.name = "perfmon_message",
	.test_cases = pfm_message_cases,
};

kunit_test_suite(pfm_message_suite);
