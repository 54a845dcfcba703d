// SPDX-License-Identifier: GPL-2.0
/*
 * PFM_RESTART, and the effect of START, STOP, UNLOAD and the register commands between an overflow
 * and its restart.
 */
#include "overflow.h"
#include "system.h"

/* covers: 3.1.9-4 */
TEST(restart_of_an_unloaded_context_is_refused)
{
	int fd = create(0);

	CHECK_ERRNO(try_restart(fd), EBUSY);
	load_self(fd);
	unload(fd);
	CHECK_ERRNO(try_restart(fd), EBUSY);
}

/* covers: D.7-4 */
TEST(restart_without_an_overflow_changes_nothing)
{
	int fd = notifying_context(0, 100000);

	restart(fd);
	check_state(fd, "loaded");
	/* The restart does not start the context. */
	loop(1000);
	CHECK_EQ(read_pmd(fd, 1), 0);
	start(fd);
	loop(1000);
	restart(fd);
	restart(fd);
	/* Nor does it reset the counter. */
	loop(60000);
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, 1), 100000);
	CHECK_EQ(ledger(fd, "overflows"), 1);
}

/* covers: D.7-4 */
TEST(a_second_restart_resets_nothing)
{
	int fd = masked_context(0);
	__u64 value;

	restart(fd);
	loop(200);
	stop(fd);
	value = read_pmd(fd, 0);
	CHECK_GE(value, -1000ULL + 400);
	restart(fd);
	CHECK_EQ(read_pmd(fd, 0), value);
}

/* covers: 3.5.15-6 */
TEST(nothing_is_reset_by_what_overflowed_before_the_load)
{
	int fd = masked_context(0);

	unload(fd);
	write_pmd(fd, 0, -5555);
	load_self(fd);
	/* A start with a set does the pending resets of that set. */
	start_set(fd, 0);
	stop(fd);
	CHECK_EQ(read_reg(fd, 0, 0).reg_last_reset_val, -5555);
	CHECK_GE(read_pmd(fd, 0), -5555);
}

/* covers: 3.1.9-10 */
TEST(restart_needs_no_start_to_resume)
{
	int fd = masked_context(0);

	restart(fd);
	loop(1000);
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, 1), 2000);
}

/* covers: D.5-8 D.7-3 */
TEST(a_context_stopped_while_masked_stays_masked_and_is_not_started_by_restart)
{
	int fd = masked_context(0);

	stop(fd);
	check_state(fd, "masked");
	restart(fd);
	check_state(fd, "loaded");
	loop(1000);
	CHECK_EQ(read_pmd(fd, 1), 1000);
	CHECK_EQ(read_pmd(fd, 0), -1000);
	start(fd);
	loop(1000);
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, 1), 2000);
}

/* covers: D.7-2 */
TEST(start_while_masked_takes_effect_at_the_restart)
{
	int fd = masked_context(0);

	stop(fd);
	start(fd);
	check_state(fd, "masked");
	loop(1000);
	CHECK_EQ(read_pmd(fd, 1), 1000);
	restart(fd);
	loop(1000);
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, 1), 2000);
}

/* covers: 3.1.5-10 D.7-2 */
TEST(start_of_a_started_masked_context_changes_nothing)
{
	int fd = masked_context(0);

	start(fd);
	start(fd);
	check_state(fd, "masked");
	loop(1000);
	CHECK_EQ(read_pmd(fd, 1), 1000);
	restart(fd);
	loop(1000);
	CHECK_EQ(read_pmd(fd, 1), 2000);
}

/* covers: 3.1.8-6 D.5-8 */
TEST(unload_ends_the_masked_state)
{
	int fd = masked_context(0);

	unload(fd);
	check_state(fd, "unloaded");
	CHECK_ERRNO(try_restart(fd), EBUSY);
	CHECK_EQ(read_pmd(fd, 0), 0);
	CHECK_EQ(read_pmd(fd, 1), 1000);
	load_self(fd);
	check_state(fd, "loaded");
	loop(1000);
	CHECK_EQ(read_pmd(fd, 1), 1000);
	/* The counter was never reset: it continues at its value. */
	start(fd);
	loop(1000);
	stop(fd);
	check_state(fd, "loaded");
	CHECK_EQ(read_pmd(fd, 0), read_pmd(fd, 1) - 1000);
}

