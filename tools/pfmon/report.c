// SPDX-License-Identifier: GPL-2.0
/* What all forms of the report have in common: means, spreads, derived figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/*
 * The standard error of the mean, s / sqrt(n), relative to the mean, in percent: what
 * perf stat prints behind "+-" too.
 */
static struct figure figure(const double *value, size_t n)
{
	double sum = 0, squares = 0;
	struct figure result = { 0, 0 };
	size_t i;

	for (i = 0; i < n; i++)
		sum += value[i];
	result.mean = n ? sum / (double)n : 0;
	for (i = 0; i < n; i++)
		squares += (value[i] - result.mean) * (value[i] - result.mean);
	if (n > 1 && result.mean > 0)
		result.percent = 100 * sqrt(squares / (double)(n - 1) / (double)n) /
				 result.mean;
	return result;
}

struct figure figure_of_event(const struct report *report, size_t event)
{
	double *value = xcalloc(report->nruns, sizeof(*value));
	struct figure result;
	size_t i;

	for (i = 0; i < report->nruns; i++)
		value[i] = (double)report->runs[i].count[event];
	result = figure(value, report->nruns);
	free(value);
	return result;
}

struct figure figure_of_time(const struct report *report, enum run_time which)
{
	double *value = xcalloc(report->nruns, sizeof(*value));
	const struct run *run;
	struct figure result;
	size_t i;

	for (i = 0; i < report->nruns; i++) {
		run = &report->runs[i];
		value[i] = which == TIME_USER ? run->user :
			   which == TIME_SYS  ? run->sys :
						run->elapsed;
	}
	result = figure(value, report->nruns);
	free(value);
	return result;
}

bool has_cpu_times(const struct report *report)
{
	return report->target->command != NULL;
}

/*
 * The seconds that rates refer to: the CPU time of a command, the time of all CPUs that
 * were monitored together, else the time that passed.
 */
static double time_base(const struct report *report)
{
	const double elapsed = figure_of_time(report, TIME_ELAPSED).mean;

	switch (report->target->kind) {
	case TARGET_COMMAND:
		return figure_of_time(report, TIME_USER).mean +
		       figure_of_time(report, TIME_SYS).mean;
	case TARGET_CPUS:
		return elapsed * (double)report->target->ncpus;
	default:
		return elapsed;
	}
}

/* The mean of an event of this kind that counts at the same levels, or 0. */
static double partner(const struct report *report, const struct event *event,
		      enum event_kind kind)
{
	size_t i;

	for (i = 0; i < report->events->n; i++)
		if (report->events->event[i].kind == kind &&
		    report->events->event[i].levels == event->levels)
			return figure_of_event(report, i).mean;
	return 0;
}

struct derived derive(const struct report *report, size_t index)
{
	const struct event *event = &report->events->event[index];
	const double value = figure_of_event(report, index).mean;
	const double base = time_base(report);
	struct derived result = { 0, NULL };
	double other;

	if (event->kind == KIND_INSTRUCTIONS) {
		other = partner(report, event, KIND_CYCLES);
		if (other > 0)
			return (struct derived){ value / other, "insn per cycle" };
	}
	if (event->kind == KIND_BRANCH_MISSES) {
		other = partner(report, event, KIND_BRANCHES);
		if (other > 0)
			return (struct derived){ 100 * value / other, "% of all branches" };
	}
	if (base <= 0)
		return result;
	if (event->kind == KIND_CYCLES && (report->target->kind == TARGET_COMMAND ||
					   report->target->kind == TARGET_CPUS))
		return (struct derived){ value / base * 1e-9, "GHz" };
	return (struct derived){ value / base, "/sec" };
}

char *derived_text(const struct derived *derived, char *buf, size_t size)
{
	static const char prefixes[] = { ' ', 'K', 'M', 'G', 'T' };
	double value = derived->value;
	size_t i = 0;

	if (strcmp(derived->unit, "/sec")) {
		snprintf(buf, size, "%10.3f  %s", value, derived->unit);
		return buf;
	}
	for (; value >= 1000 && i + 1 < COUNT(prefixes); i++)
		value /= 1000;
	snprintf(buf, size, "%10.3f %c/sec", value, prefixes[i]);
	return buf;
}

char *with_thousands(uint64_t value, char *buf, size_t size)
{
	char digits[24];
	size_t n, i;

	n = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
	buf[0] = '\0';
	for (i = 0; i < n; i++)
		append(buf, size, "%s%c", i && (n - i) % 3 == 0 ? "," : "", digits[i]);
	return buf;
}

static bool has_note(const struct strings *notes, const char *text)
{
	size_t i;

	for (i = 0; i < notes->n; i++)
		if (!strcmp(notes->text[i], text))
			return true;
	return false;
}

void report_collect_notes(struct report *report)
{
	const struct strings *notes;
	size_t run, i;

	for (run = 0; run < report->nruns; run++) {
		notes = &report->runs[run].notes;
		for (i = 0; i < notes->n; i++)
			if (!has_note(&report->notes, notes->text[i]))
				strings_add(&report->notes, xstrdup(notes->text[i]));
	}
}
