// SPDX-License-Identifier: GPL-2.0
/* The common part of all forms of the report: means, spreads, derived figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/report.h"

/*
 * The standard error of the mean, s / sqrt(n), relative to the mean, in percent: perf stat prints
 * it behind "+-", too.
 */
static struct figure figure(const double *value, size_t n)
{
	double sum = 0, squares = 0;
	struct figure result = { .n = n };
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

bool report_has_turns(const struct report *report)
{
	return report->plan->nsets > 1;
}

/* True if an event counts in the turns of its set only. */
static bool takes_turns(const struct report *report, size_t event)
{
	return report_has_turns(report) && !report->events->event[event].software;
}

/* The time for which all sets together were active in a run: the time of counting. */
static uint64_t active_ns(const struct report *report, size_t run)
{
	uint64_t sum = 0;
	unsigned int set;

	for (set = 0; set < report->plan->nsets; set++)
		sum += report->runs[run].set[set].active_ns;
	return sum;
}

static uint64_t own_ns(const struct report *report, size_t run, size_t event)
{
	return report->runs[run].set[report->events->event[event].set].active_ns;
}

double share_of_event(const struct report *report, size_t event)
{
	double own = 0, all = 0;
	size_t run;

	if (!takes_turns(report, event))
		return 1;
	for (run = 0; run < report->nruns; run++) {
		own += (double)own_ns(report, run, event);
		all += (double)active_ns(report, run);
	}
	return all > 0 ? own / all : 0;
}

bool is_counted(const struct report *report, size_t run, size_t event)
{
	return !takes_turns(report, event) || own_ns(report, run, event);
}

bool is_scaled(const struct report *report, size_t event)
{
	const double share = share_of_event(report, event);

	return report->scale && share > 0 && share < 1;
}

static uint64_t count_scaled(const struct report *report, size_t run, size_t event,
			     bool scale)
{
	return scale ? report->runs[run].scaled[event] : report->runs[run].count[event];
}

uint64_t count_of_run(const struct report *report, size_t run, size_t event)
{
	return count_scaled(report, run, event, report->scale);
}

static struct figure figure_of_counts(const struct report *report, size_t event, bool scale)
{
	double *value = xcalloc(report->nruns, sizeof(*value));
	struct figure result;
	size_t run, n = 0;

