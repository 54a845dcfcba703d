// SPDX-License-Identifier: GPL-2.0
/* PFM_START, PFM_STOP and PFM_UNLOAD_CONTEXT, and the state that they leave behind. */
#include "count.h"
#include "process.h"

#define LOOPS	10000

/* covers: 3.1.1-24 3.1.5-7 */
TEST(start_needs_a_loaded_context)
{
	pfarg_start_t arg = { .start_set = 0 };
	int fd = create(0);

	CHECK_ERRNO(try_start(fd), EBUSY);
	CHECK_ERRNO(perfmonctl(fd, PFM_START, &arg, 1), EBUSY);
	load_self(fd);
	start(fd);
	unload(fd);
	CHECK_ERRNO(try_start(fd), EBUSY);
}

/* covers: 3.1.6-4 */
TEST(stop_needs_a_loaded_context)
{
	int fd = create(0);

	CHECK_ERRNO(try_stop(fd), EBUSY);
	load_self(fd);
	stop(fd);
	unload(fd);
	CHECK_ERRNO(try_stop(fd), EBUSY);
}

/* covers: 3.1.1-24 3.1.8-4 */
TEST(unload_needs_a_loaded_context)
{
	int fd = create(0);

	CHECK_ERRNO(try_unload(fd), EBUSY);
	load_self(fd);
	unload(fd);
	CHECK_ERRNO(try_unload(fd), EBUSY);
}

/* covers: 3.1.5-7 3.1.6-4 3.1.8-4 */
TEST(commands_of_a_system_wide_context_need_it_loaded_too)
{
	int fd = create(PFM_FL_SYSTEM_WIDE);

	CHECK_ERRNO(try_start(fd), EBUSY);
	CHECK_ERRNO(try_stop(fd), EBUSY);
	CHECK_ERRNO(try_unload(fd), EBUSY);
}

/* covers: 3.1.5-6 */
TEST(start_refuses_an_event_set_that_does_not_exist)
{
	static const __u16 sets[] = { 1, 2, 0x7fff, 0x8000, 0xffff };
	int fd = create(0);
	size_t i;

	load_self(fd);
	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		pfarg_start_t arg = { .start_set = sets[i] };

		CHECK_ERRNO(perfmonctl(fd, PFM_START, &arg, 1), EINVAL);
	}
}

/* covers: 3.1.5-6 */
TEST(a_refused_start_does_not_start)
{
	pfarg_start_t arg = { .start_set = 1 };
	int fd = create_counting(general, 0);

	load_self(fd);
	CHECK_ERRNO(perfmonctl(fd, PFM_START, &arg, 1), EINVAL);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), 0);
}

/* covers: 3.1.1-38 3.1.5-5 */
TEST(start_with_event_set_0_starts)
{
	pfarg_start_t arg = { .start_set = 0 };
	int fd = create_counting(general, 0);

	load_self(fd);
	CHECK_OK(perfmonctl(fd, PFM_START, &arg, 1));
	loop(LOOPS);
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS);
}

/* covers: 3.1.7-17 */
TEST(load_does_not_start)
{
	int fd = create_counting(general, 0);

	load_self(fd);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), 0);
}

/* covers: 3.1.5-1 3.1.5-8 */
TEST(start_counts_at_once)
{
	int fd = create_counting(general, 0);

	load_self(fd);
	start(fd);
	loop(LOOPS);
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS);
}

/* covers: 3.1.6-1 3.1.6-5 */
TEST(stop_stops_at_once)
{
	int fd = create_counting(general, 0);
	__u64 value;

	load_self(fd);
	start(fd);
	loop(LOOPS);
	stop(fd);
	value = read_pmd(fd, 0);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), value);
}

/* covers: 3.1.5-10 */
TEST(starting_twice_is_starting_once)
{
	int fd = create_counting(general, 0);
	__u64 value;

	load_self(fd);
	start(fd);
	start(fd);
	loop(LOOPS);
	value = read_pmd(fd, 0);
	CHECK_GE(value, 2 * LOOPS);
	CHECK_LE(value, 3 * LOOPS);
	stop(fd);
	value = read_pmd(fd, 0);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), value);
}

/* covers: 3.1.5-10 3.1.6-8 */
TEST(stopping_twice_is_stopping_once)
{
	int fd = create_counting(general, 0);

	load_self(fd);
	stop(fd);
	start(fd);
	stop(fd);
	stop(fd);
	start(fd);
	loop(LOOPS);
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS);
}

/* covers: 3.1.6-1 */
TEST(counters_go_on_where_stop_left_them)
{
	int fd = create_counting(general, 0);
	__u64 base;

	load_self(fd);
	count_loop(fd, general, 0, LOOPS);
	base = count_loop(fd, general, 0, LOOPS);
	start_loop_stop(fd, LOOPS);
	start_loop_stop(fd, LOOPS);
	CHECK_EQ(read_pmd(fd, 0), 3 * base);
}

