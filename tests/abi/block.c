// SPDX-License-Identifier: GPL-2.0
/*
 * PFM_FL_NOTIFY_BLOCK: the monitored thread stops before it returns to user mode; the events that
 * let it go on.
 */
#include "overflow.h"
#include "settings.h"
#include "spinning.h"

#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

/* Written by the monitored child, which counts rounds of 2000 instructions. */
struct work {
	__u64	rounds;
	int	signals;
};

static struct work *work;

static void on_usr1(int number)
{
	(void)number;
	work->signals++;
}

static void work_on(void *unused)
{
	(void)unused;
	signal(SIGUSR1, on_usr1);
	for (;;) {
		loop(1000);
		__atomic_add_fetch(&work->rounds, 1, __ATOMIC_SEQ_CST);
	}
}

static __u64 rounds(void)
{
	return __atomic_load_n(&work->rounds, __ATOMIC_SEQ_CST);
}

/* A child that works under a context, which blocks it every @period instructions. */
static int blocking_context(pid_t *pid, __u32 flags, __u64 period)
{
	int fd;

	need_pmu();
	work = test_shared(sizeof(*work));
	fd = create(PFM_FL_NOTIFY_BLOCK | flags);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = period });
	count_up(fd, 0, 1);
	*pid = spawn_without(fd, work_on, NULL);
	load(fd, *pid);
	start(fd);
	return fd;
}

/* It is blocked: it sleeps, and no instruction of it runs. */
static void expect_blocked(int fd, pid_t pid)
{
	__u64 before;

	WAIT_UNTIL(is_masked(fd));
	wait_state(pid, 'S');
	before = rounds();
	sleep_ms(5);
	CHECK_EQ(thread_state(pid), 'S');
	CHECK_EQ(rounds(), before);
}

static void expect_running(void)
{
	__u64 before = rounds();

	WAIT_UNTIL(rounds() > before + 10);
}

/* covers: 3.1.1-7 3.1.9-11 3.1.9-16 3.4.3-13 */
TEST(the_thread_blocks_at_the_overflow_and_restart_lets_it_go_on)
{
	__u64 i, before = 0;
	pid_t pid;
	int fd = blocking_context(&pid, 0, 20000);

	for (i = 1; i <= 5; i++) {
		expect_blocked(fd, pid);
		expect_overflow(fd, 0, BIT_ULL(0));
		CHECK_EQ(read_pmd(fd, 1), 20000 * i);
		/* No instruction between two blocks is unmonitored. */
		if (i > 1)
			CHECK_LE(rounds(), before + 10);
		before = rounds();
		restart(fd);
	}
	kill_child(pid);
	CHECK_EQ(ledger(fd, "recorded"), ledger(fd, "overflows"));
}

/* covers: 3.1.9-11 3.5.14-32 */
TEST(every_instruction_is_counted_when_overflows_block)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 10007);
	__u64 i;

	for (i = 1; i <= 50; i++) {
		WAIT_UNTIL(is_masked(fd));
		CHECK_EQ(read_pmd(fd, 1), 10007 * i);
		restart(fd);
	}
	kill_child(pid);
}

/* covers: 3.1.1-8 3.4.1-9 */
TEST(a_thread_without_the_flag_runs_on)
{
	pid_t pid;
	int fd;

	need_pmu();
	work = test_shared(sizeof(*work));
	fd = create(0);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 20000 });
	pid = spawn_without(fd, work_on, NULL);
	load(fd, pid);
	start(fd);
	WAIT_UNTIL(is_masked(fd));
	expect_running();
	kill_child(pid);
}

/* covers: D.7-9 */
TEST(a_blocked_thread_can_be_killed)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 20000), status;

	expect_blocked(fd, pid);
	CHECK_OK(kill(pid, SIGKILL));
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	expect_overflow(fd, 0, BIT_ULL(0));
	expect_end(fd);
	check_state(fd, "unloaded");
	CHECK_EQ(read_pmd(fd, 1), 20000);
}

