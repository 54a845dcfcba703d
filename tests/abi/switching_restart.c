// SPDX-License-Identifier: GPL-2.0
/*
 * Event sets and notifications: a switch waits for PFM_RESTART, and counters that overflowed are
 * reset when their set becomes active again.
 */
#include "switching.h"

/* A counter whose reset by PFM_RESTART did not come keeps its value. */
/* covers: D.7-19 */
TEST(a_counter_that_notified_keeps_its_value_over_a_load)
{
	int fd = notifying_context(0, 1000);

	start(fd);
	loop(1000);
	check_state(fd, "masked");
	unload(fd);
	load_self(fd);
	CHECK_EQ(read_pmd(fd, 0), 0);
}

/* covers: 3.1.9-12 3.1.9-25 3.7.7-10 */
TEST(a_notification_postpones_the_switch_until_the_restart)
{
	static const __u16 ids[] = { 0, 1 };
	int fd;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = TRIGGER, .flags = NOTIFY, .period = 1000,
				    .long_period = 3000, .threshold = 1 });
	count_up(fd, 0, COUNT);
	last_set(fd, 1);
	load_self(fd);
	start(fd);
	loop(2000);
	expect_overflow(fd, 0, BIT_ULL(TRIGGER));
	CHECK_EQ(counted(fd, 0), 1000);
	CHECK_EQ(value_of(fd, 0, TRIGGER), 0);
	CHECK_EQ(runs(fd, 1), 0);
	restart(fd);
	stop(fd);
	CHECK_EQ(runs(fd, 1), 1);
	CHECK_EQ(counted(fd, 0), 1000);
	CHECK_EQ(value_of(fd, 0, TRIGGER), -3000);
	CHECK_EQ(switch_pmds(fd, 0), BIT_ULL(TRIGGER));
	expect_active(fd, 1, ids, 2);
}

/* covers: 3.1.9-24 3.1.9-25 */
TEST(a_notification_below_the_threshold_does_not_switch)
{
	int fd;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = TRIGGER, .flags = NOTIFY, .period = 1000,
				    .threshold = 2 });
	count_up(fd, 0, COUNT);
	last_set(fd, 1);
	load_self(fd);
	start(fd);
	loop(1000);
	expect_overflow(fd, 0, BIT_ULL(TRIGGER));
	CHECK_EQ(read_reg(fd, 0, TRIGGER).reg_ovflsw_thres, 1);
	restart(fd);
	loop(1000);
	expect_overflow(fd, 0, BIT_ULL(TRIGGER));
	CHECK_EQ(counted(fd, 0), 2000);
	CHECK_EQ(runs(fd, 1), 0);
	restart(fd);
	CHECK_EQ(runs(fd, 1), 1);
}

/* Monitoring is masked by an overflow, and a switch to the first of two more sets is due. */
static int masked_before_a_switch(void)
{
	int fd = create(0);

	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = TRIGGER, .flags = NOTIFY, .period = 1000,
				    .threshold = 1 });
	last_set(fd, 1);
	last_set(fd, 2);
	load_self(fd);
	start(fd);
	loop(1000);
	check_state(fd, "masked");
	return fd;
}

/* covers: 3.7.7-10 D.7-4 */
TEST(a_switch_that_was_due_is_not_made_after_an_unload)
{
	int fd;

	need_pmu();
	fd = masked_before_a_switch();
	unload(fd);
	load_self(fd);
	start(fd);
	restart(fd);
	stop(fd);
	CHECK_EQ(runs(fd, 1), 0);
	CHECK_EQ(runs(fd, 0), 2);
}

/* covers: 3.7.7-10 D.7-4 */
TEST(one_restart_makes_the_switch_that_was_due)
{
	int fd;

	need_pmu();
	fd = masked_before_a_switch();
	restart(fd);
	restart(fd);
	stop(fd);
	CHECK_EQ(runs(fd, 1), 1);
	CHECK_EQ(runs(fd, 2), 0);
}

/* covers: 3.4.3-5 3.7.7-1 3.7.7-2 */
TEST(the_message_names_the_set_that_was_active)
{
	int fd;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 0, 1000, 1);
	create_set(fd, (pfarg_setdesc_t){ .set_id = 500 });
	program(fd, (struct event){ .set = 500, .reg = 2, .flags = NOTIFY, .period = 2000 });
	load_self(fd);
	start(fd);
	loop(3000);
	expect_overflow(fd, 500, BIT_ULL(2));
	CHECK_EQ(counted(fd, 0), 1000);
}

