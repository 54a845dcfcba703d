// SPDX-License-Identifier: GPL-2.0
/* A new thread or process is not monitored, and has access to the same contexts as its creator. */
#include "count.h"
#include "settings.h"

#define LOOPS	20000

static void loop_a_lot(void *unused)
{
	(void)unused;
	loop(LOOPS);
}

/* covers: 3.1.7-33 */
TEST(the_child_of_fork_is_not_counted)
{
	int fd = create_counting(general, 0);

	load_self(fd);
	start(fd);
	run_in_child(loop_a_lot, NULL);
	stop(fd);
	CHECK_GE(read_pmd(fd, 0), 1);
	CHECK_LE(read_pmd(fd, 0), 2 * LOOPS);
}

/* covers: 3.1.7-33 */
TEST(the_parent_is_counted_on_after_fork)
{
	int fd = create_counting(general, 0);

	load_self(fd);
	start(fd);
	run_in_child(just_exit, NULL);
	loop(LOOPS);
	CHECK_GE(read_pmd(fd, 0), 2 * LOOPS);
}

static void load_own_context(void *unused)
{
	int fd = create(0);

	(void)unused;
	load_self(fd);
	unload(fd);
}

/* covers: 3.1.7-33 4.2-6 */
TEST(the_child_of_fork_has_no_context)
{
	int fd = create(0);

	load_self(fd);
	run_in_child(load_own_context, NULL);
	check_loaded(fd);
}

/* covers: 3.1.7-34 4.2-6 */
TEST(the_child_of_vfork_is_not_counted)
{
	int fd = create_counting(general, 0), status;
	pid_t pid;

	load_self(fd);
	start(fd);
	pid = vfork();
	if (!pid) {
		loop(LOOPS);
		_exit(0);
	}
	stop(fd);
	CHECK_OK(pid);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	CHECK_GE(read_pmd(fd, 0), 1);
	CHECK_LE(read_pmd(fd, 0), 2 * LOOPS);
}

/* covers: 3.1.7-35 */
TEST(a_new_thread_is_not_counted)
{
	int fd = create_counting(general, 0);
	struct thread thread;

	load_self(fd);
	start(fd);
	thread_start(&thread, loop_a_lot, NULL);
	thread_join(&thread);
	stop(fd);
	CHECK_GE(read_pmd(fd, 0), 1);
	CHECK_LE(read_pmd(fd, 0), 2 * LOOPS);
}

/* covers: 3.1.7-35 4.2-6 */
TEST(a_new_thread_has_no_context)
{
	int fd = create(0);
	struct thread thread;

	load_self(fd);
	thread_start(&thread, load_own_context, NULL);
	thread_join(&thread);
	check_loaded(fd);
}

/* covers: 3.1.7-33 D.9-22 */
TEST(fork_makes_no_session)
{
	__u64 before = read_sysfs_u64("sessions/thread");
	int fd = create(0);
	pid_t pid;

	load_self(fd);
	pid = spawn(just_wait, NULL);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), before + 1);
	kill_child(pid);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), before + 1);
	unload(fd);
	CHECK_EQ(read_sysfs_u64("sessions/thread"), before);
}

static void read_and_load(void *arg)
{
	int fd = *(int *)arg;

	CHECK_EQ(read_pmd(fd, 0), 4321);
	write_pmd(fd, 0, 1234);
	load(fd, getppid());
}

/* covers: 3.1.1-31 4.3.1-1 */
TEST(the_childs_descriptor_is_the_same_context)
{
	int fd = create(0);

	need_pmu();
	write_pmd(fd, 0, 4321);
	run_in_child(read_and_load, &fd);
	CHECK_EQ(read_pmd(fd, 0), 1234);
	check_loaded(fd);
}

/* covers: 3.3.6-13 */
TEST(the_end_of_a_forked_child_means_nothing_to_the_context)
{
	struct pollfd pollfd = { .events = POLLIN };
	int fd = create(0);

	load_self(fd);
	run_in_child(just_exit, NULL);
	check_loaded(fd);
	pollfd.fd = fd;
	CHECK_EQ(poll(&pollfd, 1, 0), 0);
}

static void spawn_looping_child(void *arg)
{
	int *gates = arg;

	gate_wait(gates[0]);
	run_in_child(loop_a_lot, NULL);
	gate_open(gates[1]);
	just_wait(NULL);
}

/* covers: 3.1.7-33 */
TEST(the_children_of_a_monitored_child_are_not_counted)
{
	int fd = create_counting(general, 0), gates[2] = { gate_new(), gate_new() };
	pid_t pid = spawn_without(fd, spawn_looping_child, gates);

	load(fd, pid);
	start(fd);
	gate_open(gates[0]);
	gate_wait(gates[1]);
	stop(fd);
	CHECK_GE(read_pmd(fd, 0), 1);
	CHECK_LE(read_pmd(fd, 0), 2 * LOOPS);
	kill_child(pid);
}