/* covers: D.7-6 */
TEST(unload_wakes_a_blocked_thread)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 20000);

	expect_blocked(fd, pid);
	unload(fd);
	expect_running();
	CHECK_EQ(read_pmd(fd, 1), 20000);
	kill_child(pid);
}

/* covers: D.7-7 */
TEST(close_wakes_a_blocked_thread)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 20000);

	expect_blocked(fd, pid);
	CHECK_OK(close(fd));
	expect_running();
	kill_child(pid);
}

/* covers: D.7-8 */
TEST(the_end_of_the_controller_wakes_a_blocked_thread)
{
	int fd, status;
	pid_t pid, controller;

	need_pmu();
	work = test_shared(sizeof(*work));
	pid = spawn(work_on, NULL);
	controller = fork();
	CHECK_OK(controller);
	if (!controller) {
		fd = create(PFM_FL_NOTIFY_BLOCK);
		program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 20000 });
		load(fd, pid);
		start(fd);
		expect_blocked(fd, pid);
		raise(SIGKILL);
	}
	CHECK_EQ(waitpid(controller, &status, 0), controller);
	CHECK(WIFSIGNALED(status));
	expect_running();
	kill_child(pid);
}

/* covers: 3.1.9-16 D.7-3 */
TEST(restart_after_a_stop_wakes_a_blocked_thread_and_does_not_start)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 20000);

	expect_blocked(fd, pid);
	stop(fd);
	expect_blocked(fd, pid);
	restart(fd);
	expect_running();
	CHECK_EQ(read_pmd(fd, 1), 20000);
	check_state(fd, "loaded");
	kill_child(pid);
}

/* covers: 3.1.9-11 */
TEST(start_does_not_wake_a_blocked_thread)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 20000);

	expect_blocked(fd, pid);
	start(fd);
	expect_blocked(fd, pid);
	restart(fd);
	expect_blocked(fd, pid);
	CHECK_EQ(read_pmd(fd, 1), 40000);
	kill_child(pid);
}

/* covers: 3.1.9-11 */
TEST(signals_wait_until_a_blocked_thread_goes_on)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 2000000);

	expect_blocked(fd, pid);
	CHECK_OK(kill(pid, SIGUSR1));
	expect_blocked(fd, pid);
	CHECK_EQ(work->signals, 0);
	restart(fd);
	WAIT_UNTIL(work->signals == 1);
	kill_child(pid);
}

/* covers: 3.1.9-16 */
TEST(a_blocked_thread_can_be_stopped_and_continued)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 200000);

	expect_blocked(fd, pid);
	CHECK_OK(kill(pid, SIGSTOP));
	restart(fd);
	wait_state(pid, 'T');
	CHECK_OK(kill(pid, SIGCONT));
	expect_blocked(fd, pid);
	CHECK_EQ(read_pmd(fd, 1), 400000);
	kill_child(pid);
}

static void expect_stop(pid_t pid, int signal)
{
	int status;

	CHECK_EQ(waitpid(pid, &status, WUNTRACED), pid);
	CHECK(WIFSTOPPED(status));
	CHECK_EQ(WSTOPSIG(status), signal);
}

/* It is blocked as before: the stop by a signal did not let it go on. */
static void expect_blocked_still(int fd, pid_t pid, __u64 value)
{
	expect_blocked(fd, pid);
	CHECK_EQ(read_pmd(fd, 1), value);
	restart(fd);
	expect_blocked(fd, pid);
	CHECK_EQ(read_pmd(fd, 1), 2 * value);
}

/* covers: 3.1.9-11 */
TEST(job_control_stops_a_blocked_thread_and_it_is_blocked_again_when_continued)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 20000), i;
	__u64 before;

	expect_blocked(fd, pid);
	before = rounds();
	for (i = 0; i < 3; i++) {
		CHECK_OK(kill(pid, i % 2 ? SIGTSTP : SIGSTOP));
		expect_stop(pid, i % 2 ? SIGTSTP : SIGSTOP);
		CHECK_EQ(thread_state(pid), 'T');
		CHECK_OK(kill(pid, SIGCONT));
		expect_blocked(fd, pid);
	}
	CHECK_EQ(rounds(), before);
	expect_blocked_still(fd, pid, 20000);
	kill_child(pid);
}