/* A counter that overflowed when its set was left is reset when the set becomes active again. */
/* covers: 3.7.7-9 3.7.7-11 */
TEST(a_set_that_comes_back_in_the_interrupt_has_its_short_periods)
{
	int fd;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = TRIGGER, .period = 1000, .short_period = 5000,
				    .long_period = 7000, .threshold = 1 });
	count_up(fd, 0, COUNT);
	trigger_set(fd, 1, 600, 1);
	load_self(fd);
	start_loop_stop(fd, 1500);
	CHECK_EQ(counted(fd, 1), 600);
	CHECK_EQ(runs(fd, 0), 2);
	CHECK_EQ(read_reg(fd, 0, TRIGGER).reg_last_reset_val, -5000);
	CHECK_EQ(value_of(fd, 0, TRIGGER), -5000 + (counted(fd, 0) - 1000));
}

/* covers: 3.7.7-12 */
TEST(a_set_that_comes_back_at_a_restart_has_its_long_periods)
{
	int fd;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = TRIGGER, .period = 1000, .short_period = 5000,
				    .long_period = 7000, .threshold = 1 });
	count_up(fd, 0, COUNT);
	create_trigger_set(fd, 1);
	program(fd, (struct event){ .set = 1, .reg = TRIGGER, .flags = NOTIFY, .period = 600,
				    .threshold = 1 });
	load_self(fd);
	start(fd);
	loop(2000);
	expect_overflow(fd, 1, BIT_ULL(TRIGGER));
	CHECK_EQ(counted(fd, 0), 1000);
	restart(fd);
	stop(fd);
	CHECK_EQ(runs(fd, 0), 2);
	CHECK_EQ(value_of(fd, 0, TRIGGER), -7000 + (counted(fd, 0) - 1000));
}

/* covers: D.7-2 D.7-5 */
TEST(start_of_another_set_while_masked_takes_effect_at_the_restart)
{
	static const __u16 ids[] = { 0, 1 };
	int fd;

	need_pmu();
	fd = create(0);
	program(fd, (struct event){ .reg = TRIGGER, .flags = NOTIFY, .period = 1000 });
	count_up(fd, 0, COUNT);
	last_set(fd, 1);
	load_self(fd);
	start(fd);
	loop(1000);
	check_state(fd, "masked");
	start_set(fd, 1);
	CHECK_EQ(runs(fd, 1), 1);
	check_state(fd, "masked");
	loop(1000);
	CHECK_EQ(counted(fd, 1), 0);
	restart(fd);
	loop(1000);
	CHECK_GE(counted(fd, 1), 2000);
	stop(fd);
	CHECK_EQ(counted(fd, 0), 1000);
	expect_active(fd, 1, ids, 2);
}

/* covers: 3.1.5-15 D.7-5 */
TEST(start_of_another_set_while_masked_replaces_the_switch_that_was_due)
{
	static const __u16 ids[] = { 0, 1, 2, 3 };
	int fd;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = TRIGGER, .flags = NOTIFY, .period = 1000,
				    .threshold = 1 });
	count_up(fd, 0, COUNT);
	last_set(fd, 1);
	last_set(fd, 2);
	last_set(fd, 3);
	load_self(fd);
	start(fd);
	loop(1000);
	check_state(fd, "masked");
	start_set(fd, 2);
	restart(fd);
	loop(1000);
	stop(fd);
	CHECK_EQ(counted(fd, 0), 1000);
	CHECK_EQ(runs(fd, 1), 0);
	CHECK_EQ(runs(fd, 2), 1);
	CHECK_EQ(runs(fd, 3), 0);
	expect_active(fd, 2, ids, 4);
}

/* covers: 3.1.5-15 */
TEST(start_of_the_active_set_while_masked_calls_the_switch_off)
{
	static const __u16 ids[] = { 0, 1 };
	int fd;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = TRIGGER, .flags = NOTIFY, .period = 1000,
				    .long_period = 1ULL << 40, .threshold = 1 });
	count_up(fd, 0, COUNT);
	last_set(fd, 1);
	load_self(fd);
	start(fd);
	loop(1000);
	check_state(fd, "masked");
	start_set(fd, 0);
	restart(fd);
	stop(fd);
	CHECK_EQ(runs(fd, 1), 0);
	expect_active(fd, 0, ids, 2);
}