/* covers: 3.1.2-37 3.1.3-29 3.1.4-23 */
TEST(registers_can_be_read_and_written_while_masked)
{
	int fd = masked_context(0);

	CHECK_EQ(read_pmd(fd, 1), 1000);
	write_pmd(fd, 1, 777);
	count_up(fd, 0, 2);
	CHECK_EQ(read_pmd(fd, 1), 777);
	loop(1000);
	CHECK_EQ(read_pmd(fd, 1), 777);
	CHECK_EQ(read_pmd(fd, 2), 0);
	restart(fd);
	loop(1000);
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, 1), 1777);
	CHECK_EQ(read_pmd(fd, 2), 1000);
}

/* A masked context leaves the CPU and comes back: masked. */
static void run_in_turns(void *arg)
{
	(void)arg;
	take_turns(0);
	for (;;) {
		loop(50);
		sched_yield();
	}
}

/* covers: 3.1.9-9 3.1.9-10 */
TEST(the_masked_state_survives_context_switches)
{
	pid_t pid = spawn(run_in_turns, NULL);
	int fd = masked_context(0), i;

	take_turns(0);
	for (i = 0; i < 20; i++) {
		loop(100);
		sched_yield();
	}
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, 1), 1000);
	restart(fd);
	for (i = 0; i < 20; i++) {
		loop(100);
		sched_yield();
	}
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, 1), 2000);
	kill_child(pid);
}

/* The thread that restarts may be another one than the monitored one. */
static void restart_in_child(void *arg)
{
	restart(*(int *)arg);
}

/* covers: 3.1.1-29 3.1.9-18 */
TEST(any_process_with_the_descriptor_may_restart)
{
	int fd = notifying_context(0, 50000);

	start(fd);
	loop(50000);
	check_state(fd, "masked");
	run_in_child(restart_in_child, &fd);
	check_state(fd, "loaded");
	loop(50000);
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, 1), 100000);
}

/* covers: 3.1.9-20 */
TEST(a_sleeping_thread_is_restarted_before_it_runs)
{
	int fd = create(0);
	pid_t pid;

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1000 });
	count_up(fd, 0, 1);
	pid = spawn_without(fd, just_spin, NULL);
	load(fd, pid);
	start(fd);
	WAIT_UNTIL(is_masked(fd));
	CHECK_OK(kill(pid, SIGSTOP));
	wait_state(pid, 'T');
	restart(fd);
	check_state(fd, "loaded");
	CHECK_EQ(read_pmd(fd, 0), -1000);
	CHECK_EQ(read_pmd(fd, 1), 1000);
	CHECK_OK(kill(pid, SIGCONT));
	WAIT_UNTIL(is_masked(fd));
	CHECK_EQ(read_pmd(fd, 1), 2000);
	kill_child(pid);
}

/* covers: 3.1.9-19 */
TEST(a_system_wide_context_is_restarted_from_its_cpu_or_another)
{
	int fd, i;

	need_pmu();
	fd = create(PFM_FL_SYSTEM_WIDE);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 50000 });
	count_up(fd, 0, 1);
	load_on(fd, 0);
	start(fd);
	for (i = 1; i <= 4; i++) {
		loop(50000);
		check_state(fd, "masked");
		CHECK_EQ(read_pmd(fd, 1), 50000ULL * i);
		pin(i % sysconf(_SC_NPROCESSORS_ONLN));
		restart(fd);
		pin(0);
	}
}

/* covers: 3.1.7-38 */
TEST(an_exec_while_masked_keeps_the_context_masked)
{
	int fd = create(0);
	pid_t pid;

	need_pmu();
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 1000 });
	count_up(fd, 0, 1);
	pid = fork();
	CHECK_OK(pid);
	if (!pid) {
		close(fd);
		for (;;) {
			loop(10000);
			sched_yield();
			if (!access("/dev/shm/exec-now", F_OK))
				execl("/bin/sleep", "sleep", "1000", NULL);
		}
	}
	load(fd, pid);
	start(fd);
	WAIT_UNTIL(is_masked(fd));
	close(open("/dev/shm/exec-now", O_CREAT | O_WRONLY, 0600));
	wait_state(pid, 'S');
	unlink("/dev/shm/exec-now");
	check_state(fd, "masked");
	CHECK_EQ(read_pmd(fd, 1), 1000);
	kill_child(pid);
	check_state(fd, "unloaded");
}
