// SPDX-License-Identifier: GPL-2.0
/*
 * Overflow notifications without a sampling format: the overflows that mask, the contents of
 * messages, and the process that gets them. User instructions are counted, exactly.
 */
#include "overflow.h"

#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/utsname.h>

/* covers: 3.1.1-12 3.1.2-10 3.1.9-9 3.3-1 3.3.2-2 3.4.1-1 3.4.3-4 3.4.3-6 */
TEST(an_overflow_with_notification_masks_at_once_and_says_which_counter)
{
	int fd = notifying_context(0, 1000);

	start(fd);
	loop(5000);
	check_state(fd, "masked");
	CHECK_EQ(all_of(fd), 1000);
	CHECK_EQ(read_pmd(fd, 0), 0);
	expect_overflow(fd, 0, BIT_ULL(0));
	CHECK(!has_message(fd));
}

/* covers: 3.1.9-9 3.4.3-7 */
TEST(masked_monitoring_stays_so_after_the_message_was_read)
{
	int fd = masked_context(0);

	expect_overflow(fd, 0, BIT_ULL(0));
	loop(5000);
	check_state(fd, "masked");
	CHECK_EQ(all_of(fd), 1000);
}

/* covers: 3.1.3-11 3.1.4-11 3.1.9-1 3.1.9-7 3.1.9-12 3.1.9-17 3.1.9-18 3.4.1-3 3.4.1-7 */
/* covers: 3.4.3-8 3.4.3-9 D.5-6 */
TEST(restart_resumes_with_the_long_period)
{
	int fd = notifying_context(0, 1000);
	int i;

	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1000,
				    .long_period = 3000, .short_period = 100 });
	start(fd);
	loop(3000);
	for (i = 1; i <= 5; i++) {
		expect_overflow(fd, 0, BIT_ULL(0));
		CHECK_EQ(all_of(fd), 1000 + 3000 * (i - 1));
		restart(fd);
		CHECK_EQ(read_reg(fd, 0, 0).reg_last_reset_val, -3000);
		loop(3000);
	}
	check_state(fd, "masked");
	CHECK_EQ(ledger(fd, "overflows"), 6);
	CHECK_EQ(ledger(fd, "recorded"), 6);
	check_ledger(fd);
}

/* covers: 3.4.1-1 3.4.1-4 */
TEST(any_first_period_is_exact)
{
	static const __u64 periods[] = { 1000, 1001, 4999, 10007, 65536, 99991 };
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		fd = notifying_context(0, periods[i]);
		start(fd);
		loop(60000);
		expect_overflow(fd, 0, BIT_ULL(0));
		CHECK_EQ(all_of(fd), periods[i]);
		CHECK_OK(close(fd));
	}
}

/* covers: 3.1.2-10 */
TEST(the_fixed_counter_notifies_as_well)
{
	int fd = create(0);

	need_pmu();
	if (!has_fixed())
		SKIP("this PMU has no fixed counters");
	program(fd, (struct event){ .reg = FIXED_INST, .value = FIXED_USR, .flags = NOTIFY,
				    .period = 2000 });
	count_up(fd, 0, 1);
	load_self(fd);
	start(fd);
	loop(3000);
	expect_overflow(fd, 0, BIT_ULL(FIXED_INST));
	CHECK_EQ(all_of(fd), 2000);
	restart(fd);
	loop(3000);
	expect_overflow(fd, 0, BIT_ULL(FIXED_INST));
	CHECK_EQ(all_of(fd), 4000);
}

/* covers: 3.1.2-12 3.1.3-14 3.4.1-6 3.4.3-1 3.4.3-2 D.4-7 */
TEST(a_counter_without_notification_just_wraps)
{
	int fd = create(0);
	__u64 total;

	need_pmu();
	program(fd, (struct event){ .reg = 0, .period = 1000, .short_period = 7,
				    .long_period = 77 });
	count_up(fd, 0, 1);
	load_self(fd);
	start_loop_stop(fd, 3000);
	total = all_of(fd);
	CHECK_GE(total, 6000);
	CHECK_EQ(read_pmd(fd, 0), total - 1000);
	CHECK_EQ(read_reg(fd, 0, 0).reg_last_reset_val, -1000);
	CHECK(!has_message(fd));
	check_state(fd, "loaded");
	CHECK_EQ(ledger(fd, "overflows"), 0);
}

