// SPDX-License-Identifier: GPL-2.0
/*
 * The bench: path lengths of the calls that tools make, of perfmon and of perf. Prints lines of
 * "WHAT<TAB>PERFMON<TAB>PERF<TAB>AIM", or of two fields where there is nothing to compare.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bench.h"

const uint64_t bench_events[MAX_COUNTERS] = { 0x00c0, 0x003c, 0x00c4, 0x010b };

struct call {
	const struct side	*side;
	int			n;
};

static void do_getppid(void *arg)
{
	(void)arg;
	syscall(SYS_getppid);
}

static void do_read(void *arg)
{
	const struct call *call = arg;

	call->side->read(call->n);
}

static void do_stop_start(void *arg)
{
	const struct call *call = arg;

	call->side->stop_start();
}

static void do_open_close(void *arg)
{
	const struct call *call = arg;

	call->side->open(call->n);
	call->side->close();
}

static uint64_t measure_open(const struct side *side, void (*work)(void *arg), int n)
{
	struct call call = { side, n };
	uint64_t cost;

	side->open(n);
	cost = bench_measure(work, &call);
	side->close();
	return cost;
}

static uint64_t read_1(const struct side *side)
{
	return measure_open(side, do_read, 1);
}

static uint64_t read_4(const struct side *side)
{
	return measure_open(side, do_read, 4);
}

static uint64_t stop_start_4(const struct side *side)
{
	return measure_open(side, do_stop_start, 4);
}

static uint64_t open_close_4(const struct side *side)
{
	struct call call = { side, 4 };

	return bench_measure(do_open_close, &call);
}

/* The cost that a loaded session adds to a round trip between two processes. */
static uint64_t round_trip_extra_4(const struct side *side)
{
	uint64_t without = bench_round_trip(), with;

	side->open(4);
	with = bench_round_trip();
	side->close();
	return with - without;
}

/* Two instructions a round; with this many rounds, a tick more or less does not matter. */
#define SAMPLE_PERIOD	100000
#define SAMPLE_ROUNDS	(1000 * SAMPLE_PERIOD / 2)
#define TURN_ROUNDS	250000000

/* The cost that a sample adds to the sampled program. */
static uint64_t sample_extra(const struct side *side, void (*open)(uint64_t period))
{
	uint64_t without, with, before, n, bytes;

	bench_loop(SAMPLE_ROUNDS);
	without = bench_loop(SAMPLE_ROUNDS);
	open(SAMPLE_PERIOD);
	before = side->samples(&bytes);
	with = bench_loop(SAMPLE_ROUNDS);
	n = side->samples(&bytes) - before;
	side->close();
	return n ? (with - without) / n : 0;
}

static uint64_t sample(const struct side *side)
{
	return sample_extra(side, side->sample_open);
}

static uint64_t sample_sums(const struct side *side)
{
	return sample_extra(side, side->sums_open);
}

static uint64_t sample_compact(const struct side *side)
{
	return sample_extra(side, side->compact_open);
}

static uint64_t bytes_each(const struct side *side, void (*open)(uint64_t period))
{
	uint64_t n, bytes;

	open(SAMPLE_PERIOD);
	bench_loop(SAMPLE_ROUNDS);
	n = side->samples(&bytes);
	side->close();
	return n ? bytes / n : 0;
}

static uint64_t sample_bytes(const struct side *side)
{
	return bytes_each(side, side->sample_open);
}

static uint64_t compact_bytes(const struct side *side)
{
	return bytes_each(side, side->compact_open);
}

/* The cost that a change of the counted events adds. */
static uint64_t turn(const struct side *side)
{
	uint64_t without = bench_loop(TURN_ROUNDS), with, before, n;

	side->turns_open();
	before = side->turns();
	with = bench_loop(TURN_ROUNDS);
	n = side->turns() - before;
	side->close();
	return n ? (with - without) / n : 0;
}

static const struct {
	const char	*what;
	uint64_t	(*measure)(const struct side *side);
	double		aim;
} paths[] = {
	{ "read 1 counter",				read_1,			0.6 },
	{ "read 4 counters",				read_4,			0.6 },
	{ "stop and start 4 counters",			stop_start_4,		0.15 },
	{ "create, load, start, unload, close (4)",	open_close_4,		0.25 },
	{ "pipe round trip, more than without (4)",	round_trip_extra_4,	0.5 },
	{ "sample",					sample,			0.5 },
	{ "sample, added up in the kernel",		sample_sums,		0.5 },
	{ "sample, as a difference",			sample_compact,		0.7 },
	{ "change of the 4 counted events",		turn,			0.5 },
	{ "bytes of a sample",				sample_bytes,		1.0 },
	{ "bytes of a sample, as a difference",		compact_bytes,		0.3 },
};

int main(void)
{
	uint64_t ours, theirs;
	cpu_set_t cpus;
	unsigned int i;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		bench_die("sched_setaffinity()");
	perfmon_find();

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		ours = paths[i].measure(&perfmon_side);
		theirs = paths[i].measure(&perf_side);
		printf("%s\t%llu\t%llu\t%.2f\n", paths[i].what, (unsigned long long)ours,
		       (unsigned long long)theirs, paths[i].aim);
	}
	printf("getppid(2)\t%llu\n", (unsigned long long)bench_measure(do_getppid, NULL));
	printf("pipe round trip with nothing loaded\t%llu\n",
	       (unsigned long long)bench_round_trip());
	return 0;
}
