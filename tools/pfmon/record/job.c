// SPDX-License-Identifier: GPL-2.0
/* From the options of a recording to its plan; and a recording from its beginning to its end. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "data/format.h"
#include "events/assign.h"
#include "events/list.h"
#include "explain.h"
#include "nanoseconds.h"
#include "pmu/branches.h"
#include "pmu/software.h"
#include "record/attached.h"
#include "record/command.h"
#include "record/job.h"
#include "record/periods.h"
#include "record/recorder.h"
#include "run/child.h"
#include "run/loop.h"

/*
 * With a buffer of the first size, the time for emptying is small beside that for filling. There
 * may be hundreds of threads, each with a buffer of its own: those have the second size.
 */
#define LARGE_BUFFER	(1UL << 20)
#define BUFFER_OF_MANY	(1UL << 16)
#define TABLE_OF_MANY	(1UL << 18)	/* of the format hist, which does not empty it */

static bool add_events(struct record_job *job, const struct strings *lists,
		       enum software_use use, struct problem *why)
{
	size_t i;

	job->rights.use = use;
	for (i = 0; i < lists->n; i++)
		if (!events_add(&job->events, &job->pmu, &job->rights, lists->text[i], why))
			return false;
	return true;
}

/* Values come from the counters that are active at the sample: so all counters are in one set. */
static bool choose_values(struct record_job *job, struct problem *why)
{
	struct sampling *sampling = &job->options.sampling;
	size_t n;

	if (!sampling->nsampled)
		return problem(why, "--with: values come with samples of the PMU's events, and %s is the kernel's",
			       job->kernel.events.event[0].name);
	if (!add_events(job, &job->options.values, SOFTWARE_VALUE, why) ||
	    !kernel_values_take(&job->values, &job->events, sampling->nsampled, &job->pmu, why))
		return false;
	n = job->events.n - sampling->nsampled + job->values.n;
	if (n > PROFILE_MAX_WORDS)
		return problem(why, "--with: %zu events are too many, %d values can come with a sample",
			       n, PROFILE_MAX_WORDS);
	return assign_counters(&job->events, &job->pmu, why);
}

static bool is_ibs(const struct record_job *job)
{
	const struct strings *events = &job->options.events;
	size_t i;

	for (i = 0; i < events->n; i++)
		if (!strncasecmp(events->text[i], "ibs_", 4))
			return true;
	return false;
}

/* Counters only: the unit's registers must be the last values of a sample. */
static bool choose_ibs_values(struct record_job *job, const char *name, struct problem *why)
{
	struct events *events = &job->events;
	struct problem no_names;
	size_t i;

	pmu_find_names(&job->pmu, &no_names);
	if (!add_events(job, &job->options.values, SOFTWARE_VALUE, why))
		return false;
	for (i = 0; i < events->n; i++)
		if (events->event[i].software)
			return problem(why, "--with %s: with samples of %s come registers of its unit and counters of the PMU, and no counts of the kernel's",
				       events->event[i].name, name);
	if (events->n + job->ibs.n > PROFILE_MAX_WORDS)
		return problem(why, "--with: %zu events are too many, %zu values can come with a sample of %s",
			       events->n, PROFILE_MAX_WORDS - job->ibs.n, name);
	return assign_counters(events, &job->pmu, why);
}

