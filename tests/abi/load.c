// SPDX-License-Identifier: GPL-2.0
/*
 * PFM_LOAD_CONTEXT onto threads.
 */
#include "settings.h"

#include <limits.h>

static unsigned int thread_sessions(void)
{
	return read_sysfs_u64("sessions/thread");
}

/* covers: 3.1.1-5 3.1.7-1 3.1.8-1 */
TEST(a_context_loads_onto_its_own_thread)
{
	int fd = create(0);

	load_self(fd);
	check_loaded(fd);
	unload(fd);
	check_unloaded(fd);
}

/* covers: 3.1.7-11 */
TEST(a_context_loads_onto_a_child)
{
	int fd = create(0);
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	check_loaded(fd);
	unload(fd);
	kill_child(pid);
}

/* covers: 3.1.7-11 3.3.6-1 */
TEST(a_context_loads_onto_a_parent)
{
	int fd = create(0);
	pid_t pid = fork();

	CHECK_OK(pid);
	if (!pid) {
		load(fd, getppid());
		check_loaded(fd);
		_exit(0);
	}
	reap(pid);
	/* The child has exited and its descriptor is closed; the context is the same. */
	check_loaded(fd);
	unload(fd);
}

/* covers: 3.1.7-5 */
TEST(a_context_loads_onto_another_thread_of_the_process)
{
	int fd = create(0);
	struct thread thread;

	thread_start(&thread, just_wait, NULL);
	load(fd, thread.tid);
	check_loaded(fd);
	unload(fd);
}

/* covers: 3.1.7-5 */
TEST(a_context_loads_onto_a_thread_of_another_process)
{
	struct {
		pid_t	tid;
		int	up;
	} *shared = test_shared(sizeof(*shared));
	int fd = create(0);
	pid_t pid;

	shared->up = gate_new();
	pid = fork();
	CHECK_OK(pid);
	if (!pid) {
		struct thread thread;

		close(fd);
		thread_start(&thread, just_wait, NULL);
		shared->tid = thread.tid;
		gate_open(shared->up);
		just_wait(NULL);
	}
	gate_wait(shared->up);
	CHECK_NE(shared->tid, pid);
	load(fd, shared->tid);
	/* That thread has a context, the leader has none. */
	CHECK_ERRNO(try_load(create(0), shared->tid), EBUSY);
	load(create(0), pid);
	kill_child(pid);
}

/* covers: 3.1.7-6 */
TEST(threads_that_do_not_exist_are_refused)
{
	static const pid_t nobodies[] = { 0, -1, -2, INT_MIN, INT_MAX, 1 << 29 };
	int fd = create(0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(nobodies); i++)
		CHECK_ERRNO(try_load(fd, nobodies[i]), ESRCH);
	CHECK_ERRNO(try_load(fd, -gettid()), ESRCH);
	check_unloaded(fd);
}

/* covers: 3.1.7-6 */
TEST(a_thread_that_is_gone_is_refused)
{
	int fd = create(0);
	pid_t pid = spawn(just_exit, NULL);

	reap(pid);
	CHECK_ERRNO(try_load(fd, pid), ESRCH);
}

/* covers: 3.1.7-6 */
TEST(a_zombie_is_refused)
{
	int fd = create(0);
	pid_t pid = spawn(just_exit, NULL);

	wait_state(pid, 'Z');
	CHECK_ERRNO(try_load(fd, pid), ESRCH);
	check_unloaded(fd);
	reap(pid);
}

/* covers: 3.1.7-46 */
TEST(a_failed_load_leaves_no_session)
{
	unsigned int before = thread_sessions();
	int fd = create(0), busy = create(0);
	pid_t pid = spawn(just_exit, NULL);

	wait_state(pid, 'Z');
	CHECK_ERRNO(try_load(fd, pid), ESRCH);
	CHECK_ERRNO(try_load(fd, INT_MAX), ESRCH);
	CHECK_ERRNO(try_load_set(fd, gettid(), 1), EINVAL);
	CHECK_EQ(thread_sessions(), before);
	load_self(busy);
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	CHECK_EQ(thread_sessions(), before + 1);
	unload(busy);
	CHECK_EQ(thread_sessions(), before);
	load_self(fd);
	reap(pid);
}

