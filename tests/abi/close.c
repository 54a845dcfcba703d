// SPDX-License-Identifier: GPL-2.0
/* close(): which process keeps access, which contexts are unloaded, and which are destroyed. */
#include "count.h"
#include "messages.h"
#include "settings.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

static __u64 thread_sessions(void)
{
	return read_sysfs_u64("sessions/thread");
}

/* The specification's figure "effect of close() on a shared detached context". */
/* covers: 3.1.1-30 3.1.1-32 3.1.15-6 */
TEST(a_shared_unloaded_context_lives_until_all_have_closed_it)
{
	int fd = create(0), gates[2] = { gate_new(), gate_new() };
	pid_t pid;

	pid = fork();
	CHECK_OK(pid);
	if (!pid) {
		close(fd);
		CHECK_ERRNO(try_stop(fd), EBADF);
		gate_open(gates[0]);
		gate_wait(gates[1]);
		_exit(0);
	}
	gate_wait(gates[0]);
	load_self(fd);
	unload(fd);
	gate_open(gates[1]);
	reap(pid);
	load_self(fd);
}

/* Figure "effect of close() on a shared attached context": the monitored process closes. */
static void monitor_self_and_close(void *arg)
{
	int fd = ((int *)arg)[0];

	load_self(fd);
	start(fd);
	loop(1000);
	CHECK_OK(close(fd));
	gate_open(((int *)arg)[1]);
	just_wait(NULL);
}

/* covers: 3.1.15-7 */
TEST(closing_its_descriptor_ends_a_threads_monitoring_of_itself)
{
	int args[2] = { create_counting(general, 0), gate_new() };
	pid_t pid = spawn(monitor_self_and_close, args);

	gate_wait(args[1]);
	check_unloaded(args[0]);
	CHECK_GE(read_pmd(args[0], 0), 2000);
	CHECK_EQ(thread_sessions(), 0);
	/* Other processes may use the context. */
	load_self(args[0]);
	kill_child(pid);
	CHECK(!has_message(args[0]));
}

/* Figure "effect of close() on an attached context": the controlling process closes. */
/* covers: 3.1.15-9 */
TEST(closing_the_last_descriptor_frees_the_monitored_thread_at_once)
{
	int fd = create(0), other = create(0);
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	start(fd);
	CHECK_OK(close(fd));
	CHECK_EQ(thread_sessions(), 0);
	load(other, pid);
	unload(other);
	kill_child(pid);
}

/* covers: 3.1.15-9 */
TEST(closing_the_last_descriptor_frees_a_running_thread_at_once)
{
	int fd = create_counting(general, 0), other = create_counting(general, 0), i;
	pid_t pid = spawn_without(fd, just_spin, NULL);

	if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
		pin_thread(pid, 1);
		pin(0);
	}
	for (i = 0; i < 50; i++) {
		load(fd, pid);
		start(fd);
		CHECK_OK(close(fd));
		load(other, pid);
		unload(other);
		fd = create_counting(general, 0);
	}
	CHECK_EQ(thread_sessions(), 0);
	kill_child(pid);
}

/* covers: 3.1.15-1 3.1.15-3 */
TEST(closing_destroys_a_loaded_context_of_our_own)
{
	int fd = create(0);

	load_self(fd);
	start(fd);
	CHECK_EQ(thread_sessions(), 1);
	CHECK_OK(close(fd));
	CHECK_EQ(thread_sessions(), 0);
	CHECK_ERRNO(try_stop(fd), EBADF);
	load_self(create(0));
}

/* covers: 3.1.15-8 */
TEST(closing_a_duplicate_changes_nothing)
{
	int fd = create_counting(general, 0), copy = dup(fd);

	CHECK_OK(copy);
	CHECK_EQ(close(dup(fd)), 0);
	load_self(fd);
	start(fd);
	CHECK_EQ(close(copy), 0);
	check_loaded(fd);
	loop(1000);
	CHECK_GE(read_pmd(fd, 0), 2000);
	CHECK_EQ(close(fd), 0);
	CHECK_EQ(thread_sessions(), 0);
}

/* covers: 3.1.15-8 */
TEST(closing_the_descriptor_of_the_load_unloads_though_there_are_duplicates)
{
	int fd = create_counting(general, 0), copy = dup(fd), third = dup(fd);

	CHECK_OK(copy);
	load_self(fd);
	start(fd);
	loop(1000);
	CHECK_OK(close(fd));
	check_unloaded(copy);
	CHECK_GE(read_pmd(copy, 0), 2000);
	/* The descriptor of the latest load counts. */
	load_self(copy);
	CHECK_OK(close(third));
	check_loaded(copy);
	/* The same number is the same descriptor. */
	third = dup(copy);
	CHECK_OK(dup2(third, copy));
	check_loaded(copy);
	CHECK_OK(dup2(0, copy));
	check_unloaded(third);
	CHECK(!has_message(third));
}

static int close_in_copied_table(void *fd)
{
	close(*(int *)fd);
	_exit(0);
}