/* Refuse options for features that the unit lacks. */
static bool check_ibs(const struct record_options *options, const char *name, struct problem *why)
{
	const struct sampling *sampling = &options->sampling;

	if (options->events.n > 1 || options->branches || strchr(name, ','))
		return problem(why, "-e %s: it is sampled alone, without other events and -b", name);
	if (options->chains)
		return problem(why, "-e %s: it is sampled without -g: its sample is at an instruction before the interrupt, and a chain begins at that",
			       name);
	if (sampling->format == SAMPLING_HIST)
		return problem(why, "-e %s: it is sampled without --format hist, which keeps no registers",
			       name);
	if (sampling->format == SAMPLING_IBS && options->values.n)
		return problem(why, "--with and --format ibs: its samples have the fields of %s, and no other values; other formats have both",
			       name);
	if (sampling->hz) {
		problem(why, "-e %s: -F adapts the period of a counter, and the unit keeps its own", name);
		return problem_hint(why, "Choose one with -c, such as 100k.");
	}
	if (sampling->random_mask)
		return problem(why, "-e %s: --random is of a counter's period; of ibs_fetch the unit itself varies the lowest bits",
			       name);
	if (sampling->long_period || options->nperiods > 1)
		return problem(why, "-e %s: its unit has one period: give one with -c, and no --long-period",
			       name);
	return true;
}

static bool choose_ibs(struct record_job *job, struct problem *why)
{
	const struct record_options *options = &job->options;
	const char *name = options->events.text[0];

	if (!check_ibs(options, name, why) ||
	    !ibs_find(&job->pmu, name, options->period[0], &job->ibs, why))
		return false;
	if (job->rights.levels != LEVEL_ALL) {
		problem(why, "event %s: this user may not sample at kernel level", name);
		return problem_hint(why, "It has no filter by level, and shows physical addresses.\n%s",
				    kernel_level_hint());
	}
	if (options->sampling.format == SAMPLING_IBS)
		ibs_decode(&job->ibs);
	job->options.sampling.nsampled = 1;
	job->period = xcalloc(1, sizeof(*job->period));
	job->period[0] = job->ibs.of;
	return choose_ibs_values(job, name, why);
}

/* perf_events has one period for an event, and a clock's timer a shortest one. */
static bool check_kernel_event(const struct record_options *options, const struct event *event,
			       uint64_t period, struct problem *why)
{
	const struct sampling *sampling = &options->sampling;

	if (sampling->random_mask || sampling->long_period) {
		problem(why, "event %s: perf_events samples it, always with the same period", event->name);
		return problem_hint(why, "Leave out --random and --long-period, which are for the events of the PMU.");
	}
	if (event->kind != KIND_CLOCK || period >= SOFTWARE_SHORTEST_NS)
		return true;
	problem(why, "event %s: the kernel samples it each %d ns at most", event->name,
		SOFTWARE_SHORTEST_NS);
	return problem_hint(why, "That is -c 10k, or -F 100k.");
}

/* Without -c each event is a sample, as these events are rare; a clock has a period in any case. */
static uint64_t kernel_event_period(const struct record_options *options,
				    const struct event *event, uint64_t period)
{
	if (event->kind == KIND_CLOCK)
		return options->sampling.hz ? NSEC_PER_SEC / options->sampling.hz : period;
	return options->usual_period ? 1 : period;
}

/*
 * Each event gets its period, and the kernel's events get a list of their own: perf_events samples
 * them, and they are in no event set.
 */
static bool sort_events(struct record_job *job, struct problem *why)
{
	const struct record_options *options = &job->options;
	struct kernel_sampling *kernel = &job->kernel;
	struct events *events = &job->events;
	size_t n = 0, i;
	bool ok = true;

	job->period = xcalloc(events->n, sizeof(*job->period));
	kernel->period = xcalloc(events->n, sizeof(*kernel->period));
	for (i = 0; i < events->n; i++) {
		struct event *event = &events->event[i];
		uint64_t period = options->period[i < options->nperiods ? i : options->nperiods - 1];

		if (!event->software) {
			job->period[n] = period;
			events->event[n++] = *event;
			continue;
		}
		period = kernel_event_period(options, event, period);
		kernel->period[kernel->events.n] = period;
		ok = ok && check_kernel_event(options, event, period, why);
		events_begin_group(&kernel->events, false);
		events_append(&kernel->events, event);
	}
	events->n = n;
	return ok;
}

