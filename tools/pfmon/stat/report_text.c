// SPDX-License-Identifier: GPL-2.0
/* For people: laid out as they know it from perf stat. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stat/report.h"

#define NAME_WIDTH	25

static void print_command(FILE *out, char **argv)
{
	fputc('\'', out);
	for (; *argv; argv++)
		fprintf(out, "%s%s", *argv, argv[1] ? " " : "");
	fputc('\'', out);
}

static void print_ids(FILE *out, const char *what, const struct ids *ids)
{
	size_t i;

	fputs(what, out);
	for (i = 0; i < ids->n; i++)
		fprintf(out, "%s%d", i ? ", " : " ", (int)ids->id[i]);
}

static void print_target(FILE *out, const struct report *report)
{
	const struct target *target = report->target;
	const unsigned int sessions = report->runs[0].sessions;
	size_t i;

	switch (target->kind) {
	case TARGET_COMMAND:
		break;
	case TARGET_PROCESS:
		print_ids(out, target->ids.n > 1 ? "processes" : "process", &target->ids);
		fprintf(out, " (%u thread%s)", sessions, PLURAL(sessions));
		break;
	case TARGET_THREAD:
		print_ids(out, target->ids.n > 1 ? "threads" : "thread", &target->ids);
		break;
	case TARGET_CGROUP:
		fprintf(out, "control group %s (%u task%s)", target->cgroup, sessions,
			PLURAL(sessions));
		break;
	case TARGET_CPUS:
		fprintf(out, "%s%zu CPU%s", target->all_cpus ? "all " : "", target->ncpus,
			PLURAL(target->ncpus));
		for (i = 0; !target->all_cpus && i < target->ncpus; i++)
			fprintf(out, "%s%u", i ? "," : " (", target->cpus[i]);
		if (!target->all_cpus)
			fputc(')', out);
		break;
	}
	if (!target->command)
		return;
	if (target->kind != TARGET_COMMAND)
		fputs(" while this ran: ", out);
	print_command(out, target->command);
	if (report->asked > 1)
		fprintf(out, " (%zu run%s)", report->nruns, PLURAL(report->nruns));
}

static void print_spread(FILE *out, const struct report *report, const struct figure *figure)
{
	if (report->nruns > 1)
		fprintf(out, "  ( ± %5.2f%% )", figure->percent);
}

/* The part of the time in which it was counted, and a note if the count is not scaled up. */
static void print_share(FILE *out, const struct report *report, size_t i)
{
	const double error = uncertainty(report, i);

	if (!report_has_turns(report))
		return;
	fprintf(out, "  (%.1f%%%s", 100 * share_of_event(report, i),
		report->scale ? "" : ", not scaled");
	if (is_scaled(report, i) && !report->slice && error >= 0)
		fprintf(out, ", ± %.2f%%", error);
	else if (is_scaled(report, i) && !report->slice)
		fputs(", ± ?", out);
	fputc(')', out);
}

/* The change since the earlier measurement. */
static void print_change(FILE *out, const struct report *report, size_t i)
{
	const double change = change_of_event(report, i);

	if (isfinite(change))
		fprintf(out, "  %+.2f%%", change);
	else if (report->baseline)
		fputs("  new", out);
}

/* A clock's nanoseconds as milliseconds, as perf stat has them. */
static void format_count(const struct event *event, uint64_t count, char *text, size_t size)
{
	if (event->kind != KIND_CLOCK) {
		with_thousands(count, text, size);
		return;
	}
	with_thousands(count / NS_PER_MS, text, size);
	append(text, size, ".%06u", (unsigned int)(count % NS_PER_MS));
}

