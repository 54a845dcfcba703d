// SPDX-License-Identifier: GPL-2.0
/*
 * The bench: path lengths of the calls that tools make, of perfmon and of perf. Prints lines of
 * "WHAT<TAB>PERFMON<TAB>PERF<TAB>AIM", or of two fields where there is nothing to compare.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bench.h"

static void do_getppid(void *arg)
{
	(void)arg;
	syscall(SYS_getppid);
}

static uint64_t read_1(const struct side *side)
{
	return bench_read(side, 1);
}

static uint64_t read_4(const struct side *side)
{
	return bench_read(side, 4);
}

static uint64_t stop_start_4(const struct side *side)
{
	return bench_stop_start(side, 4);
}

static uint64_t open_close_4(const struct side *side)
{
	return bench_open_close(side, 4);
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

static uint64_t sample_parts(const struct side *side)
{
	return sample_extra(side, side->parts_open);
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

static uint64_t turn(const struct side *side)
{
	return bench_turn(side, 2);
}

static const struct {
	const char	*what;
	uint64_t	(*measure)(const struct side *side);
	double		aim;
} paths[] = {
	{ "read 1 counter",				read_1,			0.45 },
	{ "read 4 counters",				read_4,			0.45 },
	{ "stop and start 4 counters",			stop_start_4,		0.15 },
	{ "create, load, start, unload, close (4)",	open_close_4,		0.25 },
	{ "pipe round trip, more than without (4)",	round_trip_extra_4,	0.5 },
	{ "sample",					sample,			0.5 },
	{ "sample, into a ring",			sample_parts,		0.5 },
	{ "sample, added up in the kernel",		sample_sums,		0.5 },
	{ "sample, as a difference",			sample_compact,		0.5 },
	{ "change of the 4 counted events",		turn,			0.5 },
	{ "bytes of a sample",				sample_bytes,		1.0 },
	{ "bytes of a sample, as a difference",		compact_bytes,		0.3 },
};

int main(void)
{
	uint64_t ours, theirs;
	unsigned int i;

	bench_pin(0);
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
