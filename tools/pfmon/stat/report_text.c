// SPDX-License-Identifier: GPL-2.0
/* For people: laid out as they know it from perf stat. */
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

static void print_target(FILE *out, const struct report *report)
{
	const struct target *target = report->target;
	const unsigned int sessions = report->runs[0].sessions;
	size_t i;

	switch (target->kind) {
	case TARGET_COMMAND:
		break;
	case TARGET_PROCESS:
		fprintf(out, "process %d (%u thread%s)", (int)target->id, sessions,
			PLURAL(sessions));
		break;
	case TARGET_THREAD:
		fprintf(out, "thread %d", (int)target->id);
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

/* For how long it was counted, and whether the count is left at that. */
static void print_share(FILE *out, const struct report *report, size_t i)
{
	if (has_turns(report))
		fprintf(out, "  (%.1f%%%s)", 100 * share_of_event(report, i),
			report->scale ? "" : ", not scaled");
}

static void print_event(FILE *out, const struct report *report, size_t i, int width)
{
	const struct figure figure = figure_of_event(report, i);
	const struct derived derived = derive(report, i);
	const bool more = report->nruns > 1 || has_turns(report);
	char count[40], text[80] = "";

	if (!figure.n)
		snprintf(count, sizeof(count), "<not counted>");
	else if (report->nruns == 1) /* a double would round large counts */
		with_thousands(count_of_run(report, 0, i), count, sizeof(count));
	else
		with_thousands((uint64_t)(figure.mean + 0.5), count, sizeof(count));
	if (derived.unit)
		derived_text(&derived, text, sizeof(text));
	else if (!more)
		width = 0;
	fprintf(out, "%20s      %-*s", count, width, report->events->event[i].name);
	if (derived.unit && more)
		fprintf(out, "  # %-29s", text);
	else if (derived.unit)
		fprintf(out, "  # %s", text);
	else if (more)
		fprintf(out, "%33s", "");
	print_spread(out, report, &figure);
	print_share(out, report, i);
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
	int width = NAME_WIDTH;
	size_t i;

	fputs("\n Counts for ", out);
	print_target(out, report);
	fputs(":\n\n", out);

	for (i = 0; i < report->events->n; i++)
		if ((int)strlen(report->events->event[i].name) > width)
			width = (int)strlen(report->events->event[i].name);
	for (i = 0; i < report->events->n; i++)
		print_event(out, report, i, width);

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
