// SPDX-License-Identifier: GPL-2.0
/*
 * For scripts: one line for each figure, with the same ten fields; with --diff the change in
 * percent follows. pfmon-stat(1) documents them; a change there is a change of the interface. New
 * fields are added at the end: so programs that read the first ones still work.
 *
 *	value, unit, event, deviation in percent, share in percent, derived, its unit,
 *	count as it was read, event set, standard error of a scaled count in percent
 *
 * With -I the time stands before them, and then, with --per-thread or --per-cpu, the thread or CPU;
 * these are empty with the sums.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stat/report.h"

static void print_deviation(FILE *out, const struct report *report,
			    const struct figure *figure)
{
	if (report->nruns > 1)
		fprintf(out, "%.2f", figure->percent);
}

/* A sum of one run is whole; a double would round large ones. Clocks are in ms. */
static void print_count(FILE *out, const struct report *report, const struct event *event,
			uint64_t count, const struct figure *figure)
{
	if (!figure->n)
		fputs("<not counted>", out);
	else if (event->kind == KIND_CLOCK)
		fprintf(out, "%.6f", figure->mean / NS_PER_MS);
	else if (report->nruns == 1)
		fprintf(out, "%llu", (unsigned long long)count);
	else
		fprintf(out, "%.0f", figure->mean);
}

/* Nothing for an exact count, nor for a slice, whose error is unknown. */
static void print_uncertainty(FILE *out, const struct report *report, size_t i)
{
	const double error = uncertainty(report, i);

	if (error >= 0 && is_scaled(report, i))
		fprintf(out, "%.2f", error);
}

static void print_event(FILE *out, const struct report *report, size_t i, const char *sep)
{
	const struct event *event = &report->events->event[i];
	const struct figure figure = figure_of_event(report, i);
	const struct figure raw = figure_of_raw_count(report, i);
	const struct derived derived = derive(report, i);

	print_count(out, report, event, count_of_run(report, 0, i), &figure);
	fprintf(out, "%s%s%s%s%s", sep, event->kind == KIND_CLOCK ? "msec" : "", sep, event->name,
		sep);
	print_deviation(out, report, &figure);
	fprintf(out, "%s%.2f%s", sep, 100 * share_of_event(report, i), sep);
	if (derived.unit)
		fprintf(out, "%.3f%s%s", derived.value, sep, derived.unit);
	else
		fputs(sep, out);
	fputs(sep, out);
	print_count(out, report, event, report->runs[0].count[i], &raw);
	fputs(sep, out);
	if (!event->software)
		fprintf(out, "%u", event->set);
	fputs(sep, out);
	print_uncertainty(out, report, i);
	if (report->baseline)
		fputs(sep, out);
	if (isfinite(change_of_event(report, i)))
		fprintf(out, "%.2f", change_of_event(report, i));
	fputc('\n', out);
}

/* The value, its unit and its name have the places of those of an event. */
static void print_metric(FILE *out, const struct report *report, size_t i, const char *sep)
{
	const struct metric *metric = &report->metrics->metric[i];
	const double value = value_of_metric(report, i);

	if (isfinite(value))
		fprintf(out, "%.6f", value);
	else
		fputs("<not counted>", out);
	fprintf(out, "%s%s%s%s", sep, metric->unit, sep, metric->name);
	fprintf(out, "%s%s%s%s%s%s%s%s\n", sep, sep, sep, sep, sep, sep, sep,
		report->baseline ? sep : "");
}

/* In quotes where it would shift the fields. */
static void print_name(FILE *out, const char *name, const char *sep)
{
	const bool quote = strstr(name, sep) || strchr(name, '"') || strchr(name, '\n');

	if (quote)
		fputc('"', out);
	for (; *name; name++)
		fprintf(out, "%s%c", quote && *name == '"' ? "\"" : "", *name);
	if (quote)
		fputc('"', out);
}

/* The fields before all others, with intervals, threads or CPUs. */
static void print_prefix(FILE *out, const struct report *report, const struct slice *slice,
			 const char *sep)
{
	char name[40];

	if (slice->timed)
		fprintf(out, "%.9f", slice->time);
	if (report->target->interval_ms)
		fputs(sep, out);
	if (!slice->each)
		return;
	print_name(out, slice_name(report, slice, name, sizeof(name)), sep);
	fputs(sep, out);
}

void report_separated_slice(FILE *out, const struct report *report, const struct slice *slice,
			    const char *sep)
{
	size_t i;

	for (i = 0; i < report->events->n; i++) {
		print_prefix(out, report, slice, sep);
		print_event(out, report, i, sep);
	}
	for (i = 0; i < report->metrics->n; i++) {
		print_prefix(out, report, slice, sep);
		print_metric(out, report, i, sep);
	}
}

struct lines {
	FILE		*out;
	const char	*sep;
};

static void print_part(void *data, const struct report *one, const struct slice *slice)
{
	const struct lines *lines = data;

	report_separated_slice(lines->out, one, slice, lines->sep);
}

static void print_time(FILE *out, const struct report *report, enum run_time which,
		       const char *name, const char *sep)
{
	const struct slice slice = { .each = report->target->each };
	const struct figure figure = figure_of_time(report, which);

	print_prefix(out, report, &slice, sep);
	fprintf(out, "%.9f%ss%s%s%s", figure.mean, sep, sep, name, sep);
	print_deviation(out, report, &figure);
	fprintf(out, "%s%s%s%s%s%s%s\n", sep, sep, sep, sep, sep, sep,
		report->baseline ? sep : "");
}

void report_separated(FILE *out, const struct report *report, const char *sep)
{
	const struct slice slice = { .each = report->target->each };
	size_t i;

	if (slice.each)
		report_each_part(report, &(struct lines){ out, sep }, print_part);
	report_separated_slice(out, report, &slice, sep);
	print_time(out, report, TIME_ELAPSED, "elapsed", sep);
	if (has_cpu_times(report)) {
		print_time(out, report, TIME_USER, "user", sep);
		print_time(out, report, TIME_SYS, "sys", sep);
	}
	for (i = 0; i < report->notes.n; i++)
		fprintf(out, "# %s\n", report->notes.text[i]);
}
