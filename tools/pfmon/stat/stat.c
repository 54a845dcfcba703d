// SPDX-License-Identifier: GPL-2.0
/* pfmon stat: count events and print the sums. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "events/assign.h"
#include "events/list.h"
#include "explain.h"
#include "run/child.h"
#include "run/loop.h"
#include "stat/measure.h"
#include "stat/options.h"
#include "stat/report.h"
#include "verbs.h"

/* All that is needed before the first run. */
struct job {
	struct stat_options	options;
	struct pmu		pmu;
	struct rights		rights;
	struct events		events;
	struct plan		plan;
};

/* Every thread takes a descriptor: use what the administrator allows. */
static void raise_file_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

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

static bool choose_events(struct job *job, struct problem *why)
{
	const struct strings *lists = &job->options.events;
	struct problem no_names;
	const bool named = pmu_find_names(&job->pmu, &no_names);
	size_t i;

	if (!lists->n) {
		if (!named) {
			*why = no_names;
			return false;
		}
		return events_add_default(&job->events, &job->pmu, &job->rights, why) &&
		       assign_counters(&job->events, &job->pmu, why);
	}
	for (i = 0; i < lists->n; i++)
		if (!events_add(&job->events, &job->pmu, &job->rights, lists->text[i], why))
			return false;
	if (!job->events.n)
		return problem(why, "the registers given with -e control no counter: add an event");
	return assign_sets(&job->events, &job->pmu, why);
}

/* Nothing has started when this fails. */
static bool prepare(struct job *job, struct problem *why)
{
	const bool system_wide = job->options.target.kind == TARGET_CPUS;

	if (!pmu_read(&job->pmu, why) ||
	    !rights_ask(&job->rights, &job->pmu, system_wide, why) ||
	    !choose_events(job, why) || !check_separator(job, why))
		return false;
	plan_make(&job->plan, &job->events, &job->pmu);
	job->plan.timeout_ns = job->options.switch_ns;
	if (!plan_try(&job->plan, system_wide, why))
		return false;
	child_remember_environment();
	loop_setup();
	raise_file_limit();
	return true;
}

/* That not everything was counted all the time has to be known of every figure. */
static void add_set_notes(const struct job *job, struct report *report)
{
	const double asked_ms = (double)job->options.switch_ns * 1e-6;
	const double ms = (double)job->plan.timeout_ns * 1e-6;
	char asked[64] = "";
	size_t i;

	if (!has_turns(report))
		return;
	if (job->plan.timeout_ns != job->options.switch_ns)
		snprintf(asked, sizeof(asked), " (%.15g ms are not possible here)", asked_ms);
	strings_add(&report->notes,
		    xasprintf("the events take %u sets of counters, which are switched every %.15g ms%s: a count is %s the part of the time that is shown with it",
			      job->plan.nsets, ms, asked,
			      report->scale ? "scaled up from" : "that of"));
	for (i = 0; i < job->events.n; i++) {
		if (share_of_event(report, i) > 0)
			continue;
		strings_add(&report->notes,
			    xstrdup("what is not counted had no turn before the end: a shorter --switch-timeout can help, or -r, as each run begins with another set"));
		return;
	}
}

static void add_own_notes(const struct job *job, struct report *report)
{
	add_set_notes(job, report);
	if (job->events.lowered)
		strings_add(&report->notes,
			    xasprintf("counted at user level only (:u): kernel level needs CAP_PERFMON or kernel.perf_event_paranoid below 2, it is %d",
				      paranoid_level()));
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
	else if (job->options.separator)
		report_separated(out, report, job->options.separator);
	else
		report_text(out, report);
	strings_free(&report->notes);
}

/*
 * Run as often as asked. A run that was interrupted is the last one, and counts only
 * when it is the only one. The first status that is not 0 is pfmon's.
 */
static size_t run_all(const struct job *job, struct run *runs, int *status,
		      struct problem *why)
{
	const struct target *target = &job->options.target;
	size_t n = 0;

	why->what[0] = '\0';
	while (n < job->options.repeat) {
		struct run *run = &runs[n];
		bool ok;

		run->turn = n ? runs[n - 1].turn : 0;
		ok = measure_once(target, &job->plan, run, why);
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
		.asked = job->options.repeat, .plan = &job->plan,
		.scale = !job->options.no_scale,
	};
	struct problem why = { "", "" };
	size_t i;

	report.nruns = run_all(job, runs, &report.status, &why);
	if (report.nruns)
		print_report(job, out, &report);
	if (why.what[0])
		problem_print(&why);
	for (i = 0; i < report.nruns; i++)
		run_free(&runs[i]);
	free(runs);
	return report.status;
}

static int run_stat(struct job *job)
{
	const char *name = job->options.output;
	FILE *out = stderr;
	struct problem why = { "", "" };
	int status;

	if (!prepare(job, &why)) {
		problem_print(&why);
		return EXIT_PFMON;
	}
	if (name) {
		out = fopen(name, "we");
		if (!out) {
			complain("cannot write %s: %s", name, strerror(errno));
			return EXIT_PFMON;
		}
	}
	status = measure(job, out);
	if (name && fclose(out)) {
		complain("cannot write %s: %s", name, strerror(errno));
		status = EXIT_PFMON;
	}
	return status;
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
	events_free(&job.events);
	pmu_free(&job.pmu);
	stat_options_free(&job.options);
	return status;
}