/* covers: 3.1.9-11 */
TEST(a_debugger_stops_a_blocked_thread)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 20000);

	expect_blocked(fd, pid);
	CHECK_OK(ptrace(PTRACE_SEIZE, pid, 0, 0));
	CHECK_OK(ptrace(PTRACE_INTERRUPT, pid, 0, 0));
	expect_stop(pid, SIGTRAP);
	CHECK_OK(ptrace(PTRACE_CONT, pid, 0, 0));
	expect_blocked(fd, pid);
	CHECK_OK(ptrace(PTRACE_INTERRUPT, pid, 0, 0));
	expect_stop(pid, SIGTRAP);
	CHECK_OK(ptrace(PTRACE_DETACH, pid, 0, 0));
	expect_blocked(fd, pid);
	CHECK_OK(ptrace(PTRACE_ATTACH, pid, 0, 0));
	expect_stop(pid, SIGSTOP);
	CHECK_OK(ptrace(PTRACE_DETACH, pid, 0, 0));
	expect_blocked_still(fd, pid, 20000);
	kill_child(pid);
}

/* covers: 3.1.9-11 */
TEST(a_signal_that_ends_a_blocked_thread_does_not_wait)
{
	static const int signals[] = { SIGTERM, SIGQUIT };
	int fd, status;
	unsigned int i;
	pid_t pid;

	for (i = 0; i < 2; i++) {
		fd = blocking_context(&pid, 0, 20000);
		expect_blocked(fd, pid);
		CHECK_OK(kill(pid, signals[i]));
		CHECK_EQ(waitpid(pid, &status, 0), pid);
		CHECK(WIFSIGNALED(status));
		CHECK_EQ(WTERMSIG(status), signals[i]);
		expect_overflow(fd, 0, BIT_ULL(0));
		expect_end(fd);
		CHECK_OK(close(fd));
	}
}

/* A cgroup of the unified hierarchy, which is mounted for the time of the test. */

#define HIERARCHY	"/tmp/block-cgroup"
#define GROUP		HIERARCHY "/frozen"

static bool is_frozen(void)
{
	char text[256];

	read_file(GROUP "/cgroup.events", text, sizeof(text));
	return strstr(text, "frozen 1");
}

static void freeze(pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	CHECK_OK(mkdir(GROUP, 0700));
	write_file(GROUP "/cgroup.procs", text);
	write_file(GROUP "/cgroup.freeze", "1");
	WAIT_UNTIL(is_frozen());
	write_file(GROUP "/cgroup.freeze", "0");
	WAIT_UNTIL(!is_frozen());
}

/* covers: 3.1.9-11 */
TEST(a_blocked_thread_can_be_frozen_with_its_cgroup)
{
	pid_t pid;
	int fd = blocking_context(&pid, 0, 20000);

	CHECK_OK(unshare(CLONE_NEWNS));
	CHECK_OK(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL));
	if (mkdir(HIERARCHY, 0700))
		CHECK_EQ(errno, EEXIST);
	CHECK_OK(mount("cgroup2", HIERARCHY, "cgroup2", 0, NULL));
	expect_blocked(fd, pid);
	freeze(pid);
	expect_blocked_still(fd, pid, 20000);
	kill_child(pid);
	CHECK_OK(rmdir(GROUP));
}

/*
 * All on one CPU, by priorities: the context moves from one thread to another and blocks the other
 * one before the first one has checked if it may go on.
 */

static void work_first(void *unused)
{
	take_turns(0);
	work_on(unused);
}

