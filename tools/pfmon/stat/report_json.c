// SPDX-License-Identifier: GPL-2.0
/* One JSON object. pfmon-stat(1) documents the keys. */
#include "json.h"
#include "stat/report.h"

#define FORMAT_VERSION	1	/* raised when a key changes its meaning or goes away */

/* A single one also has a key of its own. */
static void print_ids(struct json *json, const char *one, const char *all, const struct ids *ids)
{
	size_t i;

	if (ids->n == 1)
		json_int(json, one, ids->id[0]);
	json_array(json, all);
	for (i = 0; i < ids->n; i++)
		json_int(json, NULL, ids->id[i]);
	json_end(json);
}

static void print_target(struct json *json, const struct target *target)
{
	static const char *const kinds[] = {
		[TARGET_COMMAND] = "command", [TARGET_PROCESS] = "process",
		[TARGET_THREAD] = "thread", [TARGET_CPUS] = "cpus",
		[TARGET_CGROUP] = "cgroup",
	};
	char **arg;
	size_t i;

	json_object(json, "target");
	json_string(json, "kind", kinds[target->kind]);
	if (target->kind == TARGET_PROCESS)
		print_ids(json, "pid", "pids", &target->ids);
	if (target->kind == TARGET_THREAD)
		print_ids(json, "tid", "tids", &target->ids);
	if (target->kind == TARGET_CGROUP)
		json_string(json, "cgroup", target->cgroup);
	if (target->kind == TARGET_CPUS) {
		json_array(json, "cpus");
		for (i = 0; i < target->ncpus; i++)
			json_u64(json, NULL, target->cpus[i]);
		json_end(json);
	}
	if (target->command) {
		json_array(json, "command");
		for (arg = target->command; *arg; arg++)
			json_string(json, NULL, *arg);
		json_end(json);
	}
	json_end(json);
}

/* A sum of one run is whole; a double would round large ones. */
static void print_count(struct json *json, const char *key, const struct report *report,
			uint64_t count, const struct figure *figure)
{
	if (!figure->n)
		json_null(json, key);
	else if (report->nruns == 1)
		json_u64(json, key, count);
	else
		json_double(json, key, figure->mean, 3);
}

/* The count of each run, as shown or as it was read; null where there is none. */
static void print_counts(struct json *json, const char *key, const struct report *report,
			 size_t i, bool raw)
{
	size_t run;

	json_array(json, key);
	for (run = 0; run < report->nruns; run++) {
		if (!is_counted(report, run, i))
			json_null(json, NULL);
		else
			json_u64(json, NULL, raw ? report->runs[run].count[i] :
						   count_of_run(report, run, i));
	}
	json_end(json);
}

/* The unit of the count; null: it is a number of events. */
static void print_unit(struct json *json, const struct event *event)
{
	if (event->kind == KIND_CLOCK)
		json_string(json, "unit", "ns");
	else
		json_null(json, "unit");
}

/* The registers of an event of the PMU. */
static void print_place(struct json *json, const struct report *report,
			const struct event *event)
{
	if (event->software) {
		json_null(json, "pmd");
		json_null(json, "set");
		return;
	}
	json_u64(json, "pmd", report->pmu->counters[event->counter].pmd);
	json_u64(json, "set", event->set);
}

static void print_derived(struct json *json, const struct derived *derived)
{
	if (!derived->unit) {
		json_null(json, "derived");
		return;
	}
	json_object(json, "derived");
	json_double(json, "value", derived->value, 6);
	json_string(json, "unit", derived->unit);
	json_end(json);
}

static void print_event(struct json *json, const struct report *report, size_t i)
{
	const struct event *event = &report->events->event[i];
	const struct figure figure = figure_of_event(report, i);
	const struct figure raw = figure_of_raw_count(report, i);
	const struct derived derived = derive(report, i);

	json_object(json, NULL);
	json_string(json, "event", event->name);
	json_string(json, "encoded", event->full);
	print_place(json, report, event);
	json_bool(json, "user", event->levels & LEVEL_USER);
	json_bool(json, "kernel", event->levels & LEVEL_KERNEL);
	print_count(json, "count", report, count_of_run(report, 0, i), &figure);
	print_unit(json, event);
	json_double(json, "deviation_percent", figure.percent, 4);
	json_double(json, "share_percent", 100 * share_of_event(report, i), 2);
	json_bool(json, "scaled", is_scaled(report, i));
	if (uncertainty(report, i) < 0)
		json_null(json, "uncertainty_percent");
	else
		json_double(json, "uncertainty_percent", uncertainty(report, i), 4);
	print_count(json, "raw_count", report, report->runs[0].count[i], &raw);
	print_counts(json, "counts", report, i, false);
	print_counts(json, "raw_counts", report, i, true);
	print_derived(json, &derived);
	if (report->baseline)
		json_double(json, "change_percent", change_of_event(report, i), 4);
	json_end(json);
}

