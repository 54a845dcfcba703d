// SPDX-License-Identifier: GPL-2.0
/*
 * The bench: measuring path lengths with the time stamp counter.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>
#include "bench.h"

#define REPEATS		64
#define ROUND_TRIPS	200
#define RESTS		4

void bench_die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("bench: ", stderr);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, ": %s\n", strerror(errno));
	exit(1);
}

void bench_pin(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		bench_die("sched_setaffinity()");
}

static void nothing(void *arg)
{
	(void)arg;
}

/* The minimum: a timer tick or the first run of a path is not part of the call's cost. */
static uint64_t least(void (*volatile work)(void *arg), void *arg)
{
	uint64_t begin, cost, best = UINT64_MAX;
	int i;

	for (i = 0; i < REPEATS; i++) {
		begin = __rdtsc();
		work(arg);
		cost = __rdtsc() - begin;
		if (cost < best)
			best = cost;
	}
	return best;
}

uint64_t bench_measure(void (*work)(void *arg), void *arg)
{
	return least(work, arg) - least(nothing, NULL);
}

/* Under -icount shift=0 a nanosecond in which a CPU runs is an instruction. */
static uint64_t instructions_of_thread(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts))
		bench_die("clock_gettime()");
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

uint64_t bench_measure_rested(void (*work)(void *arg), void *arg)
{
	uint64_t begin, cost, best = UINT64_MAX;
	int i;

	for (i = 0; i < RESTS; i++) {
		sleep(BENCH_REST);
		begin = instructions_of_thread();
		work(arg);
		cost = instructions_of_thread() - begin;
		if (cost < best)
			best = cost;
	}
	return best;
}

uint64_t bench_loop(uint64_t rounds)
{
	uint64_t begin = __rdtsc();

	__asm__ volatile("1: dec %0; jnz 1b" : "+r" (rounds) : : "cc");
	return __rdtsc() - begin;
}

static void echo(int in, int out)
{
	char c;

	while (read(in, &c, 1) == 1 && write(out, &c, 1) == 1)
		;
	_exit(0);
}

uint64_t bench_round_trip(void)
{
	int there[2], back[2];
	uint64_t begin, cost, best = UINT64_MAX;
	char c = 0;
	pid_t pid;
	int i;

	if (pipe(there) || pipe(back))
		bench_die("pipe");
	pid = fork();
	if (pid < 0)
		bench_die("fork");
	if (!pid) {
		close(there[1]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		echo(there[0], back[1]);
	}
	close(there[0]);
	/* The minimum, as above; the first runs take the page faults. */
	for (i = 0; i < ROUND_TRIPS; i++) {
		begin = __rdtsc();
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			bench_die("the other end of the pipe");
		cost = __rdtsc() - begin;
		if (cost < best)
			best = cost;
	}
	close(there[1]);
	close(back[0]);
	close(back[1]);
	kill(pid, SIGKILL);
	/* Its descriptors are copies of the caller's, and keep sessions until it is gone. */
	if (waitpid(pid, NULL, 0) != pid)
		bench_die("waitpid()");
	return best;
}
