// SPDX-License-Identifier: GPL-2.0
/*
 * A round: a PID namespace, a few processes of a few threads in it, and its end.
 *
 * No process outside of the namespace can be reached: not by a signal and not by a context. When
 * its init dies, the kernel kills all others in it.
 */
#include "calls.h"
#include "processes.h"
#include "slots.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In the guest's time. */
#define NUDGE_MS	3
#define STALL_MS	120	/* no thread has done an operation: all of them wait */
#define ROUND_MS	1500
#define DEATH_MS	30000

static struct process process;
static struct fuzzer fuzzers[MAX_THREADS];

bool world_is_over(void)
{
	return load_acquire(&world->over);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

static void sleep_ms(unsigned int ms)
{
	struct timespec time = { 0, ms * 1000000L };

	nanosleep(&time, NULL);
}

static void move_up(int fd, int to)
{
	if (fd < 0)
		return;
	dup2(fd, to);
	close(fd);
}

/* A process of the round. */

static void limit(int resource, rlim_t to)
{
	struct rlimit rlimit = { to, to };

	setrlimit(resource, &rlimit);
}

static void set_up_process(unsigned int number, uint64_t seed)
{
	struct random random = { random_mix(seed, 1000 + number) };

	process.root = number % 3 != 2;
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_NOFILE, FD_HIGH + 20);
	/* Some processes run out of descriptors. */
	if (random_once_in(&random, 4))
		limit(RLIMIT_NOFILE, 12);
	if (!process.root) {
		limit(RLIMIT_MEMLOCK, random_once_in(&random, 2) ? 4 * PAGE : 64 * PAGE);
		(void)!setgroups(0, NULL);
		(void)!setresgid(NOBODY, NOBODY, NOBODY);
		(void)!setresuid(NOBODY, NOBODY, NOBODY);
		prctl(PR_SET_DUMPABLE, 1);
	}
	catch_signals();
}

struct start {
	struct fuzzer	*fuzzer;
	uint64_t	stream;
	char		name[24];
	int		done;
};

static void *thread_main(void *data)
{
	struct start *start = data;
	pid_t tid = gettid();

	me = start->fuzzer;
	fuzzer_init(start->fuzzer, &process, start->stream, start->name);
	target_add(tid);
	fuzz(start->fuzzer, world->plan.operations);
	target_remove(tid);
	store_release(&start->done, 1);
	return NULL;
}

/* Threads without an operation since the last check may be waiting. */
static void nudge(struct start *starts, unsigned int *seen, unsigned int n)
{
	unsigned int i, operation;

	for (i = 0; i < n; i++) {
		operation = __atomic_load_n(&fuzzers[i].operation, __ATOMIC_SEQ_CST);
		if (operation == seen[i] && !load_acquire(&starts[i].done) && fuzzers[i].tid)
			syscall(SYS_tgkill, getpid(), fuzzers[i].tid, SIGUSR2);
		seen[i] = operation;
	}
}

static bool all_done(struct start *starts, unsigned int n)
{
	while (n--)
		if (!load_acquire(&starts[n].done))
			return false;
	return true;
}

static __attribute__((noreturn)) void process_main(unsigned int number)
{
	uint64_t seed = random_mix(world->plan.seed, number + 1);
	struct start starts[MAX_THREADS];
	unsigned int seen[MAX_THREADS] = { 0 };
	unsigned int i, n;
	pthread_t thread;

	memset(starts, 0, sizeof(starts));
	set_up_process(number, seed);
	n = 1 + seed % MAX_THREADS;
	for (i = 0; i < n; i++) {
		starts[i].fuzzer = &fuzzers[i];
		starts[i].stream = random_mix(seed, i);
		snprintf(starts[i].name, sizeof(starts[i].name), "%u.%u", number, i);
		if (pthread_create(&thread, NULL, thread_main, &starts[i]))
			starts[i].done = 1;
	}
	while (!all_done(starts, n) && !world_is_over()) {
		sleep_ms(NUDGE_MS);
		nudge(starts, seen, n);
	}
	/* The exit must release all descriptors, mappings and threads. */
	_exit(0);
}

/* The namespace's init. */

static void open_shared(void)
{
	int pair[2];

	if (!socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair)) {
		move_up(pair[0], FD_SEND);
		move_up(pair[1], FD_RECEIVE);
	}
	move_up(open("/sys/devices/system/cpu/cpu1/online", O_WRONLY), FD_ONLINE);
	move_up(open(SYSFS "limits/interrupt_rate_max", O_WRONLY), FD_RATE);
	move_up(open(SYSFS "limits/switch_timeout_min_ns", O_WRONLY), FD_TIMEOUT);
	move_up(epoll_create1(0), FD_EPOLL);
	if (machine.module)
		move_up(open(machine.module, O_RDONLY), FD_MODULE);
}

static __attribute__((noreturn)) void init_main(void)
{
	unsigned int i, left = world->plan.processes;
	pid_t pids[MAX_PROCESSES], pid;

	setsid();
	open_shared();
	for (i = 0; i < world->plan.processes; i++) {
		pids[i] = child_new();
		if (!pids[i])
			process_main(i);
		left -= pids[i] < 0;
	}
	while (left && (pid = waitpid(-1, NULL, 0)) > 0) {
		child_is_gone();
		for (i = 0; i < world->plan.processes; i++)
			left -= pids[i] == pid;
	}
	_exit(0);
}

/* The part outside of the namespace. */

static pid_t start_namespace(void)
{
	static int own = -1;
	pid_t pid;

	if (own < 0)
		own = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
	if (unshare(CLONE_NEWPID) || (pid = fork()) < 0) {
		perror("fuzz: no PID namespace");
		exit(2);
	}
	if (!pid)
		init_main();
	/* Our next child is outside of it. */
	setns(own, CLONE_NEWPID);
	return pid;
}

/* Until all have ended, or no thread does an operation any more, or it has taken long enough. */
static void watch(int pidfd)
{
	uint64_t end = now_ms() + ROUND_MS, moved = now_ms(), seen = 0, operations;
	struct pollfd init = { .fd = pidfd, .events = POLLIN };

	while (poll(&init, 1, 10) <= 0 && now_ms() < end && !world_is_over()) {
		operations = load_acquire(&world->operations);
		if (operations != seen)
			moved = now_ms();
		else if (now_ms() - moved > STALL_MS)
			break;
		seen = operations;
	}
}

static bool all_die(pid_t pid, int pidfd)
{
	struct pollfd init = { .fd = pidfd, .events = POLLIN };
	uint64_t end = now_ms() + DEATH_MS;

	store_release(&world->over, 1);
	kill(pid, SIGKILL);
	while (poll(&init, 1, 100) <= 0)
		if (now_ms() > end)
			return false;
	return waitpid(pid, NULL, 0) == pid;
}

static void show_tasks(void)
{
	int fd = open("/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC);

	(void)!write(fd, "t", 1);
	close(fd);
}

bool round_run(const struct plan *plan)
{
	pid_t pid;
	int pidfd;

	world->plan = *plan;
	world->over = 0;
	world->alive = 0;
	world->next_trail = 0;
	memset(world->targets, 0, sizeof(world->targets));
	pid = start_namespace();
	pidfd = syscall(SYS_pidfd_open, pid, 0);
	watch(pidfd);
	if (!all_die(pid, pidfd)) {
		show_tasks();
		violation(NULL, "processes that were killed do not die");
	}
	close(pidfd);
	return !world->failed;
}
