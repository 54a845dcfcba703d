// SPDX-License-Identifier: GPL-2.0
/* The checks of `pfmon test` that count a known program. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "explain.h"
#include "nanoseconds.h"
#include "test/measure.h"

/*
 * A call of PFM_START and PFM_STOP adds the same number each time: so the difference between two
 * runs, of which one is longer by @rounds, is that of the program alone.
 */
typedef bool measure_fn(const struct measurement *m, const struct program *program,
			uint64_t rounds, uint64_t *count, struct problem *why);

static bool by_self(const struct measurement *m, const struct program *program,
		    uint64_t rounds, uint64_t *count, struct problem *why)
{
	return measure_self(m, program, rounds, count, NULL, why);
}

static void check_count(const struct tester *tester, struct finding *finding,
			measure_fn *measure)
{
	const struct program *program = tester->program;
	struct problem why = { "", "" };
	struct measurement m;
	uint64_t warm, one, two;

	if (!measurement_make(&m, tester, program->event, false, &why)) {
		found_refusal(finding, &why);
		return;
	}
	if (!measure(&m, program, program->rounds, &warm, &why) ||
	    !measure(&m, program, program->rounds, &one, &why) ||
	    !measure(&m, program, 2 * program->rounds, &two, &why))
		found_refusal(finding, &why);
	else
		found_count(finding, two - one, program->rounds * program->per_round,
			    program->what);
	measurement_free(&m);
}

static void count_self(const struct tester *tester, struct finding *finding)
{
	check_count(tester, finding, by_self);
}

static void count_child(const struct tester *tester, struct finding *finding)
{
	check_count(tester, finding, measure_child);
}

static void count_levels(const struct tester *tester, struct finding *finding)
{
	const size_t name = strcspn(tester->program->event, ":");
	const char *event = tester->program->event;
	struct problem why = { "", "" };
	struct measurement m;
	uint64_t counts[3];
	char list[128];

	if (!(tester->rights.levels & LEVEL_KERNEL)) {
		found(finding, VERDICT_NOT_HERE, "you may not count the kernel's level");
		return;
	}
	snprintf(list, sizeof(list), "{%.*s:u,%.*s:k,%.*s:u:k}", (int)name, event, (int)name,
		 event, (int)name, event);
	if (!measurement_make(&m, tester, list, false, &why)) {
		found_refusal(finding, &why);
		return;
	}
	if (!measure_self(&m, tester->program, tester->program->rounds, counts, NULL, &why))
		found_refusal(finding, &why);
	else if (!counts[0] || !counts[1])
		found(finding, VERDICT_BROKEN, "%s level counted nothing",
		      counts[0] ? "the kernel's" : "user");
	else
		found_count(finding, counts[2], counts[0] + counts[1],
			    "at both levels, and their sum");
	measurement_free(&m);
}

/* Stopped, nothing counts; started again, the count continues. */
static void stop_and_go(const struct tester *tester, struct finding *finding)
{
	const struct program *program = tester->program;
	uint64_t stopped = 0, later = 0, again = 0;
	struct problem why = { "", "" };
	struct measurement m;
	int fd;

	if (!measurement_make(&m, tester, program->event, false, &why)) {
		found_refusal(finding, &why);
		return;
	}
	fd = measurement_load(&m, &why);
	if (fd >= 0 && session_start(fd, &why)) {
		program->run(program->rounds);
		session_stop(fd);
	}
	if (fd < 0 || !session_read(&m.plan, fd, &stopped, NULL, &why)) {
		found_refusal(finding, &why);
	} else {
		program->run(program->rounds);
		session_read(&m.plan, fd, &later, NULL, &why);
		session_start(fd, &why);
		session_stop(fd);
		session_read(&m.plan, fd, &again, NULL, &why);
		if (later != stopped)
			found(finding, VERDICT_BROKEN, "%llu %s after the stop",
			      (unsigned long long)(later - stopped), program->what);
		else if (again < later)
			found(finding, VERDICT_BROKEN, "the count begins anew after a stop");
		else
			found(finding, VERDICT_RIGHT, "a stop stops, and a start goes on");
	}
	if (fd >= 0)
		perfmon_close(fd);
	measurement_free(&m);
}

/* A count continues across the end of a register: it has 64 bits on any hardware. */
static bool count_from(const struct measurement *m, const struct tester *tester, uint64_t value,
		       uint64_t *count, struct problem *why)
{
	const struct program *program = tester->program;
	pfarg_pmd_t pmd = m->plan.pmds[0];
	int fd = measurement_load(m, why);
	bool ok;

	if (fd < 0)
		return false;
	pmd.reg_value = value;
	ok = !perfmon_write_pmds(fd, &pmd, 1) || explain(why, PFM_WRITE_PMDS, errno, &pmd, 1);
	ok = ok && session_start(fd, why);
	program->run(program->rounds);
	session_stop(fd);
	*count = 0;
	ok = ok && session_read(&m->plan, fd, count, NULL, why);
	*count -= value;
	perfmon_close(fd);
	return ok;
}

