/* SPDX-License-Identifier: GPL-2.0 */
/* Children, threads, and means to wait for each other. */
#ifndef TESTS_ABI_PROCESS_H
#define TESTS_ABI_PROCESS_H

#include "abi.h"

#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

#define NOBODY	65534

/* A gate: one process waits and another opens it, once for each wait. Works across fork(). */
static inline int gate_new(void)
{
	int gate = eventfd(0, EFD_SEMAPHORE);

	CHECK_OK(gate);
	return gate;
}

static inline void gate_open(int gate)
{
	CHECK_OK(eventfd_write(gate, 1));
}

static inline void gate_wait(int gate)
{
	eventfd_t value;

	CHECK_OK(eventfd_read(gate, &value));
	some_events();
}

/* A child that runs @fn and exits with 0; it has all our descriptors. */
static inline pid_t spawn(void (*fn)(void *arg), void *arg)
{
	pid_t pid = fork();

	CHECK_OK(pid);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		fn(arg);
		_exit(0);
	}
	return pid;
}

/* The same for a child that cannot reach the context @fd when this returns. */
static inline pid_t spawn_without(int fd, void (*fn)(void *arg), void *arg)
{
	int closed = gate_new();
	pid_t pid = fork();

	CHECK_OK(pid);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(fd);
		gate_open(closed);
		close(closed);
		fn(arg);
		_exit(0);
	}
	gate_wait(closed);
	close(closed);
	return pid;
}

/* Wait for the end of a child, which must be a success. */
static inline void reap(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		FAIL("waitpid: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		FAIL("child %d ended with status %#x", pid, status);
}

/* End a child by force. */
static inline void kill_child(pid_t pid)
{
	int status;

	CHECK_OK(kill(pid, SIGKILL));
	if (waitpid(pid, &status, 0) != pid)
		FAIL("waitpid: %s", strerror(errno));
}

/* Run @fn in a child and wait for it; for changes that a process cannot undo. */
static inline void run_in_child(void (*fn)(void *arg), void *arg)
{
	reap(spawn(fn, arg));
}

/* Functions for children on which others act. */

static inline void just_wait(void *unused)
{
	(void)unused;
	for (;;)
		pause();
}

static inline void just_spin(void *unused)
{
	(void)unused;
	for (;;)
		if (soft_pmu)
			inject(1000);
}

static inline void just_exit(void *unused)
{
	(void)unused;
}

/* The state of a thread in /proc: R, S, T, Z, ...; 0 if the thread has ended. */
static inline char thread_state(pid_t tid)
{
	char path[64], line[256], *after;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	line[n] = '\0';
	after = strrchr(line, ')');
	return after ? after[2] : 0;
}

/* Not available in a guest whose architecture is not the host's. */
static inline void need_shell(void)
{
	if (system("true"))
		SKIP("no shell runs in this guest");
}

static inline void wait_state(pid_t tid, char state)
{
	WAIT_UNTIL(thread_state(tid) == state);
}

/* A child that is asleep in pause(), without access to @fd. */
static inline pid_t sleeping_child(int fd)
{
	pid_t pid = spawn_without(fd, just_wait, NULL);

	wait_state(pid, 'S');
	return pid;
}

/*
 * A task that calls this shares the CPU in turns with the other tasks that called it: each
 * sched_yield() switches to the next one, which CFS does not promise.
 */
static inline void take_turns(int cpu)
{
	struct sched_param param = { .sched_priority = 1 };

	pin(cpu);
	CHECK_OK(sched_setscheduler(0, SCHED_FIFO, &param));
}

/* Threads: pthreads with a known thread id. */
struct thread {
	pthread_t	pthread;
	pid_t		tid;
	int		up;
	void		(*fn)(void *arg);
	void		*arg;
};

static inline void *thread_main(void *data)
{
	struct thread *thread = data;

	thread->tid = gettid();
	gate_open(thread->up);
	thread->fn(thread->arg);
	return NULL;
}

static inline void thread_start(struct thread *thread, void (*fn)(void *arg), void *arg)
{
	int error;

	thread->fn = fn;
	thread->arg = arg;
	thread->up = gate_new();
	error = pthread_create(&thread->pthread, NULL, thread_main, thread);
	if (error)
		FAIL("pthread_create: %s", strerror(error));
	gate_wait(thread->up);
	close(thread->up);
}

static inline void thread_join(struct thread *thread)
{
	int error = pthread_join(thread->pthread, NULL);

	if (error)
		FAIL("pthread_join: %s", strerror(error));
}

/*
 * Other users. A change of user makes a process undumpable, which tests of users must not depend
 * on.
 */
static inline void become(uid_t uid, gid_t gid)
{
	CHECK_OK(setgroups(0, NULL));
	CHECK_OK(setresgid(gid, gid, gid));
	CHECK_OK(setresuid(uid, uid, uid));
	CHECK_OK(prctl(PR_SET_DUMPABLE, 1));
}

/* Have exactly the capabilities in the mask @caps, of those that we have. */
static inline void set_caps(__u64 caps)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { };

	data[0].effective = caps;
	data[0].permitted = caps;
	data[1].effective = caps >> 32;
	data[1].permitted = caps >> 32;
	CHECK_OK(syscall(SYS_capset, &header, data));
	CHECK_OK(prctl(PR_SET_DUMPABLE, 1));
}

/* Another user with just these capabilities. */
static inline void become_with_caps(uid_t uid, gid_t gid, __u64 caps)
{
	CHECK_OK(prctl(PR_SET_KEEPCAPS, 1));
	become(uid, gid);
	set_caps(caps);
}

#endif /* TESTS_ABI_PROCESS_H */
