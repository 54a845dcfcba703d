// SPDX-License-Identifier: GPL-2.0
/*
 * The time at which an event set is left: its triggers and their thresholds, and the counters
 * besides them.
 */
#include "switching.h"

/* A counter besides the trigger, with the same first period, and its own reset values. */
#define OTHER		2
#define OTHER_PERIOD	(1ULL << 40)

static void count_beside(int fd, __u16 id, __u64 period, __u64 threshold)
{
	program(fd, (struct event){ .set = id, .reg = OTHER, .period = period,
				    .short_period = OTHER_PERIOD, .long_period = 2 * OTHER_PERIOD,
				    .threshold = threshold });
}

/* covers: 3.1.3-17 3.7.6.2-1 3.7.6.2-4 */
TEST(a_set_is_left_after_as_many_overflows_as_the_threshold_says)
{
	__u64 threshold, total, before;
	int fd;

	need_pmu();
	total = loop_count(20000);
	for (threshold = 1; threshold <= 20; threshold++) {
		fd = create(0);
		trigger_set(fd, 0, 1500, threshold);
		last_set(fd, 1);
		load_self(fd);
		before = read_reg(fd, 0, TRIGGER).reg_ovflsw_thres;
		CHECK_EQ(before, threshold);
		start_loop_stop(fd, 20000);
		CHECK_EQ(counted(fd, 0), 1500 * threshold);
		CHECK_EQ(counted(fd, 1), total - 1500 * threshold);
		CHECK_OK(close(fd));
	}
}

/* covers: 3.1.4-12 3.7.6.2-4 */
TEST(the_number_of_overflows_left_can_be_read)
{
	__u64 left;
	int fd;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 0, 1000, 5);
	last_set(fd, 1);
	load_self(fd);
	start(fd);
	for (left = 5; left; left--) {
		CHECK_EQ(read_reg(fd, 0, TRIGGER).reg_ovflsw_thres, left);
		CHECK_EQ(read_reg(fd, 0, COUNT).reg_ovflsw_thres, 0);
		WAIT_UNTIL(read_reg(fd, 0, TRIGGER).reg_ovflsw_thres != left ||
			   runs(fd, 1) == 1);
	}
	CHECK_EQ(counted(fd, 0), 5000);
	stop(fd);
	/* Without the flag no switch is pending, whatever the threshold. */
	CHECK_EQ(read_reg(fd, 1, COUNT).reg_ovflsw_thres, 0);
}

/* covers: 3.7.6.2-3 3.7.6.2-4 */
TEST(the_first_of_several_triggers_switches)
{
	int fd;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = 0, .period = 3000, .threshold = 1 });
	count_up(fd, 0, 1);
	program(fd, (struct event){ .reg = 2, .period = 700, .threshold = 3 });
	last_set(fd, 1);
	load_self(fd);
	start_loop_stop(fd, 5000);
	CHECK_EQ(counted(fd, 0), 2100);
	CHECK_EQ(switch_pmds(fd, 0), BIT_ULL(2));
}

/* covers: 3.1.12-7 3.7.6.2-5 3.7.6.2-9 */
TEST(triggers_that_reach_their_thresholds_together_are_all_named)
{
	int fd;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = 0, .period = 1000, .threshold = 2 });
	count_up(fd, 0, 1);
	program(fd, (struct event){ .reg = 2, .period = 2000, .threshold = 1 });
	program(fd, (struct event){ .reg = 3, .period = 2000, .threshold = 2 });
	last_set(fd, 1);
	load_self(fd);
	start_loop_stop(fd, 5000);
	CHECK_EQ(counted(fd, 0), 2000);
	CHECK_EQ(switch_pmds(fd, 0), BIT_ULL(0) | BIT_ULL(2));
}

/* covers: 3.7.6.2-2 */
TEST(counters_without_a_threshold_wrap_and_do_not_switch)
{
	__u64 total;
	int fd;

	need_pmu();
	total = loop_count(5000);
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = 0, .period = 1000 });
	last_set(fd, 1);
	load_self(fd);
	start_loop_stop(fd, 5000);
	CHECK_EQ(value_of(fd, 0, 0), total - 1000);
	CHECK_EQ(runs(fd, 1), 0);
	CHECK_EQ(switch_pmds(fd, 0), 0);
}

