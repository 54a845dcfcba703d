// SPDX-License-Identifier: GPL-2.0
/*
 * Commands on the context of another thread, which is not stopped for them: it may run, sleep, or
 * have been stopped by another process.
 */
#include "count.h"
#include "sets.h"
#include "spinning.h"

#include <sys/ptrace.h>

#define LOOPS	5000

/* A child that runs a loop of a given length each time the test starts it. */
struct worker {
	pid_t	pid;
	int	go, done;
	__u64	n;
};

static void work(void *arg)
{
	struct worker *worker = arg;

	for (;;) {
		gate_wait(worker->go);
		loop(__atomic_load_n(&worker->n, __ATOMIC_SEQ_CST));
		gate_open(worker->done);
	}
}

static struct worker *worker_start(int fd)
{
	struct worker *worker = test_shared(sizeof(*worker));

	worker->go = gate_new();
	worker->done = gate_new();
	worker->pid = spawn_without(fd, work, worker);
	wait_state(worker->pid, 'S');
	return worker;
}

/* On return the worker is asleep again. */
static void worker_run(struct worker *worker, __u64 n)
{
	__atomic_store_n(&worker->n, n, __ATOMIC_SEQ_CST);
	gate_open(worker->go);
	gate_wait(worker->done);
	wait_state(worker->pid, 'S');
}

/* covers: 3.1.5-9 3.1.6-6 D.4-1 */
TEST(a_childs_loop_counts_exactly)
{
	const struct counter *c;
	__u64 base, before;

	need_pmu();
	for_each_counter(c) {
		int fd = create_counting(c, 0);
		struct worker *worker = worker_start(fd);

		load(fd, worker->pid);
		start(fd);
		/* The first round may have to resolve symbols. */
		worker_run(worker, 1);
		before = read_pmd(fd, c->pmd);
		worker_run(worker, 1);
		base = read_pmd(fd, c->pmd) - before - 2;
		before = read_pmd(fd, c->pmd);
		worker_run(worker, LOOPS);
		CHECK_EQ(read_pmd(fd, c->pmd), before + base + 2 * LOOPS);
		stop(fd);
		before = read_pmd(fd, c->pmd);
		worker_run(worker, LOOPS);
		CHECK_EQ(read_pmd(fd, c->pmd), before);
		kill_child(worker->pid);
		CHECK_OK(close(fd));
	}
}

/* covers: 3.1.5-9 */
TEST(our_own_instructions_are_not_a_childs)
{
	int fd = create_counting(general, 0);
	struct worker *worker = worker_start(fd);

	load(fd, worker->pid);
	start(fd);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), 0);
}

/* covers: 3.1.5-9 3.1.12-19 */
TEST(a_description_of_a_sleeping_target_counts_nothing)
{
	int fd = create_counting(general, 0);
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	start(fd);
	CHECK_EQ(time_ns(get_set(fd, 0).set_act_duration), 0);
	loop(LOOPS);
	CHECK_EQ(read_pmd(fd, 0), 0);
	CHECK_EQ(time_ns(get_set(fd, 0).set_act_duration), 0);
	kill_child(pid);
}

/* Commands that must work on a target that does not execute, for whatever reason. */
static void use_commands(int fd)
{
	write_pmc(fd, 0, USER_INST);
	write_pmc(fd, 1, USER_INST);
	write_pmd(fd, 0, 1ULL << 40);
	start(fd);
	CHECK_EQ(read_pmd(fd, 0), 1ULL << 40);
	write_pmd(fd, 0, 77);
	stop(fd);
	CHECK_EQ(read_pmd(fd, 0), 77);
	unload(fd);
	CHECK_EQ(read_pmd(fd, 0), 77);
}

/* covers: 3.1.2-38 3.1.3-30 3.1.4-25 3.1.5-11 3.1.6-9 3.1.8-11 */
TEST(all_commands_work_on_a_sleeping_target)
{
	int fd = create_counting(general, 0);
	pid_t pid = sleeping_child(fd);

	load(fd, pid);
	use_commands(fd);
	kill_child(pid);
}

/* covers: 3.1.2-38 3.1.5-11 3.1.6-9 3.1.7-18 */
TEST(all_commands_work_on_a_stopped_target)
{
	int fd = create_counting(general, 0);
	pid_t pid = spawn_without(fd, just_spin, NULL);

	CHECK_OK(kill(pid, SIGSTOP));
	wait_state(pid, 'T');
	load(fd, pid);
	use_commands(fd);
	CHECK_EQ(thread_state(pid), 'T');
	kill_child(pid);
}

/* covers: 3.1.2-38 3.1.7-18 */
TEST(all_commands_work_on_a_traced_target)
{
	int fd = create_counting(general, 0), status;
	pid_t pid = spawn_without(fd, just_spin, NULL);

	CHECK_OK(ptrace(PTRACE_ATTACH, pid, NULL, NULL));
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFSTOPPED(status));
	load(fd, pid);
	use_commands(fd);
	CHECK_EQ(thread_state(pid), 't');
	kill_child(pid);
}

/* covers: 3.1.3-30 */
TEST(a_counter_set_while_the_target_was_stopped_counts_from_there)
{
	int fd = create_counting(general, 0);
	struct worker *worker = worker_start(fd);
	__u64 now;

	load(fd, worker->pid);
	start(fd);
	worker_run(worker, 1);
	write_pmd(fd, 0, 1ULL << 40);
	worker_run(worker, LOOPS);
	now = read_pmd(fd, 0);
	CHECK_GE(now, (1ULL << 40) + 2 * LOOPS);
	CHECK_LE(now, (1ULL << 40) + 3 * LOOPS);
}

/* A single-step moves the target by one instruction. */
/* covers: D.4-1 */
TEST(a_single_step_counts_one)
{
	int fd = create_counting(general, 0), status, i;
	pid_t pid = spawn_without(fd, just_spin, NULL);

	need_hardware("counter of instructions");
	CHECK_OK(ptrace(PTRACE_ATTACH, pid, NULL, NULL));
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	load(fd, pid);
	start(fd);
	for (i = 1; i <= 10; i++) {
		CHECK_OK(ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL));
		CHECK_EQ(waitpid(pid, &status, 0), pid);
		CHECK(WIFSTOPPED(status));
		CHECK_EQ(read_pmd(fd, 0), i);
	}
	kill_child(pid);
}

/* covers: 3.1.2-38 */
TEST(all_commands_work_on_a_target_that_shares_our_cpu)
{
	int fd = create_counting(general, 0);
	pid_t pid = spinning_child(fd, 0);

	pin(0);
	control_spinning(fd, pid);
	kill_child(pid);
}

/* Other threads cannot read the registers of a session. */
static void read_hardware(void *unused)
{
	(void)unused;
	read_hardware_counter();
}

/* covers: 4.1-2 4.3.2-1 4.3.2-2 */
TEST(a_thread_that_is_not_monitored_cannot_read_the_hardware)
{
	int fd = create_counting(general, 0), status;
	pid_t pid;

	load_self(fd);
	start(fd);
	pid = spawn(read_hardware, NULL);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFSIGNALED(status));
	CHECK_EQ(WTERMSIG(status), READ_HARDWARE_SIGNAL);
}
