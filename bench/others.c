// SPDX-License-Identifier: GPL-2.0
/*
 * The bench: a process of threads that have sessions and sleep. A process of its own, because a
 * caller with threads would have other costs: the kernel counts references of a shared table of
 * descriptors, and the C library makes each call a point of cancellation.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"

/* Enough for open(), and 10,000 of them are little memory. */
#define STACK_SIZE	(64 * 1024)

static const struct side *side_of_others;
static sem_t is_open;

static void *other(void *arg)
{
	(void)arg;
	side_of_others->open(GROUP_COUNTERS);
	sem_post(&is_open);
	for (;;)
		pause();
	return NULL;
}

static void start_threads(int n)
{
	pthread_attr_t attr;
	pthread_t thread;
	int i;

	if (sem_init(&is_open, 0, 0) || pthread_attr_init(&attr) ||
	    pthread_attr_setstacksize(&attr, STACK_SIZE))
		bench_die("attributes of threads");
	for (i = 0; i < n; i++) {
		errno = pthread_create(&thread, &attr, other, NULL);
		if (errno)
			bench_die("thread %d of %d", i, n);
		/* One after the other: a side knows one session. */
		while (sem_wait(&is_open))
			;
	}
}

static void be_others(int n, int ready)
{
	char c = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	start_threads(n);
	if (write(ready, &c, 1) != 1)
		bench_die("pipe");
	for (;;)
		pause();
}

pid_t others_start(const struct side *side, int n)
{
	int ready[2];
	pid_t pid;
	char c;

	if (pipe(ready))
		bench_die("pipe");
	side_of_others = side;
	pid = fork();
	if (pid < 0)
		bench_die("fork");
	if (!pid)
		be_others(n, ready[1]);
	close(ready[1]);
	if (read(ready[0], &c, 1) != 1)
		bench_die("%d other threads", n);
	close(ready[0]);
	return pid;
}

void others_stop(pid_t pid)
{
	kill(pid, SIGKILL);
	if (waitpid(pid, NULL, 0) != pid)
		bench_die("waitpid");
}