/* The metrics; nothing without -M. */
static void print_metrics(struct json *json, const struct report *report)
{
	size_t i;

	if (!report->metrics->n)
		return;
	json_array(json, "metrics");
	for (i = 0; i < report->metrics->n; i++) {
		json_object(json, NULL);
		json_string(json, "metric", report->metrics->metric[i].name);
		json_double(json, "value", value_of_metric(report, i), 6);
		json_string(json, "unit", report->metrics->metric[i].unit);
		json_end(json);
	}
	json_end(json);
}

/* The sets that take turns, over all runs; an empty array if there is only one. */
static void print_sets(struct json *json, const struct report *report)
{
	const unsigned int n = report_has_turns(report) ? report->plan->nsets : 0;
	uint64_t ns, turns;
	unsigned int set;
	size_t run;

	json_array(json, "sets");
	for (set = 0; set < n; set++) {
		ns = turns = 0;
		for (run = 0; run < report->nruns; run++) {
			ns += report->runs[run].set[set].active_ns;
			turns += report->runs[run].set[set].turns;
		}
		json_object(json, NULL);
		json_u64(json, "set", set);
		json_double(json, "active_seconds", (double)ns * 1e-9, 9);
		json_u64(json, "turns", turns);
		json_end(json);
	}
	json_end(json);
	if (n)
		json_double(json, "switch_timeout_ms", (double)report->plan->timeout_ns * 1e-6, 6);
	else
		json_null(json, "switch_timeout_ms");
}

static void print_time(struct json *json, const struct report *report, enum run_time which,
		       const char *key)
{
	if (which != TIME_ELAPSED && !has_cpu_times(report))
		json_null(json, key);
	else
		json_double(json, key, figure_of_time(report, which).mean, 9);
}

/* The sum over all runs. */
static uint64_t suspended_ns(const struct report *report)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < report->nruns; i++)
		sum += report->runs[i].parts.suspended_ns;
	return sum;
}

/* The figures of a slice: the keys of an event that have a meaning there. */
static void print_slice_events(struct json *json, const struct report *report)
{
	size_t i;

	json_array(json, "events");
	for (i = 0; i < report->events->n; i++) {
		const struct figure figure = figure_of_event(report, i);
		const struct figure raw = figure_of_raw_count(report, i);
		const struct derived derived = derive(report, i);

		json_object(json, NULL);
		json_string(json, "event", report->events->event[i].name);
		print_count(json, "count", report, count_of_run(report, 0, i), &figure);
		print_unit(json, &report->events->event[i]);
		json_double(json, "share_percent", 100 * share_of_event(report, i), 2);
		json_bool(json, "scaled", is_scaled(report, i));
		print_count(json, "raw_count", report, report->runs[0].count[i], &raw);
		print_derived(json, &derived);
		json_end(json);
	}
	json_end(json);
	print_metrics(json, report);
}

static void print_part(struct json *json, const struct report *report, const struct part *part)
{
	if (report->target->kind == TARGET_CPUS) {
		json_int(json, "cpu", part->id);
		return;
	}
	json_int(json, "tid", part->id);
	json_string(json, "comm", part->name);
}

void report_json_slice(FILE *out, const struct report *report, const struct slice *slice)
{
	struct json json = { .out = out, .line = true };

	json_object(&json, NULL);
	json_double(&json, "interval_end_seconds", slice->time, 9);
	json_double(&json, "interval_seconds", report->runs[0].elapsed, 9);
	if (slice->part)
		print_part(&json, report, slice->part);
	print_slice_events(&json, report);
	json_end(&json);
}

static void print_part_slice(void *data, const struct report *one, const struct slice *slice)
{
	struct json *json = data;

	json_object(json, NULL);
	print_part(json, one, slice->part);
	print_slice_events(json, one);
	json_end(json);
}

/* Each thread or CPU of the first run. */
static void print_parts(struct json *json, const struct report *report)
{
	if (!report->target->each)
		return;
	json_array(json, report->target->kind == TARGET_CPUS ? "per_cpu" : "per_thread");
	report_each_part(report, json, print_part_slice);
	json_end(json);
}

void report_json(FILE *out, const struct report *report)
{
	struct json json = { .out = out, .line = report->target->interval_ms != 0 };
	size_t i;

	json_object(&json, NULL);
	json_u64(&json, "format", FORMAT_VERSION);
	print_target(&json, report->target);
	json_u64(&json, "runs", report->nruns);
	json_u64(&json, "sessions", report->runs[0].sessions);
	json_array(&json, "events");
	for (i = 0; i < report->events->n; i++)
		print_event(&json, report, i);
	json_end(&json);
	print_metrics(&json, report);
	print_parts(&json, report);
	print_sets(&json, report);
	print_time(&json, report, TIME_ELAPSED, "elapsed_seconds");
	json_double(&json, "elapsed_deviation_percent",
		    figure_of_time(report, TIME_ELAPSED).percent, 4);
	print_time(&json, report, TIME_USER, "user_seconds");
	print_time(&json, report, TIME_SYS, "system_seconds");
	json_double(&json, "suspended_seconds", (double)suspended_ns(report) * 1e-9, 9);
	json_int(&json, "status", report->status);
	json_bool(&json, "interrupted", report->runs[report->nruns - 1].interrupted);
	json_strings(&json, "notes", &report->notes);
	json_end(&json);
}
