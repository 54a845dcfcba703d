// SPDX-License-Identifier: GPL-2.0
/* pfmon stat: count events and print the sums. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/assign.h"
#include "events/list.h"
#include "explain.h"
#include "run/child.h"
#include "run/loop.h"
#include "stat/detail.h"
#include "stat/live.h"
#include "stat/measure.h"
#include "stat/options.h"
#include "stat/report.h"
#include "stat/report_classic.h"
#include "verbs.h"

/* An estimate with a larger standard error gets a note. */
#define WIDE_PERCENT	10
#define WIDE_NAMES	3

/* All data needed before the first run. */
struct job {
	struct stat_options	options;
	struct pmu		pmu;
	struct rights		rights;
	struct events		events;
	struct metrics		metrics;
	struct baseline		baseline;
	struct plan		plan;
};

/* A name with the separator in it would shift the fields. */
static bool check_separator(const struct job *job, struct problem *why)
{
	const char *separator = job->options.separator;
	size_t i;

	for (i = 0; separator && i < job->events.n; i++) {
		if (!strstr(job->events.event[i].name, separator))
			continue;
		problem(why, "-x %s: the separator occurs in the event name %s", separator,
			job->events.event[i].name);
		return problem_hint(why, "Take another one, such as ';' or '\\t'.");
	}
	return true;
}

static bool choose_usual(struct job *job, struct problem *why)
{
	struct problem no_names;

	if (!pmu_find_names(&job->pmu, &no_names)) {
		*why = no_names;
		return false;
	}
	if (!events_add_default(&job->events, &job->pmu, &job->rights, why))
		return false;
	detail_add(&job->events, &job->pmu, &job->rights, job->options.detail);
	return true;
}

static bool choose_events(struct job *job, struct problem *why)
{
	const struct strings *lists = &job->options.events, *groups = &job->options.metrics;
	struct problem no_names;
	size_t i;

	if (!lists->n && !groups->n && !choose_usual(job, why))
		return false;
	pmu_find_names(&job->pmu, &no_names);
	for (i = 0; i < lists->n; i++)
		if (!events_add(&job->events, &job->pmu, &job->rights, lists->text[i], why))
			return false;
	for (i = 0; i < groups->n; i++)
		if (!metrics_add(&job->metrics, groups->text[i], &job->events, &job->pmu,
				 &job->rights, why))
			return false;
	if (!job->events.n)
		return problem(why, "the registers given with -e control no counter: add an event");
	return assign_sets(&job->events, &job->pmu, why);
}

/* Keep the counted target on the requested cores of a hybrid processor. */
static bool choose_cores(struct job *job, struct problem *why)
{
	struct target *target = &job->options.target;
	const enum core_types_target kind =
		target->kind == TARGET_COMMAND ? CORE_TYPES_COMMAND :
		target->kind == TARGET_CPUS    ? CORE_TYPES_CPUS :
						 CORE_TYPES_RUNNING;

	if (!target->core_type)
		return true;
	target->all_cpus = false;
	return core_types_keep(&job->pmu.cores, target->core_type, kind, target->cpus,
			       &target->ncpus, why);
}

/* If this fails, nothing has started. */
static bool prepare(struct job *job, struct problem *why)
{
	const bool system_wide = job->options.target.kind == TARGET_CPUS;

	if (job->options.diff && !baseline_read(&job->baseline, job->options.diff, why))
		return false;
	if (!pmu_read(&job->pmu, why) || !choose_cores(job, why) ||
	    !rights_ask(&job->rights, &job->pmu, system_wide, why) ||
	    !choose_events(job, why) || !check_separator(job, why))
		return false;
	plan_make(&job->plan, &job->events, &job->pmu);
	job->plan.timeout_ns = job->options.switch_ns;
	if (!plan_try(&job->plan, system_wide, why))
		return false;
	loop_setup();
	child_raise_file_limit();
	return true;
}

/* A note on very uncertain estimates. */
static void add_uncertainty_note(const struct job *job, struct report *report)
{
	char names[400] = "";
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < job->events.n; i++) {
		const double error = uncertainty(report, i);

		if ((error < 0 || error > WIDE_PERCENT) && n++ < WIDE_NAMES)
			append(names, sizeof(names), "%s%s", n > 1 ? ", " : "",
			       job->events.event[i].name);
	}
	if (n > WIDE_NAMES)
		append(names, sizeof(names), " and %u more", n - WIDE_NAMES);
	if (n)
		strings_add(&report->notes,
			    xasprintf("uncertain by more than %d %% or unknown, as there were few turns, or few and long bursts in them: %s; count fewer events at a time, for longer, with -r, or with a shorter --switch-timeout",
				      WIDE_PERCENT, names));
}

/* The reader must know that the events were counted only a part of the time. */
static void add_set_notes(const struct job *job, struct report *report)
{
	const double asked_ms = (double)job->options.switch_ns * 1e-6;
	const double ms = (double)job->plan.timeout_ns * 1e-6;
	char asked[64] = "";
	size_t i;

	if (!report_has_turns(report))
		return;
	if (job->plan.timeout_ns != job->options.switch_ns)
		snprintf(asked, sizeof(asked), " (%.15g ms are not possible here)", asked_ms);
	strings_add(&report->notes,
		    xasprintf("the events take %u sets of counters, which are switched every %.15g ms%s: a count is %s the part of the time that is shown with it",
			      job->plan.nsets, ms, asked,
			      report->scale ? "scaled up from" : "that of"));
	add_uncertainty_note(job, report);
	for (i = 0; i < job->events.n; i++) {
		if (share_of_event(report, i) > 0)
			continue;
		strings_add(&report->notes,
			    xstrdup("what is not counted had no turn before the end: a shorter --switch-timeout can help, or -r, as each run begins with another set"));
		return;
	}
}