	for (run = 0; run < report->nruns; run++)
		if (is_counted(report, run, event))
			value[n++] = (double)count_scaled(report, run, event, scale);
	result = figure(value, n);
	free(value);
	return result;
}

struct figure figure_of_event(const struct report *report, size_t event)
{
	return figure_of_counts(report, event, report->scale);
}

struct figure figure_of_raw_count(const struct report *report, size_t event)
{
	return figure_of_counts(report, event, false);
}

double uncertainty(const struct report *report, size_t event)
{
	const double mean = figure_of_counts(report, event, true).mean;
	double squares = 0, error;
	size_t run, n = 0;

	if (!is_scaled(report, event))
		return 0;
	for (run = 0; run < report->nruns; run++) {
		error = report->runs[run].error[event];
		if (!is_counted(report, run, event))
			continue;
		if (error < 0)
			return -1;
		squares += error * error;
		n++;
	}
	return mean > 0 ? 100 * sqrt(squares) / (double)n / mean : 0;
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
 * The base of rates in seconds: the CPU time of a command, the sum of the times of all monitored
 * CPUs, else the elapsed time.
 */
static double time_base(const struct report *report)
{
	const double elapsed = figure_of_time(report, TIME_ELAPSED).mean;

	if (report->slice)
		return elapsed;
	switch (report->target->kind) {
	case TARGET_COMMAND:
		if (report->target->delay_ms) /* the CPU time while it counted is unknown */
			return elapsed;
		return figure_of_time(report, TIME_USER).mean +
		       figure_of_time(report, TIME_SYS).mean;
	case TARGET_CPUS:
		return elapsed * (double)report->target->ncpus;
	default:
		return elapsed;
	}
}

/* True if that base is CPU time, so that cycles per second are a frequency. */
static bool has_cpu_base(const struct report *report)
{
	if (report->target->kind == TARGET_CPUS)
		return true;
	return report->target->kind == TARGET_COMMAND && !report->slice &&
	       !report->target->delay_ms;
}

/*
 * The mean of an event of this kind that was counted at the same levels and at the same
 * time, so in the same event set; or 0.
 */
static double partner(const struct report *report, const struct event *event,
		      enum event_kind kind)
{
	const struct event *other;
	size_t i;

	for (i = 0; i < report->events->n; i++) {
		other = &report->events->event[i];
		if (other->kind == kind && other->levels == event->levels &&
		    other->set == event->set)
			return figure_of_counts(report, i, true).mean;
	}
	return 0;
}

static struct derived cpus_utilized(const struct report *report, double ns)
{
	const double elapsed = figure_of_time(report, TIME_ELAPSED).mean;

	if (elapsed <= 0)
		return (struct derived){ 0, NULL };
	return (struct derived){ ns * 1e-9 / elapsed, "CPUs utilized" };
}

struct derived derive(const struct report *report, size_t index)
{
	const struct event *event = &report->events->event[index];
	const double value = figure_of_counts(report, index, true).mean;
	const double base = time_base(report);
	struct derived result = { 0, NULL };
	double other;

	if (event->kind == KIND_CLOCK)
		return cpus_utilized(report, value);
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
	if (base <= 0 || share_of_event(report, index) <= 0)
		return result;
	if (event->kind == KIND_CYCLES && has_cpu_base(report))
		return (struct derived){ value / base * 1e-9, "GHz" };
	return (struct derived){ value / base, "/sec" };
}

double change_of_event(const struct report *report, size_t event)
{
	const struct figure figure = figure_of_event(report, event);
	double before;

	if (!report->baseline || !figure.n)
		return NAN;
	before = baseline_count(report->baseline, report->events->event[event].name);
	if (before < 0)
		return NAN;
	return before > 0 || figure.mean > 0 ? 100 * (figure.mean - before) / before : 0;
}

double value_of_metric(const struct report *report, size_t metric)
{
	double *count = xcalloc(report->events->n, sizeof(*count)), value;
	struct figure figure;
	size_t i;

	for (i = 0; i < report->events->n; i++) {
		figure = figure_of_counts(report, i, true);
		count[i] = figure.n ? figure.mean : NAN;
	}
	value = metric_value(report->metrics, &report->metrics->metric[metric], count);
	free(count);
	return value;
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

void report_collect_notes(struct report *report)
{
	const struct strings *notes;
	size_t run, i;

	for (run = 0; run < report->nruns; run++) {
		notes = &report->runs[run].notes;
		for (i = 0; i < notes->n; i++)
			strings_add_once(&report->notes, xstrdup(notes->text[i]));
	}
}

char *slice_name(const struct report *report, const struct slice *slice, char *buf, size_t size)
{
	const struct part *part = slice->part;

	buf[0] = '\0';
	if (part && report->target->kind == TARGET_CPUS)
		snprintf(buf, size, "%s", part->name);
	else if (part)
		snprintf(buf, size, "%d %s", (int)part->id, part->name);
	return buf;
}

struct report slice_report(const struct report *whole, struct run *run, const struct tally *tally,
			   double seconds)
{
	struct report report = *whole;

	run_from_tally(run, whole->plan, tally);
	run->elapsed = seconds;
	report.runs = run;
	report.nruns = report.asked = 1;
	report.slice = true;
	report.baseline = NULL;
	memset(&report.notes, 0, sizeof(report.notes));
	return report;
}

void report_each_part(const struct report *report, void *data,
		      void (*print)(void *data, const struct report *one, const struct slice *slice))
{
	const struct parts *parts = &report->runs[0].parts;
	size_t i;

	for (i = 0; i < parts->n; i++) {
		const struct slice slice = { .part = parts->part[i], .each = true };
		struct run run;
		const struct report one = slice_report(report, &run, &parts->part[i]->last,
						       report->runs[0].elapsed);

		print(data, &one, &slice);
		run_free(&run);
	}
}