/* covers: 3.1.3-18 3.1.4-13 3.7.6-3 */
TEST(thresholds_of_sets_that_do_not_switch_on_overflow_are_ignored)
{
	__u64 total;
	int fd;

	need_pmu();
	total = loop_count(5000);
	fd = create(0);
	program(fd, (struct event){ .reg = 0, .period = 1000, .threshold = 1 });
	last_set(fd, 1);
	load_self(fd);
	CHECK_EQ(read_reg(fd, 0, 0).reg_ovflsw_thres, 0);
	start_loop_stop(fd, 5000);
	CHECK_EQ(value_of(fd, 0, 0), total - 1000);
	CHECK_EQ(runs(fd, 0), 1);
	CHECK_EQ(runs(fd, 1), 0);
}

/* covers: 3.1.2-23 3.1.3-14 3.1.4-11 3.4.1-6 3.7.6.2-8 */
TEST(a_trigger_takes_its_short_period_and_resets_the_others_it_names)
{
	__u64 total;
	int fd;

	need_pmu();
	total = loop_count(5000);
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .reg = 0, .period = 1000, .short_period = 1100,
				    .long_period = 77, .threshold = 100,
				    .reset_pmds = BIT_ULL(1) });
	program(fd, (struct event){ .reg = 1, .period = 1ULL << 40, .short_period = 1ULL << 41,
				    .long_period = 1ULL << 42 });
	load_self(fd);
	start_loop_stop(fd, 5000);
	CHECK_EQ(value_of(fd, 0, 0), -1100 + (total - 1000) % 1100);
	CHECK_EQ(read_reg(fd, 0, 0).reg_last_reset_val, -1100);
	CHECK_EQ(value_of(fd, 0, 1), -(1ULL << 41) + (total - 1000) % 1100);
	CHECK_EQ(read_reg(fd, 0, 1).reg_last_reset_val, -(1ULL << 41));
	CHECK_EQ(read_reg(fd, 0, 0).reg_ovflsw_thres, 100 - (1 + (total - 1000) / 1100));
}

/* covers: 3.7.6.2-6 */
TEST(thresholds_are_loaded_anew_whenever_their_set_becomes_active)
{
	int fd;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 0, 1000, 3);
	trigger_set(fd, 1, 1000, 4);
	load_self(fd);
	start_loop_stop(fd, 750);
	CHECK_EQ(read_reg(fd, 0, TRIGGER).reg_ovflsw_thres, 2);
	start_set(fd, 1);
	start_set(fd, 0);
	stop(fd);
	CHECK_EQ(read_reg(fd, 0, TRIGGER).reg_ovflsw_thres, 3);
	CHECK_EQ(runs(fd, 0), 2);
	CHECK_EQ(runs(fd, 1), 1);
	start_loop_stop(fd, 300);
	CHECK_EQ(read_reg(fd, 0, TRIGGER).reg_ovflsw_thres, 2);
	/* The start of the same set restores the threshold as well. */
	start_set(fd, 0);
	stop(fd);
	CHECK_EQ(read_reg(fd, 0, TRIGGER).reg_ovflsw_thres, 3);
	CHECK_EQ(runs(fd, 0), 3);
}

/* covers: 3.7.6.2-7 */
TEST(a_threshold_can_be_written_while_loaded)
{
	pfarg_pmd_t pmd = { .reg_num = TRIGGER, .reg_value = -1000, .reg_short_reset = -1000,
			    .reg_ovflsw_thres = 2 };
	int fd;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 0, 1000, 50);
	last_set(fd, 1);
	load_self(fd);
	CHECK_OK(perfmonctl(fd, PFM_WRITE_PMDS, &pmd, 1));
	CHECK_EQ(read_reg(fd, 0, TRIGGER).reg_ovflsw_thres, 2);
	start_loop_stop(fd, 5000);
	CHECK_EQ(counted(fd, 0), 2000);
}