static bool check_events(const struct record_job *job, struct problem *why)
{
	const struct record_options *options = &job->options;
	const size_t n = job->events.n;

	if (!n)
		return problem(why, "-e %s: this value makes no counter count", options->events.text[0]);
	if (options->nperiods > n)
		return problem(why, "-c has %zu periods, and there %s %zu event%s", options->nperiods,
			       n == 1 ? "is" : "are", n, PLURAL(n));
	return true;
}

/* perf_events has the kernel's events follow the program; without others no counter has to. */
static void hand_on_frequency(struct record_job *job)
{
	job->kernel.hz = job->options.sampling.hz;
	if (!job->events.n)
		job->options.sampling.hz = 0;
}

static bool choose_events(struct record_job *job, struct problem *why)
{
	struct record_options *options = &job->options;
	struct problem no_names;

	if (is_ibs(job))
		return choose_ibs(job, why);
	if (options->sampling.format == SAMPLING_IBS) {
		problem(why, "--format ibs: it decodes samples of AMD's Instruction-Based Sampling, and of no other events");
		return problem_hint(why, "-e ibs_op or -e ibs_fetch asks for them.");
	}
	if (!options->events.n)
		strings_add(&options->events, xstrdup(job->pmu.arch->default_sample_event));
	pmu_find_names(&job->pmu, &no_names); /* a raw value needs none */
	if (!add_events(job, &options->events, SOFTWARE_SAMPLE, why) || !check_events(job, why) ||
	    !sort_events(job, why))
		return false;
	hand_on_frequency(job);
	options->sampling.nsampled = job->events.n;
	if (options->values.n)
		return choose_values(job, why);
	return assign_sets(&job->events, &job->pmu, why);
}

static void choose_chain_parts(struct record_job *job)
{
	struct sampling *sampling = &job->options.sampling;

	sampling->chain_parts = sampling_chain_parts(&job->events, sampling->nsampled);
	job->kernel.chain_parts = PFM_STACK_SMPL_USER | PFM_STACK_SMPL_KERNEL;
	job->kernel.depth = sampling->depth;
}

static void plan_sampling(struct record_job *job)
{
	const struct record_options *options = &job->options;
	struct sampling *sampling = &job->options.sampling;
	const bool many = options->target.kind == RECORD_PROCESSES ||
			  (options->target.kind == RECORD_COMMAND && !options->target.choice.first_only);
	const uint64_t usual = many ? BUFFER_OF_MANY : LARGE_BUFFER;

	plan_make(&job->plan, &job->events, &job->pmu);
	if (job->ibs.n) {
		ibs_plan(&job->plan, sampling, &job->ibs);
		ibs_event(&job->events, &job->ibs, options->events.text[0]);
	}
	job->plan.timeout_ns = options->switch_ns;
	if (options->chains)
		choose_chain_parts(job);
	sampling->plan = &job->plan;
	sampling->period = job->period;
	sampling->largest_buffer = usual;
	if (many && sampling->format == SAMPLING_HIST)
		sampling->largest_buffer = TABLE_OF_MANY;
	job->kernel.buffer = sampling->buffer ?: usual;
	job->kernel.shares = sampling->buffer == SAMPLER_DEFAULT_BUFFER;
	job->kernel.system_wide = sampling->system_wide;
}

/* Branches that end at the levels of the events; the kernel decides which branches are secret. */
static bool add_branches(struct record_job *job, struct problem *why)
{
	struct sampling *sampling = &job->options.sampling;
	struct branch_registers branches;
	unsigned int levels = 0;
	size_t i;

	if (!sampling->nsampled)
		return problem(why, "-b: branches come with samples of the PMU's events, and %s is the kernel's",
			       job->kernel.events.event[0].name);
	for (i = 0; i < sampling->nsampled; i++)
		levels |= job->events.event[i].levels;
	if (!branches_find(&job->pmu, levels, &branches, why))
		return false;
	for (i = 0; i < branches.npmcs; i++)
		plan_add(&job->plan, branches.pmc[i].num, branches.pmc[i].value);
	if (sampling->format == SAMPLING_BRANCH) {
		sampling->branch_depth = branches.n;
		return true;
	}
	job->extra = xcalloc(2 * branches.n + job->values.n, sizeof(*job->extra));
	memcpy(job->extra, branches.from, branches.n * sizeof(*job->extra));
	memcpy(job->extra + branches.n, branches.to, branches.n * sizeof(*job->extra));
	sampling->extra = job->extra;
	sampling->nextra = 2 * branches.n;
	sampling->nbranches = branches.n;
	return true;
}

