// SPDX-License-Identifier: GPL-2.0
/*
 * The active event set: the order of sets after overflows, and the sets that PFM_LOAD_CONTEXT and
 * PFM_START choose.
 */
#include "switching.h"

/* covers: 3.1.10-9 3.1.12-7 3.7.6.2-1 3.7.6.2-12 3.7.6.2-13 */
TEST(a_set_is_left_exactly_at_the_overflow)
{
	__u64 total, period;
	int fd;

	need_pmu();
	total = loop_count(5000);
	for (period = 1000; period < 1016; period++) {
		fd = create(0);
		trigger_set(fd, 0, period, 1);
		last_set(fd, 1);
		load_self(fd);
		start_loop_stop(fd, 5000);
		CHECK_EQ(counted(fd, 0), period);
		CHECK_EQ(counted(fd, 1), total - period);
		CHECK_EQ(runs(fd, 0), 1);
		CHECK_EQ(runs(fd, 1), 1);
		CHECK_EQ(switch_pmds(fd, 0), BIT_ULL(TRIGGER));
		CHECK_EQ(switch_pmds(fd, 1), 0);
		CHECK_OK(close(fd));
	}
}

/* covers: 3.1.5-14 3.1.5-20 3.1.12-9 3.7.1-2 3.7.5-4 */
TEST(two_sets_take_turns_and_lose_nothing)
{
	__u64 total, rest, rounds;
	int fd;

	need_pmu();
	total = loop_count(100000);
	fd = create(0);
	trigger_set(fd, 0, 1000, 2);
	trigger_set(fd, 9, 501, 1);
	load_self(fd);
	start_loop_stop(fd, 100000);
	rounds = total / 2501;
	rest = total % 2501;
	CHECK_EQ(counted(fd, 0), rounds * 2000 + (rest < 2000 ? rest : 2000));
	CHECK_EQ(counted(fd, 9), rounds * 501 + (rest < 2000 ? 0 : rest - 2000));
	CHECK_EQ(runs(fd, 0), 1 + rounds);
	CHECK_EQ(runs(fd, 9), rounds + (rest >= 2000));
	CHECK_EQ(switch_pmds(fd, 0), 1);
	CHECK_EQ(switch_pmds(fd, 9), 1);
}

/* covers: 3.1.10-22 3.1.10-23 3.7.5-3 3.7.5-4 */
TEST(sets_follow_each_other_by_number_and_set_0_follows_the_last)
{
	static const __u16 created[] = { 300, 2, 65535, 7 };
	static const __u16 ids[] = { 0, 2, 7, 300, 65535 };
	__u64 before[ARRAY_SIZE(ids)];
	size_t i, active = 0, steps;
	int fd;

	need_pmu();
	fd = create(0);
	for (i = 0; i < ARRAY_SIZE(created); i++)
		trigger_set(fd, created[i], 1000, 1);
	trigger_set(fd, 0, 1000, 1);
	load_self(fd);
	/*
	 * A step is shorter than a set's turn: after it, the next set is active, or the same one.
	 */
	for (steps = 0; steps < 60; steps++) {
		for (i = 0; i < ARRAY_SIZE(ids); i++)
			before[i] = runs(fd, ids[i]);
		start_loop_stop(fd, 300);
		for (i = 0; i < ARRAY_SIZE(ids); i++) {
			if (runs(fd, ids[i]) == before[i])
				continue;
			CHECK_EQ(runs(fd, ids[i]), before[i] + 1);
			active = (active + 1) % ARRAY_SIZE(ids);
			CHECK_EQ(ids[i], ids[active]);
			break;
		}
		/* The check takes some instructions, too, perhaps more than remain. */
		if (-value_of(fd, ids[active], TRIGGER) > 100)
			expect_active(fd, ids[active], ids, ARRAY_SIZE(ids));
	}
	for (i = 0; i < ARRAY_SIZE(ids); i++)
		CHECK_GE(runs(fd, ids[i]), 7);
}

/* The example of the specification: 0, 3, 5, and 8, 11. */
static int create_sublists(void)
{
	static const __u16 ids[] = { 0, 3, 5, 8, 11 };
	int fd = create(0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ids); i++)
		trigger_set(fd, ids[i], 1000, 1);
	create_set(fd, (pfarg_setdesc_t){
		.set_id = 5, .set_id_next = 0,
		.set_flags = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_EXPL_NEXT,
	});
	create_set(fd, (pfarg_setdesc_t){
		.set_id = 11, .set_id_next = 8,
		.set_flags = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_EXPL_NEXT,
	});
	return fd;
}