/* covers: 3.1.7-40 3.1.10-15 */
TEST(an_event_set_that_does_not_exist_is_refused)
{
	static const __u16 sets[] = { 1, 2, 0x7fff, 0x8000, 0xffff };
	int fd = create(0), system_wide = create(PFM_FL_SYSTEM_WIDE);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		CHECK_ERRNO(try_load_set(fd, gettid(), sets[i]), EINVAL);
		CHECK_ERRNO(try_load_set(system_wide, gettid(), sets[i]), EINVAL);
	}
	check_unloaded(fd);
	check_unloaded(system_wide);
}

/* covers: 3.1.7-9 */
TEST(a_thread_has_one_context_at_most)
{
	int first = create(0), second = create(0);

	load_self(first);
	CHECK_ERRNO(try_load(second, gettid()), EBUSY);
	check_unloaded(second);
	unload(first);
	load_self(second);
}

/* covers: 3.1.7-8 */
TEST(a_context_is_on_one_thread_at_most)
{
	int fd = create(0);
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	CHECK_ERRNO(try_load(fd, pid), EBUSY);
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	unload(fd);
	load_self(fd);
	CHECK_ERRNO(try_load(fd, gettid()), EBUSY);
	CHECK_ERRNO(try_load(fd, pid), EBUSY);
	kill_child(pid);
}

/* covers: 3.1.7-19 */
TEST(many_threads_can_be_monitored_at_once)
{
	unsigned int before = thread_sessions();
	pid_t pids[20];
	int fds[20];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		fds[i] = create(0);
		pids[i] = spawn(just_wait, NULL);
		load(fds[i], pids[i]);
		start(fds[i]);
	}
	CHECK_EQ(thread_sessions(), before + ARRAY_SIZE(pids));
	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		unload(fds[i]);
		kill_child(pids[i]);
	}
	CHECK_EQ(thread_sessions(), before);
}

/* covers: 3.1.1-10 */
TEST(a_blocking_context_cannot_load_onto_its_own_thread)
{
	int fd = create(PFM_FL_NOTIFY_BLOCK);
	pid_t pid;

	CHECK_ERRNO(try_load(fd, gettid()), EINVAL);
	check_unloaded(fd);
	pid = sleeping_child(fd);
	load(fd, pid);
	kill_child(pid);
}

/* covers: 3.1.1-13 */
TEST(a_context_without_overflow_messages_loads_anywhere)
{
	int fd = create(PFM_FL_OVFL_NO_MSG);
	pid_t pid = sleeping_child(fd);

	load_self(fd);
	unload(fd);
	load(fd, pid);
	kill_child(pid);
}

/* Permission to monitor a thread: PTRACE_MODE_READ. */

static void load_as_nobody(void *arg)
{
	pid_t pid = *(pid_t *)arg;

	become(NOBODY, NOBODY);
	CHECK_ERRNO(try_load(create(0), pid), EPERM);
	CHECK_ERRNO(try_load(create(0), 1), EPERM);
}

/* covers: 3.1.7-12 4.2-5 */
TEST(a_thread_of_another_user_is_refused)
{
	pid_t pid = spawn(just_wait, NULL);

	run_in_child(load_as_nobody, &pid);
	kill_child(pid);
}

static void load_with_caps(void *arg)
{
	pid_t pid = *(pid_t *)arg;

	become_with_caps(NOBODY, NOBODY, 1ULL << CAP_SYS_PTRACE);
	load(create(0), pid);
}

/* covers: 3.1.7-12 */
TEST(cap_sys_ptrace_opens_threads_of_other_users)
{
	pid_t pid = spawn(just_wait, NULL);

	run_in_child(load_with_caps, &pid);
	kill_child(pid);
}

static void load_between_equals(void *arg)
{
	pid_t dumpable, hidden;

	(void)arg;
	become(NOBODY, NOBODY);
	dumpable = spawn(just_wait, NULL);
	load(create(0), dumpable);

	CHECK_OK(prctl(PR_SET_DUMPABLE, 0));
	hidden = spawn(just_wait, NULL);
	CHECK_OK(prctl(PR_SET_DUMPABLE, 1));
	CHECK_ERRNO(try_load(create(0), hidden), EPERM);
	kill_child(dumpable);
	kill_child(hidden);
}

