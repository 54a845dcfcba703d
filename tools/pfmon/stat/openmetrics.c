// SPDX-License-Identifier: GPL-2.0
/*
 * The counters only rise while pfmon runs. Scaled estimates may fall, so they are gauges. The file
 * is written under another name beside its place, and renamed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stat/openmetrics.h"

static void print_label(FILE *out, const char *key, const char *value)
{
	fprintf(out, "%s=\"", key);
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", out);
		else if (*value == '"' || *value == '\\')
			fprintf(out, "\\%c", *value);
		else
			fputc(*value, out);
	}
	fputc('"', out);
}

/* The event, with the unit if it is no number of events: collectors would sum up both. */
static void print_event(FILE *out, const struct event *event)
{
	print_label(out, "event", event->name);
	if (event->kind == KIND_CLOCK)
		fputs(",unit=\"ns\"", out);
}

/* The labels that a thread or CPU adds to an event's. */
static void print_part(FILE *out, const struct report *report, const struct part *part)
{
	if (report->target->kind == TARGET_CPUS) {
		fprintf(out, ",cpu=\"%d\"", (int)part->id);
		return;
	}
	fprintf(out, ",tid=\"%d\",", (int)part->id);
	print_label(out, "comm", part->name);
}

static void print_count(FILE *out, const struct report *report, const struct part *part,
			size_t event, uint64_t count)
{
	fputs("pfmon_events_total{", out);
	print_event(out, &report->events->event[event]);
	if (part)
		print_part(out, report, part);
	fprintf(out, "} %llu\n", (unsigned long long)count);
}

/* Each thread or CPU, or all together: each count must be there once, as collectors sum up. */
static void print_counts(FILE *out, const struct report *report, const struct parts *parts)
{
	size_t i, k;

	fputs("# TYPE pfmon_events counter\n"
	      "# HELP pfmon_events Events as they were read, while their set was active.\n", out);
	for (k = 0; report->target->each && k < parts->n; k++)
		for (i = 0; i < report->events->n; i++)
			print_count(out, report, parts->part[k], i, parts->part[k]->last.count[i]);
	for (i = 0; !report->target->each && i < report->events->n; i++)
		print_count(out, report, NULL, i, report->runs[report->nruns - 1].count[i]);
}

static void print_gauges(FILE *out, const struct report *report)
{
	size_t i;

	fputs("# TYPE pfmon_events_estimate gauge\n"
	      "# HELP pfmon_events_estimate Events, scaled up to the whole time.\n", out);
	for (i = 0; i < report->events->n; i++) {
		fputs("pfmon_events_estimate{", out);
		print_event(out, &report->events->event[i]);
		fprintf(out, "} %llu\n",
			(unsigned long long)report->runs[report->nruns - 1].scaled[i]);
	}
	for (i = 0; i < report->metrics->n; i++) {
		const double value = value_of_metric(report, i);

		if (!i)
			fputs("# TYPE pfmon_metric gauge\n", out);
		fputs("pfmon_metric{", out);
		print_label(out, "metric", report->metrics->metric[i].name);
		fputc(',', out);
		print_label(out, "unit", report->metrics->metric[i].unit);
		if (isfinite(value))
			fprintf(out, "} %.6f\n", value);
		else
			fputs("} NaN\n", out);
	}
	fputs("# TYPE pfmon_elapsed_seconds gauge\n# UNIT pfmon_elapsed_seconds seconds\n", out);
	fprintf(out, "pfmon_elapsed_seconds %.9f\n", report->runs[report->nruns - 1].elapsed);
}

bool openmetrics_write(const char *path, const struct report *report, const struct parts *parts)
{
	char *beside = xasprintf("%s.%d.tmp", path, (int)getpid());
	FILE *out = fopen(beside, "we");
	int error = errno;
	bool ok;

	if (!out) {
		free(beside);
		errno = error;
		return false;
	}
	print_counts(out, report, parts);
	print_gauges(out, report);
	fputs("# EOF\n", out);
	ok = !ferror(out);
	ok = !fclose(out) && ok && !rename(beside, path);
	error = errno;
	if (!ok)
		unlink(beside);
	free(beside);
	errno = error;
	return ok;
}