/* The mean includes failed runs. */
static void add_failure_note(struct report *report)
{
	size_t failed = 0, first = 0, i;

	for (i = 0; i < report->nruns; i++)
		if (report->runs[i].status && !failed++)
			first = i;
	if (report->nruns < 2 || !failed)
		return;
	strings_add(&report->notes,
		    xasprintf("%zu of %zu runs ended with a status other than 0, which may have done other things: first run %zu, with %d",
			      failed, report->nruns, first + 1, report->runs[first].status));
}

static void add_own_notes(const struct job *job, struct report *report)
{
	add_set_notes(job, report);
	if (job->events.lowered)
		strings_add(&report->notes,
			    xasprintf("counted at user level only (:u): kernel level needs CAP_PERFMON or kernel.perf_event_paranoid below 2, it is %d",
				      paranoid_level()));
	add_failure_note(report);
	if (report->nruns < report->asked)
		strings_add(&report->notes, xasprintf("interrupted after %zu of %zu runs",
						      report->nruns, report->asked));
}

static void print_report(const struct job *job, FILE *out, struct report *report)
{
	add_own_notes(job, report);
	report_collect_notes(report);
	fflush(stdout);
	if (job->options.json)
		report_json(out, report);
	else if (job->options.classic.wanted)
		report_classic(out, report, &job->options.classic);
	else if (job->options.separator)
		report_separated(out, report, job->options.separator);
	else
		report_text(out, report);
	strings_free(&report->notes);
}

/*
 * Run as often as requested. An interrupted run is the last one, and counts only if it is the only
 * one. The first status that is not 0 is pfmon's.
 */
static size_t run_all(const struct job *job, struct run *runs, struct live *live,
		      int *status, struct problem *why)
{
	const struct target *target = &job->options.target;
	size_t n = 0;

	why->what[0] = '\0';
	while (n < job->options.repeat) {
		struct run *run = &runs[n];
		bool ok;

		run->number = (unsigned int)n;
		run->watch = &live->watch;
		live_restart(live);
		ok = measure_once(target, &job->plan, run, why);
		if (ok) /* drop errors that the run has survived */
			why->what[0] = '\0';
		if (!*status)
			*status = run->status;
		if (!ok || (run->interrupted && n)) {
			run_free(run);
			break;
		}
		n++;
		if (run->interrupted)
			break;
	}
	return n;
}

static int measure(const struct job *job, FILE *out)
{
	struct run *runs = xcalloc(job->options.repeat, sizeof(*runs));
	struct report report = {
		.pmu = &job->pmu, .events = &job->events,
		.target = &job->options.target, .runs = runs,
		.metrics = &job->metrics,
		.baseline = job->options.diff ? &job->baseline : NULL,
		.asked = job->options.repeat, .plan = &job->plan,
		.scale = !job->options.no_scale,
	};
	struct problem why = { "", "" };
	struct live live;
	size_t i;

	live_begin(&live, out, &report, job->options.separator, job->options.json);
	live.openmetrics = job->options.openmetrics;
	report.nruns = run_all(job, runs, &live, &report.status, &why);
	if (report.nruns && !live_keep(&live, &report, &runs[report.nruns - 1].parts))
		report.status = EXIT_PFMON;
	live_free(&live);
	if (report.nruns)
		print_report(job, out, &report);
	if (why.what[0])
		problem_print(&why);
	for (i = 0; i < report.nruns; i++)
		run_free(&runs[i]);
	free(runs);
	return report.status;
}

static FILE *open_output(const struct stat_options *options)
{
	FILE *out;

	if (!options->output)
		return options->classic.wanted ? stdout : stderr;
	if (!strcmp(options->output, "-"))
		return stdout;
	out = fopen(options->output, options->append ? "ae" : "we");
	if (!out)
		complain("cannot write %s: %s", options->output, strerror(errno));
	return out;
}

/* False: a part of the output is lost. */
static bool close_output(FILE *out, const char *name)
{
	const bool standard = out == stderr || out == stdout;
	bool ok = !fflush(out) && !ferror(out);

	if (!standard && fclose(out))
		ok = false;
	if (!ok && out != stderr)
		complain("cannot write %s: %s", out == stdout ? "the standard output" : name,
			 strerror(errno));
	return ok;
}

static int run_stat(struct job *job)
{
	struct problem why = { "", "" };
	int status;
	FILE *out;

	if (!prepare(job, &why)) {
		problem_print(&why);
		return EXIT_PFMON;
	}
	out = open_output(&job->options);
	if (!out)
		return EXIT_PFMON;
	status = measure(job, out);
	return close_output(out, job->options.output) ? status : EXIT_PFMON;
}

int verb_stat(int argc, char **argv)
{
	struct job job;
	struct problem why = { "", "" };
	int status;
	bool help;

	memset(&job, 0, sizeof(job));
	if (!stat_options_read(&job.options, argc, argv, &help, &why)) {
		problem_print(&why);
		status = EXIT_PFMON;
	} else if (help) {
		fputs(stat_usage, stdout);
		status = 0;
	} else {
		status = run_stat(&job);
	}
	plan_free(&job.plan);
	metrics_free(&job.metrics);
	baseline_free(&job.baseline);
	events_free(&job.events);
	pmu_free(&job.pmu);
	stat_options_free(&job.options);
	return status;
}