/* The values come behind the branches, if any: virtual PMDs have the highest numbers. */
static void add_kernel_values(struct record_job *job)
{
	struct sampling *sampling = &job->options.sampling;
	const struct kernel_values *values = &job->values;

	if (!values->n)
		return;
	if (!job->extra)
		job->extra = xcalloc(values->n, sizeof(*job->extra));
	memcpy(job->extra + sampling->nextra, values->pmd, values->n * sizeof(*job->extra));
	sampling->extra = job->extra;
	sampling->extra_name = values->name;
	sampling->nextra += values->n;
	sampling->ncounts = values->n;
}

/* Keep the sampled target on the requested cores of a hybrid processor. */
static bool choose_cores(struct record_job *job, struct problem *why)
{
	struct record_target *target = &job->options.target;
	const enum core_types_target kind =
		target->kind == RECORD_COMMAND ? CORE_TYPES_COMMAND :
		target->kind == RECORD_CPUS    ? CORE_TYPES_CPUS :
						 CORE_TYPES_RUNNING;

	return !target->core_type ||
	       core_types_keep(&job->pmu.cores, target->core_type, kind, target->cpus,
			       &target->ncpus, why);
}

bool record_prepare(struct record_job *job, struct problem *why)
{
	const bool system_wide = job->options.sampling.system_wide;

	if (!pmu_read(&job->pmu, why) || !choose_cores(job, why) ||
	    !rights_ask(&job->rights, &job->pmu, system_wide, why) || !choose_events(job, why))
		return false;
	plan_sampling(job);
	if (job->options.branches && !add_branches(job, why))
		return false;
	add_kernel_values(job);
	if (!periods_check(&job->options.sampling, &job->events, &job->pmu, why) ||
	    !plan_try(&job->plan, system_wide, why))
		return false;
	loop_setup();
	child_raise_file_limit();
	return true;
}

static bool run(struct record_job *job, struct recorder *r, struct record_result *result,
		struct problem *why)
{
	const struct record_target *target = &job->options.target;

	if (job->events.lowered)
		strings_add(&r->notes,
			    xasprintf("sampled at user level only (:u): kernel level needs CAP_PERFMON or kernel.perf_event_paranoid below 2, it is %d",
				      paranoid_level()));
	if (target->kind == RECORD_COMMAND)
		return record_command(r, target, result, why);
	return record_attached(r, target, result, why);
}

bool record_run(struct record_job *job, struct recorder *r, struct record_result *result,
		struct problem *why)
{
	const struct recording_about about = {
		.output = job->options.output,
		.compress = job->options.compress,
		.command = job->options.target.command,
		.pmu = &job->pmu,
		.events = &job->events,
		.sampling = &job->options.sampling,
		.kernel = &job->kernel,
		.flush_ns = job->flush_ns,
	};
	bool ok;

	result->status = EXIT_PFMON;
	if (!recorder_open(r, &about, job->options.target.delay_ms, why))
		return false;
	ok = run(job, r, result, why);
	if (r->begun && !recorder_finish(r, result->status, result->interrupted, why)) {
		ok = false;
		result->status = EXIT_PFMON;
	}
	return ok;
}

void record_job_free(struct record_job *job)
{
	plan_free(&job->plan);
	free(job->period);
	free(job->extra);
	free(job->kernel.period);
	events_free(&job->kernel.events);
	events_free(&job->events);
	pmu_free(&job->pmu);
	record_options_free(&job->options);
}