/* A child may share the memory and have its own descriptor table, like a child of vfork(). */
/* covers: 3.1.1-32 3.1.15-7 */
TEST(a_close_by_a_child_in_our_memory_is_the_childs)
{
	static char stack[65536] __attribute__((aligned(16)));
	int fd = create_counting(general, 0);
	pid_t pid;

	load_self(fd);
	start(fd);
	pid = clone(close_in_copied_table, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD,
		    &fd);
	CHECK_OK(pid);
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	check_loaded(fd);
	loop(1000);
	CHECK_GE(read_pmd(fd, 0), 2000);
}

/* covers: 3.1.15-3 */
TEST(dup2_over_the_descriptor_closes_it)
{
	int fd = create(0);

	load_self(fd);
	CHECK_OK(dup2(0, fd));
	CHECK_EQ(thread_sessions(), 0);
	CHECK_ERRNO(try_stop(fd), EBADF);
}

/* covers: 3.1.15-3 */
TEST(close_range_closes_it)
{
	int fd = create(0);

	load_self(fd);
	CHECK_OK(close_range(fd, fd, 0));
	CHECK_EQ(thread_sessions(), 0);
}

/* covers: 3.1.1-32 3.3.6-1 3.3.6-14 */
TEST(a_monitored_child_may_close_what_it_inherited)
{
	int fd = create_counting(general, 0), gates[2] = { gate_new(), gate_new() };
	pid_t pid;

	pid = fork();
	CHECK_OK(pid);
	if (!pid) {
		gate_wait(gates[0]);
		close(fd);
		loop(1000);
		gate_open(gates[1]);
		just_wait(NULL);
	}
	load(fd, pid);
	start(fd);
	gate_open(gates[0]);
	gate_wait(gates[1]);
	/* The context monitored us, but we did not load it. */
	check_loaded(fd);
	CHECK_GE(read_pmd(fd, 0), 2000);
	kill_child(pid);
	expect_end(fd);
}

/* covers: 3.1.15-11 */
TEST(the_controller_may_close_while_the_monitored_child_has_the_descriptor)
{
	int fd = create(0), gates[2] = { gate_new(), gate_new() };
	pid_t pid;

	pid = fork();
	CHECK_OK(pid);
	if (!pid) {
		gate_wait(gates[0]);
		check_loaded(fd);
		stop(fd);
		unload(fd);
		gate_open(gates[1]);
		_exit(0);
	}
	load(fd, pid);
	CHECK_OK(close(fd));
	CHECK_EQ(thread_sessions(), 1);
	gate_open(gates[0]);
	gate_wait(gates[1]);
	reap(pid);
	CHECK_EQ(thread_sessions(), 0);
}

static void monitor_and_wait(void *arg)
{
	int *args = arg, fd = create(0);

	load(fd, args[0]);
	start(fd);
	gate_open(args[1]);
	just_wait(NULL);
}

/* covers: 3.1.15-2 */
TEST(killing_the_controller_frees_the_monitored_thread)
{
	int args[2] = { 0, gate_new() }, fd = create(0);
	pid_t target = spawn(just_spin, NULL), controller;

	args[0] = target;
	controller = spawn(monitor_and_wait, args);
	gate_wait(args[1]);
	CHECK_ERRNO(try_load(fd, target), EBUSY);
	kill_child(controller);
	CHECK_EQ(thread_sessions(), 0);
	load(fd, target);
	kill_child(target);
}

/* covers: 3.1.15-9 */
TEST(the_end_of_the_target_after_that_of_its_controller_is_harmless)
{
	int args[2] = { 0, gate_new() };
	pid_t target = spawn(just_wait, NULL), controller;

	args[0] = target;
	controller = spawn(monitor_and_wait, args);
	gate_wait(args[1]);
	CHECK_OK(kill(controller, SIGKILL));
	CHECK_OK(kill(target, SIGKILL));
	kill_child(controller);
	kill_child(target);
	CHECK_EQ(thread_sessions(), 0);
}

static void monitor_self_and_exit(void *unused)
{
	int fd = create(0);

	(void)unused;
	load_self(fd);
	start(fd);
}

/* covers: 3.1.15-2 */
TEST(exit_of_a_self_monitoring_process_leaves_nothing)
{
	run_in_child(monitor_self_and_exit, NULL);
	CHECK_EQ(thread_sessions(), 0);
}

static void close_it(void *arg)
{
	CHECK_OK(close(*(int *)arg));
}

/* covers: 3.1.15-7 */
TEST(a_close_by_another_thread_ends_a_threads_monitoring_of_itself)
{
	int fd = create_counting(general, 0);
	struct thread thread;
	pid_t pid;

	/* Another process keeps the context, so that it is not destroyed. */
	pid = spawn(just_wait, NULL);
	load_self(fd);
	start(fd);
	thread_start(&thread, close_it, &fd);
	thread_join(&thread);
	CHECK_EQ(thread_sessions(), 0);
	CHECK_ERRNO(try_stop(fd), EBADF);
	/* Our thread can be monitored again. */
	fd = create_counting(general, 0);
	load_self(fd);
	start(fd);
	loop(1000);
	CHECK_GE(read_pmd(fd, 0), 2000);
	kill_child(pid);
}

