// SPDX-License-Identifier: GPL-2.0
/*
 * Under icount the emulated processors run in turns on one thread of the host: each makes progress,
 * whatever the others do.
 */
#include "../abi/process.h"

#include <sys/time.h>

#define MS	200

struct counting {
	int			cpu;
	unsigned int		timer_us;	/* 0: no timer */
	volatile unsigned long	*rounds;
};

static void count_alarm(int sig)
{
	(void)sig;
}

static void count(void *arg)
{
	const struct counting *counting = arg;
	const struct timeval often = { 0, counting->timer_us };
	const struct itimerval timer = { often, often };

	pin(counting->cpu);
	signal(SIGALRM, count_alarm);
	CHECK_OK(setitimer(ITIMER_REAL, &timer, NULL));
	for (;;)
		++*counting->rounds;
}

/* A handler of a timer sets the timer again: another processor's turn must not begin there. */
TEST(a_cpu_with_a_fast_timer_makes_progress_beside_a_busy_one)
{
	volatile unsigned long *rounds = test_shared(2 * sizeof(*rounds));
	struct counting without = { 0, 0, &rounds[0] }, with = { 1, 100, &rounds[1] };
	pid_t pid[2];

	need_cpus(2);
	pid[0] = spawn(count, &without);
	pid[1] = spawn(count, &with);
	sleep_ms(MS);
	kill_child(pid[0]);
	kill_child(pid[1]);
	printf("rounds: %lu without a timer, %lu with one\n", rounds[0], rounds[1]);
	CHECK_GE(rounds[1], rounds[0] / 4);
}