/* covers: D.7-6 */
TEST(a_thread_does_not_wait_for_the_restart_of_another_one)
{
	struct sched_param above = { .sched_priority = 2 }, usual = { };
	struct work *first;
	pid_t pid, other;
	__u64 before;
	int fd;

	pin(0);
	fd = blocking_context(&pid, 0, 20000);
	expect_blocked(fd, pid);
	expect_overflow(fd, 0, BIT_ULL(0));
	before = rounds();
	CHECK_OK(sched_setscheduler(0, SCHED_FIFO, &above));
	first = work;
	work = test_shared(sizeof(*work));
	other = spawn_without(fd, work_first, NULL);
	work = first;
	unload(fd);
	write_pmd(fd, 0, -20000ULL);
	load(fd, other);
	start(fd);
	expect_overflow(fd, 0, BIT_ULL(0));
	CHECK_EQ(rounds(), before);
	CHECK_OK(sched_setscheduler(0, SCHED_OTHER, &usual));
	expect_running();
	kill_child(other);
	kill_child(pid);
}

/* An overflow inside a system call blocks when the call is done, not in its middle. */
static void write_on(void *arg)
{
	int *gates = arg, i;

	gate_wait(gates[0]);
	for (i = 0; i < 1000; i++)
		gate_open(gates[1]);
	gate_wait(gates[0]);
}

/* covers: 3.1.9-11 */
TEST(a_thread_that_overflows_in_the_kernel_blocks_when_it_returns)
{
	int gates[2] = { gate_new(), gate_new() }, fd, n;
	eventfd_t value;
	pid_t pid;

	need_pmu();
	need_hardware("counter of the kernel's instructions");
	fd = create(PFM_FL_NOTIFY_BLOCK);
	CHECK_OK(fcntl(gates[1], F_SETFL, O_NONBLOCK));
	program(fd, (struct event){ .reg = 0, .value = INST_RETIRED | EVTSEL_OS | EVTSEL_EN,
				    .flags = NOTIFY, .period = 50000 });
	pid = spawn_without(fd, write_on, gates);
	wait_state(pid, 'S');
	load(fd, pid);
	start(fd);
	gate_open(gates[0]);
	WAIT_UNTIL(is_masked(fd));
	wait_state(pid, 'S');
	/* No lock is held that others need. */
	for (n = 0; !eventfd_read(gates[1], &value); n++)
		;
	CHECK(n > 0 && n < 1000);
	unload(fd);
	WAIT_UNTIL(!eventfd_read(gates[1], &value));
	kill_child(pid);
}

/* covers: 3.1.1-10 */
TEST(a_context_that_blocks_cannot_be_loaded_on_oneself)
{
	int fd = create(PFM_FL_NOTIFY_BLOCK);

	CHECK_ERRNO(try_load(fd, gettid()), EINVAL);
	check_unloaded(fd);
}

static void load_on_other_thread(void *arg)
{
	struct thread *main_thread = arg;
	int fd = create(PFM_FL_NOTIFY_BLOCK);

	load(fd, main_thread->tid);
	unload(fd);
	CHECK_OK(close(fd));
}

/* covers: 3.1.1-13 */
TEST(a_context_that_blocks_can_be_loaded_on_another_thread_of_the_process)
{
	struct thread self = { .tid = gettid() }, other;

	thread_start(&other, load_on_other_thread, &self);
	thread_join(&other);
}

/* covers: 3.1.1-13 3.4.3-11 */
TEST(blocking_works_without_messages)
{
	pid_t pid;
	int fd = blocking_context(&pid, PFM_FL_OVFL_NO_MSG, 20000);

	expect_blocked(fd, pid);
	CHECK(!has_message(fd));
	restart(fd);
	expect_blocked(fd, pid);
	CHECK_EQ(read_pmd(fd, 1), 40000);
	kill_child(pid);
}

/* covers: 3.1.9-16 3.3.8-1 */
TEST(many_threads_are_blocked_and_woken_by_one_controller)
{
	struct { pid_t pid; int fd; } all[8];
	int i, round;

	for (i = 0; i < 8; i++)
		all[i].fd = blocking_context(&all[i].pid, 0, 5000 + 1000 * i);
	for (round = 1; round <= 5; round++) {
		for (i = 0; i < 8; i++) {
			WAIT_UNTIL(is_masked(all[i].fd));
			CHECK_EQ(read_pmd(all[i].fd, 1), (5000ULL + 1000 * i) * round);
		}
		for (i = 0; i < 8; i++)
			restart(all[i].fd);
	}
	for (i = 0; i < 8; i++)
		kill_child(all[i].pid);
}