/* covers: 3.1.7-43 3.1.12-14 3.7.6.2-11 */
TEST(load_resets_the_thresholds_of_its_set_and_what_caused_switches)
{
	int fd;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 0, 1000, 3);
	trigger_set(fd, 1, 1000, 3);
	load_self(fd);
	start_loop_stop(fd, 2000);
	CHECK_EQ(switch_pmds(fd, 0), 1);
	CHECK_EQ(read_reg(fd, 1, TRIGGER).reg_ovflsw_thres, 2);
	unload(fd);
	CHECK_EQ(switch_pmds(fd, 0), 1);
	CHECK_OK(try_load_set(fd, gettid(), 1));
	CHECK_EQ(switch_pmds(fd, 0), 0);
	CHECK_EQ(switch_pmds(fd, 1), 0);
	CHECK_EQ(read_reg(fd, 1, TRIGGER).reg_ovflsw_thres, 3);
}

/* covers: 3.1.12-8 */
TEST(a_set_that_switches_by_time_now_names_no_overflow)
{
	int fd;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 0, 1000, 3);
	last_set(fd, 1);
	load_self(fd);
	start_loop_stop(fd, 2000);
	unload(fd);
	CHECK_EQ(switch_pmds(fd, 0), BIT_ULL(TRIGGER));
	create_timed_set(fd, 0, NS_PER_SEC);
	CHECK_EQ(switch_pmds(fd, 0), 0);
}

/* Set 0 has the same count twice: by a trigger's threshold, and in a counter besides it. */
static int create_beside(__u64 threshold, __u64 threshold_beside)
{
	int fd;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 0, 1000, threshold);
	count_beside(fd, 0, 1000, threshold_beside);
	return fd;
}

/* The other counter has wrapped from 2^64 to 0, and was not reset since. */
static void check_wrapped(int fd)
{
	CHECK_EQ(read_reg(fd, 0, OTHER).reg_last_reset_val, -1000);
	CHECK_EQ(value_of(fd, 0, OTHER), counted(fd, 0) - 1000);
}

/* covers: 3.1.2-12 */
TEST(a_counter_that_is_no_trigger_wraps_beside_one_that_switches)
{
	int fd = create_beside(1, 0);

	trigger_set(fd, 1, 600, 1);
	load_self(fd);
	start_loop_stop(fd, 1200);
	CHECK_EQ(runs(fd, 0), 2);
	CHECK_EQ(switch_pmds(fd, 0), BIT_ULL(TRIGGER));
	check_wrapped(fd);
}

/* covers: 3.1.2-12 3.7.6.2-8 */
TEST(a_counter_that_is_no_trigger_wraps_beside_one_below_its_threshold)
{
	int fd = create_beside(1000, 0);

	last_set(fd, 1);
	load_self(fd);
	start_loop_stop(fd, 2200);
	CHECK_EQ(runs(fd, 1), 0);
	CHECK_EQ(value_of(fd, 0, TRIGGER), -1000 + counted(fd, 0) % 1000);
	check_wrapped(fd);
}

/* covers: 3.7.6.2-4 3.7.7-9 */
TEST(a_second_trigger_below_its_threshold_does_not_cause_the_switch_and_is_reset_after_it)
{
	int fd = create_beside(1, 7);

	last_set(fd, 1);
	load_self(fd);
	start_loop_stop(fd, 1200);
	CHECK_EQ(runs(fd, 1), 1);
	CHECK_EQ(counted(fd, 0), 1000);
	CHECK_EQ(switch_pmds(fd, 0), BIT_ULL(TRIGGER));
	CHECK_EQ(read_reg(fd, 0, OTHER).reg_ovflsw_thres, 6);
	CHECK_EQ(value_of(fd, 0, OTHER), 0);
	/* The set becomes active again: both are reset now. */
	start_set(fd, 0);
	stop(fd);
	CHECK_EQ(read_reg(fd, 0, OTHER).reg_last_reset_val, -OTHER_PERIOD);
	CHECK_EQ(read_reg(fd, 0, TRIGGER).reg_last_reset_val, -1000);
	CHECK_EQ(read_reg(fd, 0, OTHER).reg_ovflsw_thres, 7);
}