/* covers: 3.1.7-12 */
TEST(a_thread_of_the_same_user_loads_unless_it_is_undumpable)
{
	run_in_child(load_between_equals, NULL);
}

#define YAMA	"/proc/sys/kernel/yama/ptrace_scope"

/* The threads that a process may trace: 0: threads of the same user, 1: only descendants. */
struct scope {
	pid_t	pid;
	int	blocks;		/* errno */
};

static void load_as_equal(void *arg)
{
	const struct scope *scope = arg;
	int fd;

	become(NOBODY, NOBODY);
	fd = create(PFM_FL_NOTIFY_BLOCK);
	if (scope->blocks)
		CHECK_ERRNO(try_load(fd, scope->pid), scope->blocks);
	else
		load(fd, scope->pid);
	CHECK_OK(close(fd));
	/* Other flags need no such right. */
	load(create(PFM_FL_OVFL_NO_MSG), scope->pid);
}

static void run_as_equal(void *arg)
{
	run_in_child(load_as_equal, arg);
}

static void wait_as_nobody(void *arg)
{
	become(NOBODY, NOBODY);
	gate_open(*(int *)arg);
	just_wait(NULL);
}

/* covers: D.7-21 */
TEST(to_have_a_thread_wait_takes_the_right_to_trace_it)
{
	int up = gate_new();
	struct scope scope = { .pid = spawn(wait_as_nobody, &up) };

	gate_wait(up);
	with_file(YAMA, "0", run_as_equal, &scope);
	scope.blocks = EPERM;
	with_file(YAMA, "1", run_as_equal, &scope);
	kill_child(scope.pid);
}

static void load_undumpable_self(void *unused)
{
	struct thread thread;

	(void)unused;
	become(NOBODY, NOBODY);
	CHECK_OK(prctl(PR_SET_DUMPABLE, 0));
	load_self(create(0));
	thread_start(&thread, just_wait, NULL);
	load(create(0), thread.tid);
}

/* covers: 3.1.7-12 */
TEST(an_undumpable_process_may_monitor_itself)
{
	run_in_child(load_undumpable_self, NULL);
}

/* covers: 3.1.7-12 3.1.7-47 */
TEST(a_kernel_thread_can_be_monitored_by_root)
{
	int fd = create(0);

	/* kthreadd. It has no user level, but all commands work on it. */
	load(fd, 2);
	start(fd);
	stop(fd);
	unload(fd);
}

/* covers: 3.1.7-12 */
TEST(a_kernel_thread_is_refused_to_users)
{
	pid_t pid = 2;

	run_in_child(load_as_nobody, &pid);
}

static void load_in_namespace(void *arg)
{
	int *fds = arg;

	/* Our PID in this namespace is 1; the PID outside belongs to no thread here. */
	CHECK_EQ(gettid(), 1);
	load_self(fds[0]);
	CHECK_ERRNO(try_load(fds[1], 54321), ESRCH);
}

static void enter_namespace(void *arg)
{
	CHECK_OK(unshare(CLONE_NEWPID));
	run_in_child(load_in_namespace, arg);
}

/* covers: 3.1.7-5 */
TEST(threads_have_the_numbers_of_the_callers_namespace)
{
	int fds[2] = { create(0), create(0) };

	run_in_child(enter_namespace, fds);
}

/* A process that goes on in another thread after its first one has ended. */

static void open_gate_and_wait(void *arg)
{
	gate_open(*(int *)arg);
	just_wait(NULL);
}

static void leave_a_thread_behind(void *arg)
{
	struct thread thread;
	int *data = arg;

	thread_start(&thread, open_gate_and_wait, &data[0]);
	data[1] = thread.tid;
	pthread_exit(NULL);
}

/* covers: 3.1.7-6 */
TEST(a_leader_that_is_gone_is_refused_while_its_threads_are_not)
{
	int *data = test_shared(2 * sizeof(int)), fd = create(0);
	pid_t pid;

	data[0] = gate_new();
	pid = spawn_without(fd, leave_a_thread_behind, data);
	gate_wait(data[0]);
	wait_state(pid, 'Z');
	CHECK_ERRNO(try_load(fd, pid), ESRCH);
	load(fd, data[1]);
	kill_child(pid);
}