/* covers: 3.1.7-7 3.1.7-39 3.1.10-11 3.1.10-24 3.7.5-5 3.7.5-6 3.7.5-7 */
TEST(explicit_next_sets_make_sublists_and_load_chooses_one)
{
	int fd;

	need_pmu();
	fd = create_sublists();
	load_self(fd);
	start_loop_stop(fd, 5000);
	CHECK_GE(runs(fd, 0), 3);
	CHECK_GE(runs(fd, 3), 3);
	CHECK_GE(runs(fd, 5), 3);
	CHECK_EQ(runs(fd, 8), 0);
	CHECK_EQ(runs(fd, 11), 0);
	unload(fd);

	fd = create_sublists();
	CHECK_OK(try_load_set(fd, gettid(), 8));
	start_loop_stop(fd, 5000);
	CHECK_EQ(runs(fd, 0) + runs(fd, 3) + runs(fd, 5), 0);
	CHECK_GE(runs(fd, 8), 5);
	CHECK_GE(runs(fd, 11), 5);
}

/* covers: 3.1.5-5 3.1.5-15 3.7.5-6 */
TEST(start_chooses_a_sublist_over_the_load)
{
	int fd;

	need_pmu();
	fd = create_sublists();
	CHECK_OK(try_load_set(fd, gettid(), 3));
	start_set(fd, 11);
	loop(5000);
	stop(fd);
	/* The set of the load was active, so its runs show it, but it did not count. */
	CHECK_EQ(runs(fd, 3), 1);
	CHECK_EQ(counted(fd, 3), 0);
	CHECK_EQ(runs(fd, 0) + runs(fd, 5), 0);
	CHECK_GE(runs(fd, 8), 4);
	CHECK_GE(runs(fd, 11), 4);
}

/* covers: 3.1.10-24 3.7.5-7 */
TEST(an_explicit_next_set_may_be_any_later_one)
{
	static const __u16 ids[] = { 0, 4, 6 };
	int fd;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 4, 1000, 1);
	last_set(fd, 6);
	trigger_set(fd, 0, 1000, 1);
	create_set(fd, (pfarg_setdesc_t){
		.set_id = 0, .set_id_next = 6,
		.set_flags = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_EXPL_NEXT,
	});
	load_self(fd);
	start_loop_stop(fd, 500);
	expect_active(fd, 6, ids, ARRAY_SIZE(ids));
	CHECK_EQ(runs(fd, 4), 0);
}

/* covers: 3.1.12-17 3.1.12-18 D.7-15 */
TEST(a_switch_from_a_set_to_itself_is_a_run)
{
	__u64 total;
	int fd;

	need_pmu();
	total = loop_count(10000);
	/* The only set. */
	fd = create(0);
	trigger_set(fd, 0, 1000, 1);
	load_self(fd);
	start_loop_stop(fd, 10000);
	CHECK_EQ(runs(fd, 0), 1 + total / 1000);
	CHECK_EQ(counted(fd, 0), total);
	CHECK_EQ(switch_pmds(fd, 0), 1);
	unload(fd);
	/* A set that is explicitly its own next. */
	fd = create(0);
	last_set(fd, 1);
	trigger_set(fd, 0, 1000, 2);
	create_set(fd, (pfarg_setdesc_t){
		.set_id = 0, .set_id_next = 0,
		.set_flags = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_EXPL_NEXT,
	});
	load_self(fd);
	start_loop_stop(fd, 10000);
	CHECK_EQ(runs(fd, 0), 1 + total / 2000);
	CHECK_EQ(runs(fd, 1), 0);
}

/* covers: 3.1.6-10 */
TEST(no_overflow_switches_after_a_stop)
{
	int fd;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 0, 5000, 1);
	trigger_set(fd, 1, 5000, 1);
	load_self(fd);
	start_loop_stop(fd, 1000);
	loop(100000);
	CHECK_EQ(runs(fd, 0), 1);
	CHECK_EQ(runs(fd, 1), 0);
	CHECK_EQ(switch_pmds(fd, 0), 0);
	/* Nor is it left in the set that is chosen next. */
	CHECK_OK(try_start_set(fd, 1));
	stop(fd);
	loop(100000);
	CHECK_EQ(runs(fd, 0), 1);
	CHECK_EQ(runs(fd, 1), 1);
	start(fd);
	loop(100000);
	stop(fd);
	CHECK_GE(runs(fd, 0), 10);
}