/* covers: 3.1.4-17 3.1.7-1 3.1.7-15 3.1.8-5 */
TEST(counters_go_on_where_unload_left_them)
{
	int fd = create_counting(general, 0);
	__u64 base;

	load_self(fd);
	count_loop(fd, general, 0, LOOPS);
	base = count_loop(fd, general, 0, LOOPS);
	unload(fd);
	CHECK_EQ(read_pmd(fd, 0), base);
	load_self(fd);
	CHECK_EQ(read_pmd(fd, 0), base);
	start_loop_stop(fd, LOOPS);
	unload(fd);
	CHECK_EQ(read_pmd(fd, 0), 2 * base);
}

/* covers: 3.1.4-19 3.1.8-1 3.1.8-5 3.1.8-6 */
TEST(unload_stops)
{
	int fd = create_counting(general, 0);
	__u64 value;

	load_self(fd);
	start(fd);
	loop(LOOPS);
	unload(fd);
	value = read_pmd(fd, 0);
	CHECK_GE(value, 2 * LOOPS);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), value);
	/*
	 * "As if a PFM_STOP command had been issued": so the next load finds the context stopped.
	 */
	load_self(fd);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), value);
	start(fd);
	loop(LOOPS);
	CHECK_GE(read_pmd(fd, 0), value + 2 * LOOPS);
}

struct counted_child {
	int	fd;
	int	go, done;
};

static void loop_on_demand(void *arg)
{
	struct counted_child *child = arg;

	for (;;) {
		gate_wait(child->go);
		loop(LOOPS);
		gate_open(child->done);
	}
}

/* covers: 3.1.8-8 */
TEST(an_unloaded_context_loads_onto_another_thread_and_goes_on)
{
	struct counted_child child = { .go = gate_new(), .done = gate_new() };
	__u64 value;
	pid_t pid;

	child.fd = create_counting(general, 0);
	load_self(child.fd);
	start_loop_stop(child.fd, LOOPS);
	unload(child.fd);
	value = read_pmd(child.fd, 0);

	pid = spawn_without(child.fd, loop_on_demand, &child);
	load(child.fd, pid);
	/* The context does not count our own instructions any more. */
	start(child.fd);
	loop(LOOPS);
	wait_state(pid, 'S');
	gate_open(child.go);
	gate_wait(child.done);
	unload(child.fd);
	CHECK_GE(read_pmd(child.fd, 0), value + 2 * LOOPS);
	CHECK_LE(read_pmd(child.fd, 0), value + 3 * LOOPS);
	kill_child(pid);
}

static void control_from_elsewhere(void *arg)
{
	int fd = *(int *)arg;

	write_pmd(fd, 0, 5);
	start(fd);
}

static void stop_from_elsewhere(void *arg)
{
	stop(*(int *)arg);
}

/* covers: 3.1.1-28 3.1.1-33 3.1.7-10 4.3.1-1 */
TEST(any_thread_with_the_descriptor_can_control)
{
	int fd = create_counting(general, 0);
	struct thread thread;
	__u64 value;

	load_self(fd);
	thread_start(&thread, control_from_elsewhere, &fd);
	thread_join(&thread);
	loop(LOOPS);
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS + 5);
	thread_start(&thread, stop_from_elsewhere, &fd);
	thread_join(&thread);
	value = read_pmd(fd, 0);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), value);
}

/* covers: 3.1.1-29 3.1.7-10 */
TEST(any_process_with_the_descriptor_can_control)
{
	int fd = create_counting(general, 0);
	__u64 value;

	load_self(fd);
	run_in_child(control_from_elsewhere, &fd);
	loop(LOOPS);
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS + 5);
	run_in_child(stop_from_elsewhere, &fd);
	value = read_pmd(fd, 0);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), value);
}

static volatile __u64 counted_in_handler;
static volatile int left_by_handler = -1;

/* The whole life of one context, and the beginning of another one's. */
static void live_in_handler(int signal)
{
	int fd = create_counting(general, 0);
	__u64 once;

	(void)signal;
	load_self(fd);
	once = count_loop(fd, general, 0, LOOPS);
	counted_in_handler = count_loop(fd, general, 0, 2 * LOOPS) - once;
	unload(fd);
	CHECK_EQ(read_pmd(fd, 0), once + 2 * LOOPS);
	CHECK_OK(close(fd));
	left_by_handler = create_counting(general, 0);
	load_self(left_by_handler);
	start(left_by_handler);
}

/* covers: 5.7-1 */
TEST(contexts_live_in_a_signal_handler)
{
	struct sigaction action = { .sa_handler = live_in_handler };
	__u64 before;

	need_pmu();
	CHECK_OK(sigaction(SIGUSR1, &action, NULL));
	CHECK_OK(raise(SIGUSR1));
	CHECK_EQ(counted_in_handler, 2 * LOOPS);
	/* Itanium alone undoes, at the return, what the signal handler did. */
	before = read_pmd(left_by_handler, 0);
	loop(LOOPS);
	CHECK_GE(read_pmd(left_by_handler, 0), before + 2 * LOOPS);
	stop(left_by_handler);
}