/* Descriptors that are passed on. */

static void send_descriptor(int socket, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { };
	struct iovec iovec = { .iov_base = "x", .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iovec, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	CHECK_EQ(sendmsg(socket, &msg, 0), 1);
}

static int receive_descriptor(int socket)
{
	char control[CMSG_SPACE(sizeof(int))], byte;
	struct iovec iovec = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iovec, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	int fd;

	CHECK_EQ(recvmsg(socket, &msg, 0), 1);
	CHECK(CMSG_FIRSTHDR(&msg));
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

static void control_received(void *arg)
{
	int *sockets = arg, fd;

	become(NOBODY, NOBODY);
	fd = receive_descriptor(sockets[1]);
	check_loaded(fd);
	write_pmd(fd, 0, 999);
	stop(fd);
	unload(fd);
}

/* covers: 3.1.1-29 4.3.1-3 */
TEST(a_descriptor_passed_over_a_socket_is_access)
{
	int sockets[2], fd;
	pid_t pid;

	need_pmu();
	CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	pid = spawn(control_received, sockets);
	fd = create(0);
	load_self(fd);
	start(fd);
	send_descriptor(sockets[0], fd);
	reap(pid);
	check_unloaded(fd);
	CHECK_EQ(read_pmd(fd, 0), 999);
}

/* covers: 3.1.15-11 */
TEST(a_context_in_flight_lives_on)
{
	int sockets[2], fd = create(0);
	pid_t pid = sleeping_child(fd);

	CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	load(fd, pid);
	send_descriptor(sockets[0], fd);
	CHECK_OK(close(fd));
	CHECK_EQ(thread_sessions(), 1);
	fd = receive_descriptor(sockets[1]);
	check_loaded(fd);
	kill_child(pid);
	expect_end(fd);
}

/* covers: 3.1.15-4 */
TEST(a_context_that_dies_in_flight_leaves_nothing)
{
	int sockets[2], fd = create(0);
	pid_t pid = sleeping_child(fd);

	CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	load(fd, pid);
	send_descriptor(sockets[0], fd);
	CHECK_OK(close(fd));
	CHECK_OK(close(sockets[0]));
	CHECK_OK(close(sockets[1]));
	WAIT_UNTIL(thread_sessions() == 0);
	load(create(0), pid);
	kill_child(pid);
}

/* Many descriptors. */

#define DUPLICATES	32000

struct many {
	bool	self;		/* loaded, through the last descriptor */
	bool	of_context;
	__u64	range_ns;	/* time to close all but one */
	__u64	began;		/* start of the exit, with all of them open again */
};

static int duplicate_often(int fd)
{
	int i, last = fd;

	for (i = 0; i < DUPLICATES; i++) {
		last = fcntl(fd, F_DUPFD, last);
		CHECK_OK(last);
	}
	return last;
}

static void close_many(void *arg)
{
	struct rlimit limit = { DUPLICATES + 100, DUPLICATES + 100 };
	struct many *many = arg;
	__u64 began;
	int fd, last;

	CHECK_OK(setrlimit(RLIMIT_NOFILE, &limit));
	fd = many->of_context ? create_counting(general, 0) : open("/dev/null", O_RDONLY);
	CHECK_OK(fd);
	last = duplicate_often(fd);
	if (many->self) {
		load_self(last);
		start(last);
	}
	began = clock_ns(CLOCK_MONOTONIC);
	CHECK_OK(close_range(fd, last - 1, 0));
	many->range_ns = clock_ns(CLOCK_MONOTONIC) - began;
	duplicate_often(fd = dup(last));
	many->began = clock_ns(CLOCK_MONOTONIC);
	_exit(0);
}

/* The time that it takes to close them one by one, and at exit. */
static void measure(struct many *many, __u64 *exit_ns)
{
	reap(spawn(close_many, many));
	*exit_ns = clock_ns(CLOCK_MONOTONIC) - many->began;
}

/* covers: 3.1.15-12 */
TEST(many_descriptors_of_a_context_are_closed_as_quickly_as_others)
{
	struct many *plain = test_shared(sizeof(*plain)), *ours = test_shared(sizeof(*ours));
	__u64 plain_exit, our_exit;
	int self;

	need_pmu();
	measure(plain, &plain_exit);
	ours->of_context = true;
	for (self = 0; self < 2; self++) {
		ours->self = self;
		measure(ours, &our_exit);
		/*
		 * Some instructions more for each; a scan of all descriptors would be 2000 times
		 * more.
		 */
		CHECK_LE(ours->range_ns, 10 * plain->range_ns + 1000000);
		CHECK_LE(our_exit, 10 * plain_exit + 1000000);
	}
	CHECK_EQ(thread_sessions(), 0);
}
