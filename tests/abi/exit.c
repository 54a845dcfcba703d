// SPDX-License-Identifier: GPL-2.0
/*
 * The end of a monitored thread: PFM_MSG_END, the context unloaded, its values kept.
 */
#include "count.h"
#include "messages.h"
#include "settings.h"

#define LOOPS	10000

static void loop_and_exit(void *arg)
{
	gate_wait(*(int *)arg);
	loop(LOOPS);
}

static void loop_and_crash(void *arg)
{
	gate_wait(*(int *)arg);
	loop(LOOPS);
	prctl(PR_SET_DUMPABLE, 0);
	kill(getpid(), SIGSEGV);
}

/* A child that runs @fn when gate @go opens, counted. */
static pid_t counted_child(int fd, int go, void (*fn)(void *arg))
{
	pid_t pid = spawn_without(fd, fn, &go);

	wait_state(pid, 'S');
	load(fd, pid);
	start(fd);
	return pid;
}

/* covers: 3.3-2 3.3.1-1 3.3.3-1 3.3.6-3 */
TEST(the_end_of_a_thread_is_a_message)
{
	int fd = create(0);
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	CHECK(!has_message(fd));
	kill_child(pid);
	expect_end(fd);
	CHECK(!has_message(fd));
}

/* covers: 3.3.2-1 3.3.2-3 3.3.6-11 4.1-1 */
TEST(the_message_of_an_end_is_zero_but_for_its_type)
{
	unsigned char bytes[sizeof(pfm_msg_t)];
	int fd = ended_context();
	__u32 type;
	size_t i;

	memset(bytes, 0x5a, sizeof(bytes));
	CHECK_EQ(read(fd, bytes, sizeof(bytes)), 48);
	memcpy(&type, bytes, sizeof(type));
	CHECK_EQ(type, PFM_MSG_END);
	for (i = sizeof(type); i < sizeof(bytes); i++)
		CHECK_EQ(bytes[i], 0);
}

/* covers: 3.3.6-10 */
TEST(the_context_is_unloaded_when_the_message_arrives)
{
	int fd = create(0), go = gate_new();
	pid_t pid = counted_child(fd, go, loop_and_exit);

	gate_open(go);
	expect_end(fd);
	CHECK_ERRNO(try_stop(fd), EBUSY);
	CHECK_ERRNO(try_start(fd), EBUSY);
	CHECK_ERRNO(try_unload(fd), EBUSY);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
	reap(pid);
}

/* covers: 3.3.6-9 */
TEST(the_values_are_complete_when_the_message_arrives)
{
	int fd, go = gate_new();
	__u64 value;
	pid_t pid;

	need_pmu();
	fd = create_counting(general, 0);
	pid = counted_child(fd, go, loop_and_exit);
	gate_open(go);
	expect_end(fd);
	value = read_pmd(fd, 0);
	CHECK_GE(value, 2 * LOOPS);
	reap(pid);
	CHECK_EQ(read_pmd(fd, 0), value);
}

/* covers: 3.3.6-9 */
TEST(equal_threads_end_with_equal_values)
{
	int fd, go = gate_new(), i;
	__u64 values[3];
	pid_t pid;

	need_pmu();
	for (i = 0; i < 3; i++) {
		fd = create_counting(general, 0);
		pid = counted_child(fd, go, loop_and_exit);
		gate_open(go);
		expect_end(fd);
		values[i] = read_pmd(fd, 0);
		reap(pid);
		CHECK_OK(close(fd));
	}
	CHECK_EQ(values[1], values[0]);
	CHECK_EQ(values[2], values[0]);
}

/* covers: 3.3.6-5 */
TEST(the_end_by_a_signal_is_a_message_too)
{
	int fd = create(0);
	pid_t pid;

	pid = spawn_without(fd, just_spin, NULL);
	load(fd, pid);
	start(fd);
	kill_child(pid);
	expect_end(fd);
	check_unloaded(fd);
}

/* covers: 3.3.6-5 */
TEST(the_end_by_a_crash_is_a_message_too)
{
	int fd = create_counting(general, 0), go = gate_new(), status;
	pid_t pid = counted_child(fd, go, loop_and_crash);

	gate_open(go);
	expect_end(fd);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFSIGNALED(status));
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS);
}

/* covers: 3.3.6-3 */
TEST(the_end_of_a_stopped_context_is_a_message_too)
{
	int fd = create_counting(general, 0);
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	write_pmd(fd, 0, 99);
	kill_child(pid);
	expect_end(fd);
	CHECK_EQ(read_pmd(fd, 0), 99);
}

/* covers: 3.1.7-6 */
TEST(the_end_comes_before_the_parent_reaps)
{
	int fd = create(0), go = gate_new();
	pid_t pid = counted_child(fd, go, loop_and_exit);

	gate_open(go);
	expect_end(fd);
	wait_state(pid, 'Z');
	CHECK_ERRNO(try_load(fd, pid), ESRCH);
	reap(pid);
}

/* covers: 3.1.8-8 */
TEST(an_ended_context_can_be_loaded_again)
{
	int fd = ended_context();

	load_self(fd);
	start(fd);
	unload(fd);
}

/* covers: 3.1.4-19 */
TEST(values_go_on_after_the_end)
{
	int fd, go = gate_new();
	__u64 value;
	pid_t pid;

	need_pmu();
	fd = create_counting(general, 0);
	pid = counted_child(fd, go, loop_and_exit);
	gate_open(go);
	expect_end(fd);
	value = read_pmd(fd, 0);
	reap(pid);
	load_self(fd);
	start_loop_stop(fd, LOOPS);
	CHECK_GE(read_pmd(fd, 0), value + 2 * LOOPS);
}

