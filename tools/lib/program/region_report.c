// SPDX-License-Identifier: GPL-2.0
/* The report of regions, as text or as JSON. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "program/region_report.h"

#define WIDTH	15	/* of a column of figures, at least */

void region_complain(const struct problem *why)
{
	fprintf(stderr, "%s: regions are not counted: %s\n", program_invocation_short_name,
		why->what);
	if (why->hint[0])
		fprintf(stderr, "%s\n", why->hint);
}

static void read_comm(pid_t tid, char *comm, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", (int)tid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(comm, (int)size, file))
		comm[strcspn(comm, "\n")] = '\0';
	fclose(file);
}

void region_report_keep(struct region_report *report, pid_t tid, const struct region *root,
			size_t n)
{
	struct region_thread *thread = xcalloc(1, sizeof(*thread));

	thread->tid = tid;
	read_comm(tid, thread->comm, sizeof(thread->comm));
	regions_add(&thread->root, root, n);
	if (report->last)
		report->last->next = thread;
	else
		report->first = thread;
	report->last = thread;
}

void region_report_clear(struct region_report *report)
{
	struct region_thread *thread;

	while ((thread = report->first)) {
		report->first = thread->next;
		regions_free(&thread->root);
		free(thread);
	}
	regions_free(&report->root);
	memset(report, 0, sizeof(*report));
}

static int width(const char *name)
{
	const size_t length = strlen(name);

	return length > WIDTH ? (int)length : WIDTH;
}

static void text_regions(FILE *out, const struct region_report *report,
			 const struct region *parent, int depth)
{
	const struct region *region;
	size_t i;

	for (region = parent->child; region; region = region->next) {
		fprintf(out, "%10" PRIu64 " %7" PRIu64, region->calls, region->threads);
		for (i = 0; i < perfmon_events_count(report->events); i++)
			fprintf(out, " %*" PRIu64, width(perfmon_events_name(report->events, i)),
				region->sum[i]);
		fprintf(out, "  %*s%s\n", 2 * depth, "", region->name);
		text_regions(out, report, region, depth + 1);
	}
}

static void text_note(FILE *out, const char *what, uint64_t n, const char *so)
{
	if (n)
		fprintf(out, "# %s: %" PRIu64 "%s\n", what, n, so);
}

static void text_threads(FILE *out, const struct region_report *report)
{
	const struct region_thread *thread;

	for (thread = report->first; thread; thread = thread->next) {
		fprintf(out, "# thread %d, %s\n", (int)thread->tid, thread->comm);
		text_regions(out, report, &thread->root, 0);
	}
}

static void text(FILE *out, const struct region_report *report)
{
	size_t i;

	fprintf(out, "# regions of %s, process %d, %" PRIu64 " thread%s\n",
		program_invocation_short_name, (int)getpid(), report->threads,
		report->threads == 1 ? "" : "s");
	text_note(out, "threads without counters", report->uncounted,
		  ", whose regions are missing");
	text_note(out, "regions still open", report->open, ", which are not counted");
	text_note(out, "ends of a region that was not open", report->stray, "");
	fprintf(out, "#%9s %7s", "calls", "threads");
	for (i = 0; i < perfmon_events_count(report->events); i++)
		fprintf(out, " %*s", WIDTH, perfmon_events_name(report->events, i));
	fputs("  region\n", out);
	text_regions(out, report, &report->root, 0);
	text_threads(out, report);
}

static void json_regions(struct json *json, const struct region_report *report,
			 const struct region *parent)
{
	const struct region *region;
	size_t i;

	json_array(json, "regions");
	for (region = parent->child; region; region = region->next) {
		json_object(json, NULL);
		json_string(json, "name", region->name);
		json_u64(json, "calls", region->calls);
		json_u64(json, "threads", region->threads);
		json_array(json, "counts");
		for (i = 0; i < perfmon_events_count(report->events); i++)
			json_u64(json, NULL, region->sum[i]);
		json_end(json);
		if (region->child)
			json_regions(json, report, region);
		json_end(json);
	}
	json_end(json);
}

static void json_threads(struct json *json, const struct region_report *report)
{
	const struct region_thread *thread;

	if (!report->per_thread)
		return;
	json_array(json, "per_thread");
	for (thread = report->first; thread; thread = thread->next) {
		json_object(json, NULL);
		json_int(json, "tid", thread->tid);
		json_string(json, "comm", thread->comm);
		json_regions(json, report, &thread->root);
		json_end(json);
	}
	json_end(json);
}

static void in_json(FILE *out, const struct region_report *report)
{
	struct json json = { .out = out };
	size_t i;

	json_object(&json, NULL);
	json_string(&json, "command", program_invocation_name);
	json_int(&json, "pid", getpid());
	json_u64(&json, "threads", report->threads);
	json_u64(&json, "threads_uncounted", report->uncounted);
	json_u64(&json, "regions_open", report->open);
	json_u64(&json, "stray_ends", report->stray);
	json_array(&json, "events");
	for (i = 0; i < perfmon_events_count(report->events); i++)
		json_string(&json, NULL, perfmon_events_name(report->events, i));
	json_end(&json);
	json_regions(&json, report, &report->root);
	json_threads(&json, report);
	json_end(&json);
}

/* "%p" is the process's number; *@is_json: by the ending. */
static char *file_name(const char *name, bool forked, bool *is_json)
{
	const char *place = strstr(name, "%p"), *ending = strrchr(name, '.');

	*is_json = ending && !strcmp(ending, ".json");
	if (place)
		return xasprintf("%.*s%d%s", (int)(place - name), name, (int)getpid(), place + 2);
	if (forked)
		return xasprintf("%s.%d", name, (int)getpid());
	return xstrdup(name);
}

void region_report_write(const struct region_report *report, const char *name, bool forked)
{
	const bool to_stderr = !strcmp(name, "-");
	bool is_json, ok;
	char *path;
	FILE *out;

	path = file_name(name, forked && !to_stderr, &is_json);
	out = to_stderr ? stderr : fopen(path, "we");
	ok = out != NULL;
	if (ok) {
		(is_json ? in_json : text)(out, report);
		ok = !ferror(out) && !fflush(out);
		if (!to_stderr && fclose(out))
			ok = false;
	}
	if (!ok)
		fprintf(stderr, "%s: the report of regions, %s: %s\n",
			program_invocation_short_name, path, strerror(errno));
	free(path);
}
