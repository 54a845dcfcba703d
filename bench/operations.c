// SPDX-License-Identifier: GPL-2.0
/*
 * The bench: operations of a side, measured, for the programs that print them.
 */
#include "bench.h"

const uint64_t bench_events[MAX_COUNTERS] = {
	0x00c0, 0x003c, 0x00c4, 0x010b, 0x00c0, 0x003c, 0x00c4, 0x010b,
};

struct call {
	const struct side	*side;
	int			n;
};

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

uint64_t bench_read(const struct side *side, int n)
{
	return measure_open(side, do_read, n);
}

uint64_t bench_stop_start(const struct side *side, int n)
{
	return measure_open(side, do_stop_start, n);
}

uint64_t bench_open_close(const struct side *side, int n)
{
	struct call call = { side, n };

	return bench_measure(do_open_close, &call);
}

uint64_t bench_first_open_close(const struct side *side, int n)
{
	struct call call = { side, n };

	return bench_measure_rested(do_open_close, &call);
}

/* Two instructions a round; with this many rounds, a tick more or less does not matter. */
#define TURN_ROUNDS	250000000

uint64_t bench_turn(const struct side *side, int groups)
{
	uint64_t without = bench_loop(TURN_ROUNDS), with, before, n;

	side->turns_open(groups);
	before = side->turns();
	with = bench_loop(TURN_ROUNDS);
	n = side->turns() - before;
	side->close();
	return n ? (with - without) / n : 0;
}

static void do_reload(void *arg)
{
	const struct call *call = arg;

	call->side->reload();
}

uint64_t bench_reload(const struct side *side, int groups)
{
	struct call call = { side, groups };
	uint64_t cost;

	if (!side->reload)
		return 0;
	side->turns_open(groups);
	cost = bench_measure(do_reload, &call);
	side->close();
	return cost;
}

static void do_cpus(void *arg)
{
	const struct call *call = arg;

	call->side->cpus_open(call->n);
	call->side->cpus_close();
}

uint64_t bench_cpus(const struct side *side, int cpus)
{
	struct call call = { side, cpus };

	return bench_measure(do_cpus, &call) / cpus;
}
