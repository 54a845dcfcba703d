// SPDX-License-Identifier: GPL-2.0
/* pfmon record: sample a command into a file. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "events/assign.h"
#include "events/list.h"
#include "explain.h"
#include "record/command.h"
#include "run/child.h"
#include "run/loop.h"
#include "verbs.h"

struct record_options {
	const char	*event;
	const char	*output;
	char		**command;
	struct sampling	sampling;
};

static const char usage[] =
	"usage: pfmon record [OPTION...] [--] COMMAND [ARG...]\n"
	"Sample where the first thread of a command is, once in so many events.\n"
	"\n"
	"  -e, --event=EVENT          the event that is sampled (cycles; without a\n"
	"                             hardware PMU task-clock)\n"
	"  -c, --count=PERIOD         a sample each PERIOD events (1000000)\n"
	"      --random=MASK[:SEED]   vary the periods: less by a random number & MASK\n"
	"  -o, --output=FILE          the recording (pfmon.data)\n"
	"      --buffer=SIZE          bytes of the kernel's buffer; K or M may follow\n"
	"  -h, --help                 this text\n"
	"\n"
	"`pfmon report` shows the recording. See pfmon-record(1).\n";

enum { OPTION_RANDOM = CHAR_MAX + 1, OPTION_BUFFER };

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "count", required_argument, NULL, 'c' },
	{ "random", required_argument, NULL, OPTION_RANDOM },
	{ "output", required_argument, NULL, 'o' },
	{ "buffer", required_argument, NULL, OPTION_BUFFER },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static bool take_period(struct sampling *sampling, const char *text, struct problem *why)
{
	/* Half of the counter's range is left for what is counted until it is read. */
	if (parse_u64(text, &sampling->period) && sampling->period &&
	    sampling->period <= INT64_MAX)
		return true;
	return problem(why, "-c %s: a number from 1 on is wanted", text);
}

/* MASK, or MASK:SEED. */
static bool take_random(struct sampling *sampling, const char *text, struct problem *why)
{
	char *mask = xstrdup(text), *seed = strchr(mask, ':');
	uint64_t value = 1;
	bool ok;

	if (seed)
		*seed++ = '\0';
	ok = parse_u64(mask, &sampling->random_mask) && sampling->random_mask &&
	     (!seed || (parse_u64(seed, &value) && value <= UINT32_MAX));
	sampling->random_seed = (uint32_t)value;
	free(mask);
	return ok || problem(why, "--random %s: a mask is wanted, and a seed of 32 bits may follow: 0xff:1",
			     text);
}

static bool take_buffer(struct sampling *sampling, const char *text, struct problem *why)
{
	char *number = xstrdup(text);
	const size_t length = strlen(number);
	unsigned int shift = 0;
	bool ok;

	if (length && strchr("kKmM", number[length - 1])) {
		shift = strchr("kK", number[length - 1]) ? 10 : 20;
		number[length - 1] = '\0';
	}
	ok = parse_u64(number, &sampling->buffer) && sampling->buffer &&
	     sampling->buffer <= UINT32_MAX >> shift;
	sampling->buffer <<= shift;
	free(number);
	return ok || problem(why, "--buffer %s: a number of bytes is wanted, or one with K or M", text);
}

static bool take_option(void *data, int option, struct problem *why)
{
	struct record_options *options = data;

	switch (option) {
	case 'e':
		if (options->event) {
			problem(why, "-e is given twice");
			return problem_hint(why, "One event can be sampled at a time.");
		}
		options->event = optarg;
		return true;
	case 'c':
		return take_period(&options->sampling, optarg, why);
	case OPTION_RANDOM:
		return take_random(&options->sampling, optarg, why);
	case OPTION_BUFFER:
		return take_buffer(&options->sampling, optarg, why);
	case 'o':
		options->output = optarg;
		return *optarg || problem(why, "-o: the file has no name");
	default:
		return cmdline_unknown(why, "record");
	}
}

static bool check_options(const struct record_options *options, struct problem *why)
{
	const struct sampling *sampling = &options->sampling;

	if (!options->command) {
		problem(why, "there is nothing to sample: name a command");
		return cmdline_hint(why, "record");
	}
	if (sampling->random_mask >= sampling->period) {
		problem(why, "--random %#llx: the mask is not below the period, %llu",
			(unsigned long long)sampling->random_mask,
			(unsigned long long)sampling->period);
		return problem_hint(why, "Periods are shortened by as much as the mask, and nothing may be left of one.");
	}
	return true;
}