/* A cascade: set 0 is left once, and set 1 stays. */
/* covers: 3.7.6.2-13 D.7-18 */
TEST(a_cascade_works_again_after_each_load)
{
	int fd, i;

	need_pmu();
	fd = create(0);
	create_trigger_set(fd, 0);
	program(fd, (struct event){ .set = 0, .reg = TRIGGER, .period = 1000,
				    .long_period = 3000, .short_period = 2000, .threshold = 1 });
	create_set(fd, (pfarg_setdesc_t){ .set_id = 1 });
	count_up(fd, 1, TRIGGER);
	for (i = 0; i < 3; i++) {
		load_self(fd);
		CHECK_EQ(value_of(fd, 0, TRIGGER), i ? -3000ULL : -1000ULL);
		CHECK_EQ(read_reg(fd, 0, TRIGGER).reg_ovflsw_thres, 1);
		start_loop_stop(fd, 500 + 1000 * !!i);
		CHECK_EQ(runs(fd, 1), i + 1);
		CHECK_EQ(switch_pmds(fd, 0), BIT_ULL(TRIGGER));
		unload(fd);
		/* The count can be read until then. */
		CHECK_EQ(value_of(fd, 0, TRIGGER), 0);
	}
}

/* Another set may be the first one: the cascade begins again when its set becomes active. */
/* covers: D.7-18 */
TEST(a_cascade_that_is_switched_to_after_a_load_works_again)
{
	int fd, i;

	need_pmu();
	fd = create(0);
	for (i = 0; i < 2; i++) {
		create_trigger_set(fd, i);
		program(fd, (struct event){ .set = i, .reg = TRIGGER, .period = 1000,
					    .threshold = 1 });
	}
	create_set(fd, (pfarg_setdesc_t){ .set_id = 2 });
	count_up(fd, 2, TRIGGER);
	for (i = 1; i <= 3; i++) {
		load_self(fd);
		start_loop_stop(fd, 2000);
		CHECK_EQ(runs(fd, 1), i);
		CHECK_EQ(runs(fd, 2), i);
		unload(fd);
	}
}

/* covers: 3.1.7-39 3.1.12-10 3.1.12-16 */
TEST(load_counts_as_a_run_without_a_start)
{
	int fd = create(0), i;

	create_set(fd, (pfarg_setdesc_t){ .set_id = 4 });
	for (i = 1; i <= 3; i++) {
		CHECK_OK(try_load_set(fd, gettid(), 4));
		CHECK_EQ(runs(fd, 4), i);
		unload(fd);
		CHECK_EQ(runs(fd, 4), i);
	}
	CHECK_EQ(runs(fd, 0), 0);
	load_self(fd);
	CHECK_EQ(runs(fd, 0), 1);
	CHECK_EQ(runs(fd, 4), 3);
	CHECK_EQ(duration(fd, 4), 0);
}

/* covers: 3.1.5-16 3.1.5-17 */
TEST(start_and_stop_without_argument_stay_in_the_active_set)
{
	static const __u16 ids[] = { 0, 1, 2 };
	int fd, i;

	need_pmu();
	fd = create(0);
	for (i = 0; i < 3; i++)
		last_set(fd, i);
	CHECK_OK(try_load_set(fd, gettid(), 1));
	for (i = 0; i < 3; i++)
		expect_active(fd, 1, ids, 3);
	CHECK_EQ(runs(fd, 1), 1);
	start_set(fd, 2);
	stop(fd);
	for (i = 0; i < 3; i++)
		expect_active(fd, 2, ids, 3);
	CHECK_EQ(runs(fd, 2), 1);
}

/* covers: 3.1.5-5 D.7-5 */
TEST(start_of_a_set_works_while_running)
{
	static const __u16 ids[] = { 0, 1 };
	int fd;

	need_pmu();
	fd = create(0);
	last_set(fd, 0);
	last_set(fd, 1);
	load_self(fd);
	start(fd);
	loop(1000);
	start_set(fd, 1);
	loop(1000);
	start_set(fd, 0);
	stop(fd);
	CHECK_GE(counted(fd, 0), 2000);
	CHECK_GE(counted(fd, 1), 2000);
	CHECK(counted(fd, 1) < 4000);
	CHECK_EQ(runs(fd, 0), 2);
	CHECK_EQ(runs(fd, 1), 1);
	expect_active(fd, 0, ids, 2);
}