/* Kernel threads. */

/* The thread that ends RCU's grace periods: every process that ends wakes it. */
static pid_t grace_period_thread(void)
{
	char path[64], name[64];
	pid_t pid;

	for (pid = 2; pid < 100; pid++) {
		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		if (try_read_file(path, name, sizeof(name)) &&
		    (!strcmp(name, "rcu_sched") || !strcmp(name, "rcu_preempt")))
			return pid;
	}
	SKIP("no kernel thread is known to run here");
}

static void do_nothing(void *unused)
{
	(void)unused;
}

static __u64 switches(pid_t pid)
{
	static const char *const label = "\nvoluntary_ctxt_switches:";
	char path[64], text[8192], *line;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	read_file(path, text, sizeof(text));
	line = strstr(text, label);
	CHECK(line);
	return strtoull(line + strlen(label), NULL, 10);
}

static void close_when_told(void *pipe)
{
	const int *end = pipe;

	close(end[0]);
	while (!__atomic_load_n(&work->rounds, __ATOMIC_SEQ_CST))
		;
	close(end[1]);
	/* If the overflow did not come in close(), it comes here. */
	for (;;)
		syscall(SYS_getppid);
}

/* True if a child that was blocked in close() of a pipe's last end had closed it. */
static bool closes_before_it_waits(__u64 period)
{
	struct pollfd other;
	char path[64];
	int fd, end[2];
	bool closed;
	pid_t pid;

	CHECK_OK(pipe2(end, O_CLOEXEC));
	work->rounds = 0;
	fd = create(PFM_FL_NOTIFY_BLOCK);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = period,
				    .value = INST_RETIRED | EVTSEL_OS | EVTSEL_EN });
	pid = spawn_without(fd, close_when_told, end);
	CHECK_OK(close(end[1]));
	load(fd, pid);
	start(fd);
	__atomic_store_n(&work->rounds, 1, __ATOMIC_SEQ_CST);
	WAIT_UNTIL(is_masked(fd));
	wait_state(pid, 'S');
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, end[1]);
	closed = access(path, F_OK) != 0;
	other = (struct pollfd){ .fd = end[0], .events = POLLIN };
	if (closed && poll(&other, 1, 1000) != 1)
		FAIL("with period %llu it waits, and the pipe is open", period);
	kill_child(pid);
	CHECK_OK(close(fd));
	CHECK_OK(close(end[0]));
	return closed;
}

/*
 * The end of a file is work of the thread, on the same way to user mode: another process may wait
 * for that end before it restarts the context.
 */
/* covers: 3.1.9-11 */
TEST_LIMIT(what_a_thread_has_closed_is_closed_before_it_waits, 120)
{
	unsigned int period, times = 0;

	need_pmu();
	need_hardware("kernel level");
	work = test_shared(sizeof(*work));
	/* On one CPU the child first comes back from a context switch, which counts as well. */
	for (period = 50; times < 10 && period < 20000; period += 50)
		times += closes_before_it_waits(period);
	CHECK_EQ(times, 10);
}

/* covers: 3.1.7-47 */
TEST(a_kernel_thread_is_notified_of_and_not_blocked)
{
	pid_t pid = grace_period_thread();
	int fd, i;
	__u64 before;

	need_pmu();
	need_hardware("kernel level");
	fd = create(PFM_FL_NOTIFY_BLOCK);
	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = 2000,
				    .value = INST_RETIRED | EVTSEL_OS | EVTSEL_EN });
	load(fd, pid);
	start(fd);
	for (i = 0; i < 2; i++) {
		while (!has_message(fd)) {
			run_in_child(do_nothing, NULL);
			sleep_ms(5);
		}
		check_state(fd, "masked");
		expect_message(fd, PFM_MSG_OVFL);
		/* It goes on, and is not counted. */
		before = switches(pid);
		while (switches(pid) < before + 3) {
			run_in_child(do_nothing, NULL);
			sleep_ms(5);
		}
		CHECK(!has_message(fd));
		restart(fd);
	}
	unload(fd);
}