/* One thread of a process ends, the others go on. */

struct threaded {
	int		go, up;
	struct thread	thread;
	pid_t		tid;
};

static void run_thread(void *arg)
{
	struct threaded *threaded = arg;

	gate_wait(threaded->go);
	loop(LOOPS);
}

static void add_thread(struct threaded *threaded)
{
	thread_start(&threaded->thread, run_thread, threaded);
	threaded->tid = threaded->thread.tid;
}

static void have_thread(void *arg)
{
	struct threaded *threaded = arg;

	add_thread(threaded);
	gate_open(threaded->up);
	just_wait(NULL);
}

/* covers: 3.3.6-4 */
TEST(the_end_of_one_thread_of_a_process_is_a_message)
{
	struct threaded *threaded = test_shared(sizeof(*threaded));
	int fd = create_counting(general, 0), leader = create(0);
	pid_t pid;

	threaded->go = gate_new();
	threaded->up = gate_new();
	pid = spawn_without(fd, have_thread, threaded);
	gate_wait(threaded->up);
	load(fd, threaded->tid);
	load(leader, pid);
	start(fd);
	gate_open(threaded->go);
	expect_end(fd);
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS);
	/* The leader is unchanged. */
	check_loaded(leader);
	CHECK(!has_message(leader));
	kill_child(pid);
}

static void leave_thread_behind(void *arg)
{
	struct threaded *threaded = arg;

	add_thread(threaded);
	gate_wait(threaded->up);
	pthread_exit(NULL);
}

/* covers: 3.3.6-4 */
TEST(the_end_of_a_leader_is_a_message_though_its_process_goes_on)
{
	struct threaded *threaded = test_shared(sizeof(*threaded));
	int fd = create(0), other = create_counting(general, 0);
	pid_t pid;

	threaded->go = gate_new();
	threaded->up = gate_new();
	pid = fork();
	CHECK_OK(pid);
	if (!pid) {
		close(fd);
		close(other);
		leave_thread_behind(threaded);
	}
	wait_state(pid, 'S');
	WAIT_UNTIL(__atomic_load_n(&threaded->tid, __ATOMIC_SEQ_CST));
	load(fd, pid);
	load(other, threaded->tid);
	start(other);
	gate_open(threaded->up);
	expect_end(fd);
	CHECK(!has_message(other));
	gate_open(threaded->go);
	expect_end(other);
	CHECK_GE(read_pmd(other, 0), 2 * LOOPS);
	reap(pid);
}

/* "Only [...] when the monitored thread does not have access to the descriptor." */

static void load_own_thread(void *arg)
{
	load_self(*(int *)arg);
	start(*(int *)arg);
	loop(LOOPS);
}

/* covers: 3.3.6-6 */
TEST(no_message_when_a_thread_that_monitors_itself_ends)
{
	int fd = create_counting(general, 0);
	struct thread thread;

	thread_start(&thread, load_own_thread, &fd);
	thread_join(&thread);
	WAIT_UNTIL(read_sysfs_u64("sessions/thread") == 0);
	check_unloaded(fd);
	CHECK(!has_message(fd));
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS);
}

/* covers: 3.3.6-12 */
TEST(no_message_when_the_ending_thread_has_the_descriptor)
{
	int fd = create_counting(general, 0), go = gate_new();
	pid_t pid = spawn(loop_and_exit, &go);

	load(fd, pid);
	start(fd);
	gate_open(go);
	reap(pid);
	check_unloaded(fd);
	CHECK(!has_message(fd));
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS);
}

static void renumber_and_exit(void *arg)
{
	const int *args = arg;

	/* Another number, which no process waits for. */
	CHECK_OK(dup2(args[0], args[0] + 20));
	CHECK_OK(close(args[0]));
	gate_wait(args[1]);
}

/* covers: 3.3.6-12 3.3.6-14 */
TEST(a_message_when_the_ending_thread_has_the_descriptor_under_another_number)
{
	int args[2] = { create(0), gate_new() };
	pid_t pid = spawn(renumber_and_exit, args);

	wait_state(pid, 'S');
	load(args[0], pid);
	gate_open(args[1]);
	expect_end(args[0]);
	reap(pid);
}

static void load_and_exit(void *arg)
{
	load_self(*(int *)arg);
	start(*(int *)arg);
}

/* covers: 3.3.6-6 */
TEST(no_message_when_a_process_that_monitors_itself_ends)
{
	int fd = create(0);

	run_in_child(load_and_exit, &fd);
	check_unloaded(fd);
	CHECK(!has_message(fd));
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
}

/* covers: 3.3.6-3 */
TEST(many_threads_can_end_at_once)
{
	int fds[16], go = gate_new();
	pid_t pids[16];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pids); i++)
		fds[i] = create(0);
	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		pids[i] = fork();
		CHECK_OK(pids[i]);
		if (!pids[i]) {
			close_range(fds[0], fds[ARRAY_SIZE(fds) - 1], 0);
			loop_and_exit(&go);
			_exit(0);
		}
		load(fds[i], pids[i]);
		start(fds[i]);
	}
	CHECK_OK(eventfd_write(go, ARRAY_SIZE(pids)));
	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		expect_end(fds[i]);
		reap(pids[i]);
	}
	CHECK_EQ(read_sysfs_u64("sessions/thread"), 0);
}
