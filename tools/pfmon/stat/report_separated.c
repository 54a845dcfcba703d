// SPDX-License-Identifier: GPL-2.0
/*
 * For scripts: one line for each figure, always the same nine fields. pfmon-stat(1)
 * documents them; a change there is a change of the interface. New ones are added at the
 * end: programs that read the first ones go on working.
 *
 *	value, unit, event, deviation in percent, share in percent, derived, its unit,
 *	count as it was read, event set
 */
#include <stdio.h>

#include "stat/report.h"

static void print_deviation(FILE *out, const struct report *report,
			    const struct figure *figure)
{
	if (report->nruns > 1)
		fprintf(out, "%.2f", figure->percent);
}

/* A sum of one run is whole; a double would round large ones. */
static void print_count(FILE *out, const struct report *report, uint64_t count,
			const struct figure *figure)
{
	if (!figure->n)
		fputs("<not counted>", out);
	else if (report->nruns == 1)
		fprintf(out, "%llu", (unsigned long long)count);
	else
		fprintf(out, "%.0f", figure->mean);
}

static void print_event(FILE *out, const struct report *report, size_t i, const char *sep)
{
	const struct event *event = &report->events->event[i];
	const struct figure figure = figure_of_event(report, i);
	const struct figure raw = figure_of_raw_count(report, i);
	const struct derived derived = derive(report, i);

	print_count(out, report, count_of_run(report, 0, i), &figure);
	fprintf(out, "%s%s%s%s", sep, sep, event->name, sep);
	print_deviation(out, report, &figure);
	fprintf(out, "%s%.2f%s", sep, 100 * share_of_event(report, i), sep);
	if (derived.unit)
		fprintf(out, "%.3f%s%s", derived.value, sep, derived.unit);
	else
		fputs(sep, out);
	fputs(sep, out);
	print_count(out, report, report->runs[0].count[i], &raw);
	fprintf(out, "%s%u\n", sep, event->set);
}

static void print_time(FILE *out, const struct report *report, enum run_time which,
		       const char *name, const char *sep)
{
	const struct figure figure = figure_of_time(report, which);

	fprintf(out, "%.9f%ss%s%s%s", figure.mean, sep, sep, name, sep);
	print_deviation(out, report, &figure);
	fprintf(out, "%s%s%s%s%s\n", sep, sep, sep, sep, sep);
}

void report_separated(FILE *out, const struct report *report, const char *sep)
{
	size_t i;

	for (i = 0; i < report->events->n; i++)
		print_event(out, report, i, sep);
	print_time(out, report, TIME_ELAPSED, "elapsed", sep);
	if (has_cpu_times(report)) {
		print_time(out, report, TIME_USER, "user", sep);
		print_time(out, report, TIME_SYS, "sys", sep);
	}
	for (i = 0; i < report->notes.n; i++)
		fprintf(out, "# %s\n", report->notes.text[i]);
}
