// SPDX-License-Identifier: GPL-2.0
/*
 * Under icount the emulated processors run in turns on one thread of the host: each makes progress,
 * whatever the others do.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>
#include "harness.h"

#define MS	200

static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	CHECK_OK(sched_setaffinity(0, sizeof(set), &set));
}

static void count_alarm(int sig)
{
	(void)sig;
}

static void count(volatile unsigned long *rounds)
{
	for (;;)
		++*rounds;
}

/* A handler of a timer sets the timer again: another processor's turn must not begin there. */
TEST(a_cpu_with_a_fast_timer_makes_progress_beside_a_busy_one)
{
	volatile unsigned long *rounds = test_shared(2 * sizeof(*rounds));
	struct itimerval often = { { 0, 100 }, { 0, 100 } };
	pid_t pid[2];
	int i;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP("a second CPU is needed");
	for (i = 0; i < 2; i++) {
		pid[i] = fork();
		CHECK_OK(pid[i]);
		if (pid[i])
			continue;
		stay_on(i);
		signal(SIGALRM, count_alarm);
		if (i)
			CHECK_OK(setitimer(ITIMER_REAL, &often, NULL));
		count(&rounds[i]);
	}
	usleep(MS * 1000);
	for (i = 0; i < 2; i++)
		CHECK_OK(kill(pid[i], SIGKILL));
	printf("rounds: %lu without a timer, %lu with one\n", rounds[0], rounds[1]);
	CHECK_GE(rounds[1], rounds[0] / 4);
}