static void count_across(const struct tester *tester, struct finding *finding)
{
	const unsigned int widths[] = { 16, 31, 32, 40, tester->pmu.width, 63 };
	const struct program *program = tester->program;
	const uint64_t half = program->rounds * program->per_round / 2;
	struct problem why = { "", "" };
	struct measurement m;
	uint64_t plain, across;
	size_t i;

	if (!measurement_make(&m, tester, program->event, false, &why)) {
		found_refusal(finding, &why);
		return;
	}
	if (!count_from(&m, tester, 0, &plain, &why) || !count_from(&m, tester, 0, &plain, &why)) {
		found_refusal(finding, &why);
		goto out;
	}
	found(finding, VERDICT_RIGHT, "from 16 bits to 63, with a register of %u",
	      tester->pmu.width);
	for (i = 0; i < COUNT(widths) && finding->verdict == VERDICT_RIGHT; i++) {
		if (!widths[i] || widths[i] > 63)
			continue;
		if (!count_from(&m, tester, (1ULL << widths[i]) - half, &across, &why)) {
			found_refusal(finding, &why);
		} else if (across != plain) {
			found_count(finding, across, plain, program->what);
			append(finding->says.what, sizeof(finding->says.what), ", across %u bits", widths[i]);
		}
	}
out:
	measurement_free(&m);
}

/* The rounds that take about a tenth of a second: time for several turns of each set. */
static uint64_t rounds_of_turns(const struct program *program)
{
	uint64_t from = nanoseconds_now(CLOCK_MONOTONIC), ns;

	program->run(program->rounds);
	ns = nanoseconds_now(CLOCK_MONOTONIC) - from;
	return program->rounds * (ns < 100000 ? 1000 : 1 + 100000000 / ns);
}

/* A list of the event, once more than it has counters. */
static void list_of_turns(const struct tester *tester, char *list, size_t size)
{
	struct problem why = { "", "" };
	struct measurement m;
	unsigned int n = 1;

	if (measurement_make(&m, tester, tester->program->event, false, &why)) {
		n = (unsigned int)__builtin_popcountll(m.events.event[0].counters);
		measurement_free(&m);
	}
	list[0] = '\0';
	do {
		append(list, size, "%s%s", list[0] ? "," : "", tester->program->event);
	} while (n--);
}

/* The error of the worst estimate, as a factor; 0: a set was never active. */
static double worst_estimate(const struct measurement *m, const uint64_t *counts,
			     const struct set_time *times, uint64_t wanted)
{
	double estimate, worst = 1;
	uint64_t active = 0;
	unsigned int i;
	size_t k;

	for (i = 0; i < m->plan.nsets; i++)
		active += times[i].active_ns;
	for (k = 0; k < m->events.n; k++) {
		i = m->events.event[k].set;
		if (!times[i].active_ns || !counts[k])
			return 0;
		estimate = (double)counts[k] * (double)active / (double)times[i].active_ns /
			   (double)wanted;
		estimate = estimate < 1 ? 1 / estimate : estimate;
		worst = estimate > worst ? estimate : worst;
	}
	return worst;
}

/* More events than counters: sets that take turns, and an estimate from each. */
static void count_in_turns(const struct tester *tester, struct finding *finding)
{
	const uint64_t rounds = rounds_of_turns(tester->program);
	struct set_time times[MAX_COUNTERS + 1];
	uint64_t counts[MAX_COUNTERS + 1];
	struct problem why = { "", "" };
	struct measurement m;
	char list[2048];
	double worst;

	list_of_turns(tester, list, sizeof(list));
	if (!measurement_make(&m, tester, list, true, &why)) {
		found_refusal(finding, &why);
		return;
	}
	if (!measure_self(&m, tester->program, rounds, counts, times, &why)) {
		found_refusal(finding, &why);
		measurement_free(&m);
		return;
	}
	worst = worst_estimate(&m, counts, times, rounds * tester->program->per_round);
	if (!worst)
		found(finding, VERDICT_BROKEN, "an event set was never active");
	else if (worst > 2)
		found(finding, VERDICT_BROKEN, "estimates from %u event sets are %.1f times too much, or too little",
		      m.plan.nsets, worst);
	else
		found(finding, worst < 1.1 ? VERDICT_RIGHT : VERDICT_OFF,
		      "%zu events in %u event sets, estimates within %.1f %%%s", m.events.n,
		      m.plan.nsets, (worst - 1) * 100,
		      worst < 1.1 ? "" : ": usual where other work takes the processor away");
	measurement_free(&m);
}

const struct check counting_checks[] = {
	{ "a known program", count_self },
	{ "the same in another process", count_child },
	{ "user and kernel level", count_levels },
	{ "stop and start", stop_and_go },
	{ "past the end of a register", count_across },
	{ "more events than counters", count_in_turns },
	{ NULL, NULL }
};