/* covers: 3.1.9-14 3.4.1-8 3.4.3-3 3.4.3-6 */
TEST(simultaneous_overflows_are_one_notification_with_all_bits)
{
	int fd = create(0);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 2000 });
	count_up(fd, 0, 1);
	program(fd, (struct event){ .reg = 2, .flags = NOTIFY, .period = 2000,
				    .long_period = 5000 });
	program(fd, (struct event){ .reg = 3, .flags = NOTIFY, .period = 4000 });
	load_self(fd);
	set_nonblocking(fd);
	start(fd);
	loop(3000);
	expect_overflow(fd, 0, BIT_ULL(0) | BIT_ULL(2));
	CHECK(!has_message(fd));
	CHECK_EQ(all_of(fd), 2000);
	restart(fd);
	loop(3000);
	/* Each counter that overflowed takes its own long period; the other one counts on. */
	expect_overflow(fd, 0, BIT_ULL(0) | BIT_ULL(3));
	CHECK_EQ(all_of(fd), 4000);
	CHECK_EQ(read_pmd(fd, 2), -3000);
}

/* covers: 3.4.3-3 */
TEST(general_and_fixed_counters_overflow_together)
{
	int fd = create(0);

	need_pmu();
	if (!has_fixed())
		SKIP("this PMU has no fixed counters");
	program(fd, (struct event){ .reg = 3, .flags = NOTIFY, .period = 3000 });
	program(fd, (struct event){ .reg = FIXED_INST, .value = FIXED_USR, .flags = NOTIFY,
				    .period = 3000 });
	count_up(fd, 0, 1);
	load_self(fd);
	start(fd);
	loop(3000);
	expect_overflow(fd, 0, BIT_ULL(3) | BIT_ULL(FIXED_INST));
	CHECK_EQ(all_of(fd), 3000);
}

/* covers: 3.1.9-12 3.4.3-6 */
TEST(overflows_without_the_flag_are_named_when_another_notifies)
{
	int fd = create(0);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 2000 });
	program(fd, (struct event){ .reg = 2, .period = 2000, .long_period = 9000 });
	count_up(fd, 0, 1);
	load_self(fd);
	start(fd);
	loop(3000);
	expect_overflow(fd, 0, BIT_ULL(0) | BIT_ULL(2));
	restart(fd);
	stop(fd);
	/* Every counter that overflowed is reloaded. */
	CHECK_EQ(read_pmd(fd, 2), -9000 + (all_of(fd) - 2000));
}

/* covers: 3.1.2-23 3.1.2-24 3.1.2-43 3.1.2-44 3.1.4-23 3.1.9-14 3.1.9-15 */
TEST(restart_resets_the_registers_that_the_overflowed_counter_names)
{
	int fd = create(0);

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 2000,
				    .reset_pmds = BIT_ULL(1) | BIT_ULL(3) });
	program(fd, (struct event){ .reg = 1, .period = 1ULL << 40, .long_period = 5555 });
	program(fd, (struct event){ .reg = 2, .period = 1ULL << 40, .long_period = 6666 });
	write_pmd(fd, 3, 123);
	load_self(fd);
	start(fd);
	loop(2000);
	check_state(fd, "masked");
	/* There is no reset before the restart: all registers can be read with their values. */
	CHECK_EQ(read_pmd(fd, 1), -(1ULL << 40) + 2000);
	CHECK_EQ(read_pmd(fd, 2), -(1ULL << 40) + 2000);
	CHECK_EQ(read_pmd(fd, 3), 123);
	stop(fd);
	restart(fd);
	CHECK_EQ(read_pmd(fd, 0), -2000);
	CHECK_EQ(read_pmd(fd, 1), -5555);
	CHECK_EQ(read_pmd(fd, 2), -(1ULL << 40) + 2000);
	CHECK_EQ(read_pmd(fd, 3), 0);
}

/* covers: 3.1.9-12 3.4.2-4 */
TEST(a_period_that_is_written_while_masked_is_used_unless_it_is_reset)
{
	int fd = masked_context(0);

	/* The counter has overflowed: so the long period applies. */
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 500,
				    .long_period = 2500 });
	restart(fd);
	loop(3000);
	check_state(fd, "masked");
	CHECK_EQ(all_of(fd), 3500);
	CHECK_EQ(ledger(fd, "overflows"), 2);
}

/* covers: 3.4.1-5 */
TEST(a_period_that_is_written_while_running_counts_from_then_on)
{
	int fd = notifying_context(0, 1ULL << 40);
	__u64 before, after;

	start(fd);
	loop(1000);
	before = all_of(fd);
	write_pmd(fd, 0, -1500);
	after = all_of(fd);
	loop(3000);
	check_state(fd, "masked");
	CHECK_GE(all_of(fd), before + 1500);
	CHECK_LE(all_of(fd), after + 1500);
}

/* covers: 3.4.1-2 3.4.1-10 */
TEST(periods_longer_than_the_hardware_counter_are_exact)
{
	/* The emulated counters load 32 bits and count 48. */
	static const __u64 steps[] = { 1ULL << 31, 1ULL << 32, 1ULL << 47, 1ULL << 48 };
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		fd = notifying_context(0, steps[i] + 1000);
		start(fd);
		loop(3000);
		check_state(fd, "loaded");
		write_pmd(fd, 0, -1000);
		loop(3000);
		check_state(fd, "masked");
		CHECK_EQ(read_pmd(fd, 0), 0);
		CHECK_OK(close(fd));
	}
}

