// SPDX-License-Identifier: GPL-2.0
/*
 * growth PART... - the bench: how costs grow, of perfmon and of perf. Prints lines of
 * "PART: WHAT<TAB>NUMBER<TAB>PERFMON<TAB>PERF", where 0 is that perf has nothing to compare.
 *
 * The parts are those that need different guests: "sets", "contexts"; "reads", on a PMU with eight
 * counters; "cpus", whose number is that of the guest's CPUs.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench.h"

/* For 10,000 sessions and more. */
#define MAX_FILES	65536

static uint64_t session(const struct side *side, int cpus)
{
	(void)cpus;
	return bench_open_close(side, GROUP_COUNTERS);
}

static uint64_t first_session(const struct side *side, int cpus)
{
	(void)cpus;
	return bench_first_open_close(side, GROUP_COUNTERS);
}

static uint64_t session_beside(const struct side *side, int contexts)
{
	pid_t others = others_start(side, contexts - 1);
	uint64_t cost = bench_open_close(side, GROUP_COUNTERS);

	others_stop(others);
	return cost;
}

/* Neither of the two threads that take turns has a context. */
static uint64_t switch_beside(const struct side *side, int contexts)
{
	uint64_t cost;
	pid_t others;

	sleep(BENCH_REST);
	others = others_start(side, contexts);
	cost = bench_round_trip();
	others_stop(others);
	return cost;
}

static const struct growth {
	const char	*part;
	const char	*what;
	uint64_t	(*measure)(const struct side *side, int n);
	int		count;		/* 0: the number is that of the CPUs */
	int		numbers[5];
} growths[] = {
	{ "sets", "change of the 4 counted events", bench_turn, 4, { 2, 8, 64, 512 } },
	{ "sets", "unload, load, start", bench_reload, 5, { 1, 2, 8, 64, 512 } },
	{ "reads", "read", bench_read, 4, { 1, 2, 4, 8 } },
	{ "cpus", "create, load, start, unload, close (4)", session, 0, { } },
	{ "cpus", "the same, the first in a second", first_session, 0, { } },
	{ "cpus", "the same, on all CPUs, for each", bench_cpus, 0, { } },
	{ "contexts", "create, load, start, unload, close (4)", session_beside, 3,
	  { 1, 100, 10000 } },
	{ "contexts", "round trip without a context", switch_beside, 4, { 0, 1, 100, 10000 } },
};

/* In a process of its own: its sessions end with it. */
static uint64_t measure(const struct growth *growth, const struct side *side, int n)
{
	uint64_t *cost = mmap(NULL, sizeof(*cost), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0), result;
	int status;
	pid_t pid;

	if (cost == MAP_FAILED)
		bench_die("mmap()");
	pid = fork();
	if (!pid) {
		*cost = growth->measure(side, n);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		bench_die("fork()");
	/* The child has written why. */
	if (status)
		exit(1);
	result = *cost;
	munmap(cost, sizeof(*cost));
	return result;
}

static void print(const struct growth *growth, int n)
{
	uint64_t ours = measure(growth, &perfmon_side, n), theirs = measure(growth, &perf_side, n);

	printf("%s: %s\t%d\t%llu\t%llu\n", growth->part, growth->what, n,
	       (unsigned long long)ours, (unsigned long long)theirs);
	fflush(stdout);
}

static void print_part(const char *part)
{
	const struct growth *growth;
	unsigned int i;
	int k;

	for (i = 0; i < sizeof(growths) / sizeof(growths[0]); i++) {
		growth = &growths[i];
		if (strcmp(growth->part, part))
			continue;
		if (!growth->count)
			print(growth, sysconf(_SC_NPROCESSORS_ONLN));
		for (k = 0; k < growth->count; k++)
			print(growth, growth->numbers[k]);
	}
}

/* perf has a descriptor for each counter. */
static void allow_files(void)
{
	const struct rlimit limit = { MAX_FILES, MAX_FILES };

	if (setrlimit(RLIMIT_NOFILE, &limit))
		bench_die("setrlimit() to %d files", MAX_FILES);
}

int main(int argc, char **argv)
{
	int i;

	bench_pin(0);
	allow_files();
	perfmon_find();
	for (i = 1; i < argc; i++)
		print_part(argv[i]);
	return 0;
}