static const struct cmdline cmdline = {
	.letters = "+e:c:o:h", .names = long_options, .take = take_option,
};

static bool read_options(struct record_options *options, int argc, char **argv, bool *help,
			 struct problem *why)
{
	*options = (struct record_options){
		.output = "pfmon.data",
		.sampling.period = 1000000,
	};
	if (!cmdline_read(&cmdline, options, argc, argv, help, why))
		return false;
	if (*help)
		return true;
	if (optind < argc)
		options->command = &argv[optind];
	return check_options(options, why);
}

/* All that is needed before the command is started. */
struct job {
	struct record_options	options;
	struct pmu		pmu;
	struct rights		rights;
	struct events		events;
	struct plan		plan;
};

static bool choose_event(struct job *job, struct problem *why)
{
	struct problem no_names;

	if (!job->options.event)
		job->options.event = job->pmu.arch->default_sample_event;
	pmu_find_names(&job->pmu, &no_names); /* a raw value needs none */
	if (!events_add(&job->events, &job->pmu, &job->rights, job->options.event, why) ||
	    !assign_counters(&job->events, &job->pmu, why))
		return false;
	if (job->events.n == 1)
		return true;
	problem(why, "-e %s: %s", job->options.event,
		job->events.n ? "this is more than one event" : "this value makes no counter count");
	return problem_hint(why, "One event can be sampled at a time.");
}

static bool prepare(struct job *job, struct problem *why)
{
	if (!pmu_read(&job->pmu, why) || !rights_ask(&job->rights, &job->pmu, false, why) ||
	    !choose_event(job, why))
		return false;
	plan_make(&job->plan, &job->events, &job->pmu);
	job->options.sampling.plan = &job->plan;
	child_remember_environment();
	loop_setup();
	return true;
}

/* One line for the user at the terminal; the report says the rest. */
static void print_summary(const struct job *job, const struct record_result *result)
{
	const struct recording *recording = &result->recording;
	const struct ledger *ledger = &recording->ledger;
	char samples[40], lost[40], masked[40] = "";
	size_t i;

	with_thousands(recording->samples, samples, sizeof(samples));
	with_thousands(ledger->full + ledger->error + ledger->throttled, lost, sizeof(lost));
	/* A thread that waits for us runs in the kernel a little longer. */
	if (ledger->masked_ns >= 50000)
		snprintf(masked, sizeof(masked), ", masked for %.1f ms",
			 (double)ledger->masked_ns / 1e6);
	complain("%s sample%s of %s in %s, %s lost%s", samples, PLURAL(recording->samples),
		 job->events.event[0].name, job->options.output,
		 recording->has_ledger ? lost : "an unknown number", masked);
	for (i = 0; i < result->notes.n; i++)
		complain("note: %s", result->notes.text[i]);
}

static int record(struct job *job)
{
	struct record_result result;
	struct problem why;
	struct recording_about about;

	if (!prepare(job, &why)) {
		problem_print(&why);
		return EXIT_PFMON;
	}
	about = (struct recording_about){
		.output = job->options.output,
		.command = job->options.command,
		.pmu = &job->pmu,
		.event = &job->events.event[0],
		.sampling = &job->options.sampling,
	};
	memset(&result, 0, sizeof(result));
	if (job->events.lowered)
		strings_add(&result.notes,
			    xasprintf("sampled at user level only (:u): kernel level needs CAP_PERFMON or kernel.perf_event_paranoid below 2, it is %d",
				      paranoid_level()));
	if (record_command(&about, &result, &why))
		print_summary(job, &result);
	else
		problem_print(&why);
	strings_free(&result.notes);
	return result.status;
}

int verb_record(int argc, char **argv)
{
	struct problem why;
	struct job job;
	int status = 0;
	bool help;

	memset(&job, 0, sizeof(job));
	if (!read_options(&job.options, argc, argv, &help, &why)) {
		problem_print(&why);
		return EXIT_PFMON;
	}
	if (help)
		fputs(usage, stdout);
	else
		status = record(&job);
	plan_free(&job.plan);
	events_free(&job.events);
	pmu_free(&job.pmu);
	return status;
}