/* The queue. */

/* covers: 3.3.1-2 3.3.1-4 3.4.3-9 */
TEST(messages_are_read_in_the_order_of_their_overflows)
{
	int fd = create(0), i;

	need_pmu();
	for (i = 0; i < 4; i++)
		program(fd, (struct event){ .reg = i, .flags = NOTIFY, .period = 1000 * (i + 1),
					    .long_period = 1ULL << 40 });
	load_self(fd);
	start(fd);
	for (i = 0; i < 4; i++) {
		loop(1000);
		restart(fd);
	}
	for (i = 0; i < 4; i++)
		expect_overflow(fd, 0, BIT_ULL(i));
}

/* covers: 3.1.9-8 3.3.3-2 3.3.3-7 3.3.3-9 */
TEST(several_messages_are_extracted_in_one_read)
{
	int fd = notifying_context(0, 1000), i;
	pfm_msg_t msgs[5];

	start(fd);
	for (i = 0; i < 4; i++) {
		loop(1000);
		restart(fd);
	}
	CHECK_EQ(read(fd, msgs, 3 * sizeof(msgs[0])), 3 * sizeof(msgs[0]));
	for (i = 0; i < 3; i++)
		CHECK_EQ(msgs[i].msg_type, PFM_MSG_OVFL);
	CHECK_GE(read(fd, msgs, sizeof(msgs)), sizeof(msgs[0]));
}

/* covers: 3.3.1-4 3.4.3-10 D.5-6 D.5-7 D.7-10 */
TEST(a_full_queue_counts_what_it_loses)
{
	int fd = notifying_context(0, 1000), i, kept = 0;
	__u64 lost = read_sysfs_u64("stats/messages_lost");
	pfm_msg_t msg;

	start(fd);
	for (i = 0; i < 20; i++) {
		loop(1000);
		restart(fd);
	}
	stop(fd);
	while (read(fd, &msg, sizeof(msg)) == sizeof(msg))
		kept++;
	CHECK_EQ(errno, EAGAIN);
	CHECK_EQ(kept, 8);
	/* The message is the record of such an overflow. */
	CHECK_EQ(ledger(fd, "overflows"), 20);
	CHECK_EQ(ledger(fd, "recorded"), 8);
	CHECK_EQ(ledger(fd, "lost-full"), 12);
	CHECK_EQ(ledger(fd, "lost-messages"), 12);
	check_ledger(fd);
	CHECK_EQ(read_sysfs_u64("stats/messages_lost") - lost, 12);
	/* The queue has a free place again. */
	write_pmd(fd, 0, -1000);
	start(fd);
	loop(1000);
	expect_overflow(fd, 0, BIT_ULL(0));
}

/* covers: 3.3.6-2 */
TEST(the_end_is_told_by_a_full_queue_as_well)
{
	pid_t pid;
	int fd, i;

	need_pmu();
	fd = create(0);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1000 });
	pid = spawn_without(fd, just_spin, NULL);
	load(fd, pid);
	start(fd);
	for (i = 0; i < 12; i++) {
		WAIT_UNTIL(is_masked(fd));
		restart(fd);
	}
	kill_child(pid);
	for (i = 0; i < 8; i++)
		expect_overflow(fd, 0, BIT_ULL(0));
	expect_end(fd);
}

/* covers: 3.1.7-13 3.3.5-1 */
TEST(load_empties_the_queue)
{
	int fd = masked_context(0);
	__u64 reset = read_sysfs_u64("stats/messages_reset");

	CHECK(has_message(fd));
	unload(fd);
	CHECK(has_message(fd));
	load_self(fd);
	CHECK(!has_message(fd));
	CHECK_EQ(read_sysfs_u64("stats/messages_reset") - reset, 1);
}

/* covers: 3.1.8-7 3.3.5-2 */
TEST(unload_keeps_the_queue)
{
	int fd = masked_context(0);

	unload(fd);
	expect_overflow(fd, 0, BIT_ULL(0));
	CHECK(!has_message(fd));
}

/* Waiting. */

static void overflow_and_end(void *arg)
{
	gate_wait(*(int *)arg);
	loop(1000000);
}

static void restart_when_told(void *arg)
{
	int fd = *(int *)arg;

	expect_overflow(fd, 0, BIT_ULL(0));
	restart(fd);
}

