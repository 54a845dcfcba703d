// SPDX-License-Identifier: GPL-2.0
/*
 * For scripts: one line for each figure, always the same seven fields. pfmon-stat(1)
 * documents them; a change there is a change of the interface.
 *
 *	value, unit, event, deviation in percent, share in percent, derived, its unit
 */
#include <stdio.h>

#include "report.h"

static void print_deviation(FILE *out, const struct report *report,
			    const struct figure *figure)
{
	if (report->nruns > 1)
		fprintf(out, "%.2f", figure->percent);
}

static void print_event(FILE *out, const struct report *report, size_t i, const char *sep)
{
	const struct figure figure = figure_of_event(report, i);
	const struct derived derived = derive(report, i);

	if (report->nruns == 1)
		fprintf(out, "%llu", (unsigned long long)report->runs[0].count[i]);
	else
		fprintf(out, "%.0f", figure.mean);
	fprintf(out, "%s%s%s%s", sep, sep, report->events->event[i].name, sep);
	print_deviation(out, report, &figure);
	fprintf(out, "%s100.00%s", sep, sep);
	if (derived.unit)
		fprintf(out, "%.3f%s%s\n", derived.value, sep, derived.unit);
	else
		fprintf(out, "%s\n", sep);
}

static void print_time(FILE *out, const struct report *report, enum run_time which,
		       const char *name, const char *sep)
{
	const struct figure figure = figure_of_time(report, which);

	fprintf(out, "%.9f%ss%s%s%s", figure.mean, sep, sep, name, sep);
	print_deviation(out, report, &figure);
	fprintf(out, "%s%s%s\n", sep, sep, sep);
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