static void print_event(FILE *out, const struct report *report, size_t i, int width)
{
	const struct event *event = &report->events->event[i];
	const struct figure figure = figure_of_event(report, i);
	const struct derived derived = derive(report, i);
	const bool more = report->nruns > 1 || report_has_turns(report) || report->baseline;
	char count[40], text[80] = "";

	if (!figure.n)
		snprintf(count, sizeof(count), "<not counted>");
	else if (report->nruns == 1) /* a double would round large counts */
		format_count(event, count_of_run(report, 0, i), count, sizeof(count));
	else
		format_count(event, (uint64_t)(figure.mean + 0.5), count, sizeof(count));
	if (derived.unit)
		derived_text(&derived, text, sizeof(text));
	else if (!more)
		width = 0;
	fprintf(out, "%*s %-4s %-*s", report->slice ? 16 : 20, count,
		event->kind == KIND_CLOCK ? "msec" : "", width, event->name);
	if (derived.unit && more)
		fprintf(out, "  # %-29s", text);
	else if (derived.unit)
		fprintf(out, "  # %s", text);
	else if (more)
		fprintf(out, "%33s", "");
	print_spread(out, report, &figure);
	print_share(out, report, i);
	print_change(out, report, i);
	fputc('\n', out);
}

static void print_metric(FILE *out, const struct report *report, size_t i)
{
	const struct metric *metric = &report->metrics->metric[i];
	const double value = value_of_metric(report, i);
	char text[40] = "<not counted>";

	if (isfinite(value))
		snprintf(text, sizeof(text), "%.3f", value);
	fprintf(out, "%*s %-4s %s\n", report->slice ? 16 : 20, text, metric->unit, metric->name);
}

static int name_width(const struct report *report)
{
	int width = NAME_WIDTH;
	size_t i;

	for (i = 0; i < report->events->n; i++)
		if ((int)strlen(report->events->event[i].name) > width)
			width = (int)strlen(report->events->event[i].name);
	return width;
}

void report_text_slice(FILE *out, const struct report *report, const struct slice *slice)
{
	const int width = name_width(report);
	char who[40];
	size_t i;

	slice_name(report, slice, who, sizeof(who));
	for (i = 0; i < report->events->n + report->metrics->n; i++) {
		if (slice->timed)
			fprintf(out, "%16.9f", slice->time);
		if (slice->each)
			fprintf(out, "  %-24s", who);
		if (i < report->events->n)
			print_event(out, report, i, width);
		else
			print_metric(out, report, i - report->events->n);
	}
}

void report_text_heading(FILE *out, const struct slice *slice)
{
	fprintf(out, "#%15s", "time");
	if (slice->each)
		fprintf(out, "  %-24s", "of");
	fprintf(out, "%16s      %s\n", "count", "event");
}

static void print_part(void *out, const struct report *one, const struct slice *slice)
{
	report_text_slice(out, one, slice);
}

/* Each thread or CPU, before the sums. */
static void print_parts(FILE *out, const struct report *report)
{
	report_each_part(report, out, print_part);
	if (report->runs[0].parts.n)
		fputc('\n', out);
}

static void print_time(FILE *out, const struct report *report, enum run_time which,
		       const char *what)
{
	const struct figure figure = figure_of_time(report, which);

	fprintf(out, "%20.9f seconds %s", figure.mean, what);
	print_spread(out, report, &figure);
	fputc('\n', out);
}

void report_text(FILE *out, const struct report *report)
{
	const int width = name_width(report);
	size_t i;

	fputs("\n Counts for ", out);
	print_target(out, report);
	fputs(":\n\n", out);

	if (report->target->each)
		print_parts(out, report);
	for (i = 0; i < report->events->n; i++)
		print_event(out, report, i, width);
	if (report->metrics->n)
		fputc('\n', out);
	for (i = 0; i < report->metrics->n; i++)
		print_metric(out, report, i);

	fputc('\n', out);
	print_time(out, report, TIME_ELAPSED, "time elapsed");
	if (has_cpu_times(report)) {
		fputc('\n', out);
		print_time(out, report, TIME_USER, "user");
		print_time(out, report, TIME_SYS, "sys");
	}
	fputc('\n', out);
	for (i = 0; i < report->notes.n; i++)
		fprintf(out, " Note: %s\n", report->notes.text[i]);
	if (report->notes.n)
		fputc('\n', out);
}