/* covers: 3.3.3-8 3.4-1 */
TEST(a_reader_that_waits_is_woken_by_an_overflow)
{
	struct thread thread;
	int fd;

	need_pmu();
	fd = create(0);
	/* The restart may come before pthread_join(), whose first call executes 1000 instructions. */
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 100000 });
	load_self(fd);
	thread_start(&thread, restart_when_told, &fd);
	wait_state(thread.tid, 'S');
	start(fd);
	loop(50000);
	thread_join(&thread);
	stop(fd);
	CHECK_EQ(ledger(fd, "recorded"), 1);
}

/*
 * On PREEMPT_RT a thread wakes the waiters, soon; other kernels do that before user mode goes on.
 */
static int soon_ms(void)
{
	struct utsname name;

	CHECK_OK(uname(&name));
	return strstr(name.version, "PREEMPT_RT") ? 1000 : 0;
}

/* covers: 3.3.8-2 3.3.8-3 */
TEST(poll_select_and_epoll_see_an_overflow)
{
	struct epoll_event event = { .events = EPOLLIN }, out;
	int fd = notifying_context(0, 1000), epoll = epoll_create1(0);
	struct timeval zero = { 0, 0 };
	fd_set set;

	CHECK_OK(epoll);
	CHECK_OK(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
	FD_ZERO(&set);
	FD_SET(fd, &set);
	CHECK_EQ(select(fd + 1, &set, NULL, NULL, &zero), 0);
	CHECK_EQ(epoll_wait(epoll, &out, 1, 0), 0);
	start(fd);
	loop(1000);
	FD_SET(fd, &set);
	CHECK_EQ(select(fd + 1, &set, NULL, NULL, &zero), 1);
	CHECK(FD_ISSET(fd, &set));
	CHECK(has_message(fd));
	CHECK_EQ(epoll_wait(epoll, &out, 1, soon_ms()), 1);
	CHECK_EQ(out.events, EPOLLIN);
	expect_overflow(fd, 0, BIT_ULL(0));
	CHECK_EQ(epoll_wait(epoll, &out, 1, 0), 0);
}

/* covers: 3.3.8-1 */
TEST(poll_waits_for_whichever_of_several_contexts_overflows)
{
	struct pollfd pollfds[3];
	int gates[3], i;
	pid_t pids[3];

	need_pmu();
	for (i = 0; i < 3; i++) {
		gates[i] = gate_new();
		pollfds[i].fd = create(0);
		pollfds[i].events = POLLIN;
		program(pollfds[i].fd, (struct event){ .reg = 0, .flags = NOTIFY,
						       .period = 1000 });
		pids[i] = spawn_without(pollfds[i].fd, overflow_and_end, &gates[i]);
		load(pollfds[i].fd, pids[i]);
		start(pollfds[i].fd);
	}
	CHECK_EQ(poll(pollfds, 3, 5), 0);
	gate_open(gates[1]);
	CHECK_EQ(poll(pollfds, 3, 5000), 1);
	CHECK_EQ(pollfds[1].revents, POLLIN);
	expect_overflow(pollfds[1].fd, 0, BIT_ULL(0));
	for (i = 0; i < 3; i++)
		kill_child(pids[i]);
}

/* System-wide contexts notify like other contexts. */
/* covers: 3.1.9-19 3.4.3-14 */
TEST(a_system_wide_context_notifies)
{
	int fd;

	need_pmu();
	fd = create(PFM_FL_SYSTEM_WIDE);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 100000 });
	count_up(fd, 0, 1);
	pin(0);
	load_self(fd);
	set_nonblocking(fd);
	start(fd);
	loop(200000);
	check_state(fd, "masked");
	expect_overflow(fd, 0, BIT_ULL(0));
	CHECK_EQ(all_of(fd), 100000);
	restart(fd);
	loop(200000);
	check_state(fd, "masked");
	CHECK_EQ(all_of(fd), 200000);
}

/* The thread does not end before the restart, whichever task has the processor first. */
static void overflow_twice(void *arg)
{
	int *gates = arg;

	gate_wait(gates[0]);
	loop(10000);
	gate_wait(gates[1]);
	loop(10000);
}

/* covers: 3.1.1-8 3.1.9-20 3.4.1-9 */
TEST(another_thread_is_masked_and_runs_on)
{
	int gates[2] = { gate_new(), gate_new() }, fd;
	pid_t pid;

	need_pmu();
	fd = create(0);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 5000 });
	count_up(fd, 0, 1);
	pid = spawn_without(fd, overflow_twice, gates);
	load(fd, pid);
	start(fd);
	gate_open(gates[0]);
	expect_overflow(fd, 0, BIT_ULL(0));
	CHECK_EQ(all_of(fd), 5000);
	restart(fd);
	gate_open(gates[1]);
	expect_overflow(fd, 0, BIT_ULL(0));
	CHECK_EQ(all_of(fd), 10000);
	/* Without a restart the thread runs to its end unmonitored. */
	reap(pid);
	expect_end(fd);
	CHECK_EQ(all_of(fd), 10000);
}