/* covers: 3.1.5-6 */
TEST(start_of_a_set_that_does_not_exist_changes_nothing)
{
	static const __u16 ids[] = { 0, 1 };
	__u64 before;
	int fd;

	need_pmu();
	fd = create(0);
	last_set(fd, 0);
	last_set(fd, 1);
	CHECK_OK(try_load_set(fd, gettid(), 1));
	CHECK_ERRNO(try_start_set(fd, 2), EINVAL);
	CHECK_ERRNO(try_start_set(fd, 65535), EINVAL);
	loop(100);
	CHECK_EQ(counted(fd, 1), 0);
	start(fd);
	CHECK_ERRNO(try_start_set(fd, 2), EINVAL);
	before = counted(fd, 1);
	loop(100);
	CHECK_GE(counted(fd, 1), before + 200);
	stop(fd);
	CHECK_EQ(runs(fd, 1), 1);
	expect_active(fd, 1, ids, 2);
}

/* covers: 3.1.2-5 3.1.3-5 3.1.4-5 D.7-17 */
TEST(registers_of_any_set_can_be_read_and_written_while_another_counts)
{
	int fd;

	need_pmu();
	fd = create(0);
	last_set(fd, 0);
	last_set(fd, 1);
	load_self(fd);
	start(fd);
	program(fd, (struct event){ .set = 1, .reg = COUNT, .period = 12345 });
	CHECK_EQ(value_of(fd, 1, COUNT), -12345);
	loop(1000);
	CHECK_EQ(value_of(fd, 1, COUNT), -12345);
	CHECK_GE(counted(fd, 0), 2000);
	start_set(fd, 1);
	loop(1000);
	stop(fd);
	CHECK_GE(counted(fd, 1) + 12345, 2000);
}

/* Another thread's sets are switched on the CPU on which it runs. */

static void loop_between_gates(void *arg)
{
	int *gates = arg;

	gate_wait(gates[0]);
	loop(100000);
	gate_open(gates[1]);
	gate_wait(gates[0]);
}

/* covers: 3.1.5-20 3.7.6.2-1 */
TEST(sets_of_another_thread_are_switched_while_it_runs)
{
	int gates[2] = { gate_new(), gate_new() }, fd;
	__u64 total, rounds;
	pid_t pid;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 0, 1000, 2);
	trigger_set(fd, 1, 700, 1);
	pid = spawn_without(fd, loop_between_gates, gates);
	load(fd, pid);
	start(fd);
	gate_open(gates[0]);
	gate_wait(gates[1]);
	wait_state(pid, 'S');
	total = counted(fd, 0) + counted(fd, 1);
	CHECK_GE(total, 200000);
	rounds = total / 2700;
	CHECK_EQ(runs(fd, 0), 1 + rounds);
	CHECK_EQ(counted(fd, 1), rounds * 700 + (total % 2700 < 2000 ? 0 : total % 2700 - 2000));
	gate_open(gates[0]);
	reap(pid);
	/* The thread has ended, and all counts can be read. */
	expect_end(fd);
	CHECK_GE(counted(fd, 0) + counted(fd, 1), total);
}

/* covers: 3.1.5-5 */
TEST(start_chooses_the_set_of_another_thread)
{
	int gates[2] = { gate_new(), gate_new() }, fd;
	pid_t pid;

	need_pmu();
	fd = create(0);
	last_set(fd, 0);
	last_set(fd, 1);
	last_set(fd, 2);
	pid = spawn_without(fd, loop_between_gates, gates);
	wait_state(pid, 'S');
	load(fd, pid);
	start_set(fd, 2);
	CHECK_EQ(runs(fd, 2), 1);
	gate_open(gates[0]);
	gate_wait(gates[1]);
	wait_state(pid, 'S');
	CHECK_GE(counted(fd, 2), 200000);
	start_set(fd, 1);
	gate_open(gates[0]);
	reap(pid);
	CHECK(counted(fd, 1) > 0);
	CHECK_EQ(counted(fd, 0), 0);
}

/* covers: 3.1.12-14 */
TEST(a_load_that_fails_leaves_what_caused_switches)
{
	int fd, other;

	need_pmu();
	fd = create(0);
	trigger_set(fd, 0, 1000, 1);
	last_set(fd, 1);
	load_self(fd);
	start_loop_stop(fd, 1000);
	unload(fd);
	CHECK_EQ(switch_pmds(fd, 0), BIT_ULL(TRIGGER));
	other = create(0);
	load_self(other);
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	CHECK_EQ(switch_pmds(fd, 0), BIT_ULL(TRIGGER));
	CHECK_EQ(runs(fd, 0), 1);
}
