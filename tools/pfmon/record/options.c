// SPDX-License-Identifier: GPL-2.0
/* The command line of `pfmon record`. */
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmdline.h"
#include "cpus.h"
#include "data/pack.h"
#include "filename.h"
#include "record/adapt.h"
#include "record/options.h"
#include "run/procfs.h"

const char record_usage[] =
	"usage: pfmon record [OPTION...] [--] COMMAND [ARG...]\n"
	"       pfmon record {-a | -C CPUS | -p PIDS | -t TIDS | --name PROGRAM}\n"
	"                    [OPTION...] [[--] COMMAND [ARG...]]\n"
	"Sample where programs are, once in so many events.\n"
	"\n"
	"  -e, --event=LIST           the events that are sampled (cycles; without a\n"
	"                             hardware PMU task-clock)\n"
	"  -c, --count=PERIOD,...     a sample each PERIOD events (1M), or 100k, 2G: of\n"
	"                             the first event, of the second, ...\n"
	"  -F, --frequency=HZ         ... or a period that makes so many samples a second\n"
	"      --long-period=PERIOD   the period after a full buffer was emptied\n"
	"      --random=MASK[:SEED]   vary the periods: less by a random number & MASK\n"
	"      --with=LIST            what other events have counted, with each sample\n"
	"  -b, --branches             the branches that led there, too, if recorded\n"
	"  -g, --chains               the functions that called those, to the first one\n"
	"      --depth=N              ... so many at most, at each level (127)\n"
	"      --switch-timeout=MS    MS milliseconds for a set of the events, when not\n"
	"                             all can be sampled at once (1)\n"
	"  -a, --all-cpus             sample all CPUs\n"
	"  -C, --cpu=CPUS             sample these CPUs, such as 0,2-3\n"
	"      --core-type=TYPE       of a hybrid processor: on its cores of one type;\n"
	"                             a command runs there (core, atom)\n"
	"  -p, --pid=PID,...          sample running processes, new threads too\n"
	"  -t, --tid=TID,...          sample running threads\n"
	"      --name=PROGRAM         sample the processes of that name\n"
	"  -i, --no-follow            of a command, sample the first thread only\n"
	"      --follow-exec=PATTERN  ... programs of this name only (or path, with a /)\n"
	"      --follow-exec-exclude=PATTERN  ... but those of this name\n"
	"      --trigger-start=PLACE  sample from this function or address on; with\n"
	"      --trigger-stop=PLACE   ... until there; --trigger-repeat: each time\n"
	"      --delay=MS             begin to sample MS milliseconds later\n"
	"      --timeout=MS           stop after MS milliseconds; a command gets SIGTERM\n"
	"  -o, --output=FILE          the recording (pfmon.data); %h in it is the host,\n"
	"                             %p pfmon's process, %r the rank in a job\n"
	"      --buffer=SIZE          bytes of each of the kernel's buffers, or 64K, 1M\n"
	"      --format=NAME          default, ring, stack, compact, hist, ibs, branch\n"
	"  -z, --compress[=LEVEL]     compress the recording: 1 (quick, usual) to 22\n"
	"  -h, --help                 this text\n"
	"\n"
	"`pfmon report` shows the recording. See pfmon-record(1).\n";

enum {
	OPTION_RANDOM = CHAR_MAX + 1, OPTION_BUFFER, OPTION_LONG_PERIOD, OPTION_WITH, OPTION_NAME,
	OPTION_TIMEOUT, OPTION_SWITCH_TIMEOUT, OPTION_DELAY, OPTION_CORE_TYPE, OPTION_FORMAT,
	OPTION_DEPTH,
};

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "count", required_argument, NULL, 'c' },
	{ "frequency", required_argument, NULL, 'F' },
	{ "long-period", required_argument, NULL, OPTION_LONG_PERIOD },
	{ "random", required_argument, NULL, OPTION_RANDOM },
	{ "with", required_argument, NULL, OPTION_WITH },
	{ "branches", no_argument, NULL, 'b' },
	{ "chains", no_argument, NULL, 'g' },
	{ "depth", required_argument, NULL, OPTION_DEPTH },
	{ "switch-timeout", required_argument, NULL, OPTION_SWITCH_TIMEOUT },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "core-type", required_argument, NULL, OPTION_CORE_TYPE },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "name", required_argument, NULL, OPTION_NAME },
	{ "no-follow", no_argument, NULL, 'i' },
	{ "no-inherit", no_argument, NULL, 'i' },
	CHOICE_OPTIONS,
	{ "delay", required_argument, NULL, OPTION_DELAY },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "output", required_argument, NULL, 'o' },
	{ "buffer", required_argument, NULL, OPTION_BUFFER },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "compress", optional_argument, NULL, 'z' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

#define DEFAULT_PERIOD	1000000
#define MAX_HZ		1000000
#define SWITCH_NS	1000000
#define MAX_SWITCH_MS	86400000ULL	/* a day: a longer time is a mistake about the unit */

/* A number that may end with a letter of @units, each a factor of @step more than the last. */
static bool scaled(const char *text, const char *units, uint64_t step, uint64_t *value)
{
	char *number = xstrdup(text);
	const size_t length = strlen(number);
	const char *unit = NULL, *at;
	uint64_t factor = 1;
	bool ok;

	if (length)
		unit = strchr(units, number[length - 1] & ~0x20);
	if (length && unit && *unit) {
		number[length - 1] = '\0';
		for (at = units; at <= unit; at++)
			factor *= step;
	}
	ok = parse_u64(number, value) && *value <= UINT64_MAX / factor;
	*value *= factor;
	free(number);
	return ok;
}

static bool period(const char *option, const char *text, uint64_t *value, struct problem *why)
{
	/* Half of the counter's range remains for the events until it is read. */
	if (scaled(text, "KMG", 1000, value) && *value && *value <= INT64_MAX)
		return true;
	return problem(why, "%s %s: a number from 1 to %lld is wanted, or one with k, M or G",
		       option, text, (long long)INT64_MAX);
}

static bool take_period(void *data, const char *word, struct problem *why)
{
	struct record_options *options = data;

	GROW(options->period, options->nperiods, options->period_room);
	return period("-c", word, &options->period[options->nperiods++], why);
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
	if (scaled(text, "KM", 1024, &sampling->buffer) && sampling->buffer &&
	    sampling->buffer <= UINT32_MAX)
		return true;
	return problem(why, "--buffer %s: a number of bytes is wanted, or one with K or M", text);
}

static bool take_format(struct record_options *options, const char *text, struct problem *why)
{
	char names[128] = "";
	size_t i;

	for (i = 0; i < SAMPLING_FORMATS && strcmp(sampling_readers[i]->name, text); i++)
		append(names, sizeof(names), "%s%s", !i ? "" : i + 1 < SAMPLING_FORMATS ? ", " : " or ",
		       sampling_readers[i]->name);
	if (i == SAMPLING_FORMATS)
		return problem(why, "--format %s: %s is wanted", text, names);
	options->sampling.format = (enum sampling_format)i;
	options->format = sampling_readers[i]->name;
	return true;
}

static bool take_depth(struct sampling *sampling, const char *text, struct problem *why)
{
	uint64_t depth;

	if (!parse_u64(text, &depth) || !depth || depth > PFM_STACK_SMPL_MAX_DEPTH)
		return problem(why, "--depth %s: a number from 1 to %d is wanted", text,
			       PFM_STACK_SMPL_MAX_DEPTH);
	sampling->depth = (unsigned int)depth;
	return true;
}

static bool set_kind(struct record_target *target, int kind, struct problem *why)
{
	if (target->kind == RECORD_COMMAND || (int)target->kind == kind) {
		target->kind = kind;
		return true;
	}
	problem(why, "-p, --name, -t and -a or -C exclude each other");
	return cmdline_hint(why, "record");
}

static bool is_named(pid_t pid, const char *name)
{
	char path[PROC_PATH], comm[64] = "";
	FILE *file;

	proc_path(path, pid, "comm");
	file = fopen(path, "re");
	if (file && fgets(comm, sizeof(comm), file))
		comm[strcspn(comm, "\n")] = '\0';
	if (file)
		fclose(file);
	return *comm && !strncmp(comm, name, 15); /* the kernel keeps 15 characters */
}

static bool take_name(struct record_target *target, const char *name, struct problem *why)
{
	struct dirent *entry;
	DIR *dir;
	int pid;

	if (!proc_must_be_ours("--name", why))
		return false;
	dir = opendir("/proc");
	while (dir && (entry = readdir(dir))) {
		pid = atoi(entry->d_name);
		if (pid > 0 && pid != getpid() && is_named(pid, name))
			ids_add(&target->ids, pid);
	}
	if (dir)
		closedir(dir);
	return target->ids.n || problem(why, "--name %s: no process has this name", name);
}

/* Milliseconds from 1 on. */
static bool milliseconds(const char *option, uint64_t max, uint64_t *value, struct problem *why)
{
	if (parse_u64(optarg, value) && *value && *value <= max)
		return true;
	return problem(why, "%s %s: a number from 1 to %llu is wanted", option, optarg,
		       (unsigned long long)max);
}

static bool take_level(struct record_options *options, struct problem *why)
{
	uint64_t level = 1;

	if (optarg && (!parse_u64(optarg, &level) || !level || level > (uint64_t)pack_max_level()))
		return problem(why, "-z %s: a level from 1 to %d is wanted", optarg,
			       pack_max_level());
	options->compress = (int)level;
	return true;
}

static bool take_target(struct record_options *options, int option, struct problem *why)
{
	struct record_target *target = &options->target;

	switch (option) {
	case 'a':
		return set_kind(target, RECORD_CPUS, why);
	case 'C':
		free(target->cpus);
		target->cpus = NULL;
		return set_kind(target, RECORD_CPUS, why) &&
		       cpus_parse(optarg, &target->cpus, &target->ncpus, why);
	case OPTION_CORE_TYPE:
		target->core_type = optarg;
		return true;
	case 'p':
		return set_kind(target, RECORD_PROCESSES, why) &&
		       ids_take(&target->ids, "-p", optarg, why);
	case 't':
		return set_kind(target, RECORD_THREADS, why) &&
		       ids_take(&target->ids, "-t", optarg, why);
	default:
		return set_kind(target, RECORD_PROCESSES, why) && take_name(target, optarg, why);
	}
}

static bool take_option(void *data, int option, struct problem *why)
{
	struct record_options *options = data;
	struct sampling *sampling = &options->sampling;

	if (choice_has(option))
		return choice_take(&options->target.choice, option, why);
	switch (option) {
	case 'e':
		strings_add(&options->events, xstrdup(optarg));
		return true;
	case 'b':
		options->branches = true;
		return true;
	case OPTION_WITH:
		strings_add(&options->values, xstrdup(optarg));
		return true;
	case 'c':
		options->nperiods = 0;
		return each_word(options, optarg, why, take_period);
	case 'F':
		return (scaled(optarg, "K", 1000, &sampling->hz) && sampling->hz &&
			sampling->hz <= MAX_HZ) ||
		       problem(why, "-F %s: samples a second are wanted, from 1 to %d", optarg, MAX_HZ);
	case OPTION_LONG_PERIOD:
		return period("--long-period", optarg, &sampling->long_period, why);
	case OPTION_RANDOM:
		return take_random(sampling, optarg, why);
	case OPTION_SWITCH_TIMEOUT:
		if (!milliseconds("--switch-timeout", MAX_SWITCH_MS, &options->switch_ns, why))
			return false;
		options->switch_ns *= 1000000;
		return true;
	case 'a':
	case 'C':
	case 'p':
	case 't':
	case OPTION_NAME:
	case OPTION_CORE_TYPE:
		return take_target(options, option, why);
	case OPTION_TIMEOUT:
		return milliseconds("--timeout", INT_MAX, &options->target.timeout_ms, why);
	case OPTION_DELAY:
		return milliseconds("--delay", INT_MAX, &options->target.delay_ms, why);
	case OPTION_BUFFER:
		return take_buffer(sampling, optarg, why);
	case OPTION_FORMAT:
		return take_format(options, optarg, why);
	case 'g':
		options->chains = true;
		return true;
	case OPTION_DEPTH:
		return take_depth(sampling, optarg, why);
	case 'z':
		return take_level(options, why);
	case 'o':
		free(options->output);
		options->output = NULL;
		return *optarg ? filename_expand(&options->output, optarg, why) :
				 problem(why, "-o: the file has no name");
	default:
		return cmdline_unknown(why, "record");
	}
}

/* Chains come in one of the kernel's sampling formats, in which every sample has one. */
static bool check_chains(const struct record_options *options, struct problem *why)
{
	const struct sampling *sampling = &options->sampling;

	if (options->chains && options->format && sampling->format != SAMPLING_STACK)
		return problem(why, "-g and --format %s: call chains come in the format stack only",
			       options->format);
	if (!options->chains && sampling->format == SAMPLING_STACK) {
		problem(why, "--format stack: it is for call chains");
		return problem_hint(why, "-g asks for them, and for this format.");
	}
	return options->chains || !sampling->depth ||
	       problem(why, "--depth is of call chains: -g asks for them");
}

/* Every sample of this format has branches, as far as there are any. */
static bool check_branch_format(const struct record_options *options, struct problem *why)
{
	if (options->branches || options->sampling.format != SAMPLING_BRANCH)
		return true;
	problem(why, "--format branch: it is for branches");
	return problem_hint(why, "-b asks for them.");
}

/* In this format samples are numbers at an address: nothing can come with one of them. */
static bool check_hist(const struct record_options *options, struct problem *why)
{
	if (options->sampling.format != SAMPLING_HIST)
		return true;
	if (options->sampling.long_period) {
		problem(why, "--long-period and --format hist: no buffer is ever full, so none is emptied");
		return problem_hint(why, "-c sets the period.");
	}
	if (!options->branches && !options->values.n)
		return true;
	problem(why, "%s and --format hist: the kernel adds samples up, and keeps no %s of each",
		options->branches ? "-b" : "--with", options->branches ? "branches" : "values");
	return problem_hint(why, "Without --format the samples have them.");
}

/* Options that are right one by one can be wrong together. */
static bool check_options(const struct record_options *options, struct problem *why)
{
	const struct record_target *target = &options->target;
	const uint64_t mask = options->sampling.random_mask;
	size_t i;

	if (target->kind == RECORD_COMMAND && !target->command) {
		problem(why, "there is nothing to sample: name a command, or a target with -p, -t, -a or -C");
		return cmdline_hint(why, "record");
	}
	if (!choice_check(&target->choice, target->kind == RECORD_COMMAND, target->delay_ms,
			  "-p, -t, -a and -C", "record", why))
		return false;
	if (!check_chains(options, why) || !check_branch_format(options, why) ||
	    !check_hist(options, why))
		return false;
	if (!strcmp(options->output, "-")) {
		problem(why, "-o -: a recording is a file, of which a damaged end can be cut off");
		return problem_hint(why, "Name one with -o FILE, also a FIFO, or leave -o out: pfmon.data.");
	}
	if (options->sampling.hz && (options->nperiods || options->sampling.long_period)) {
		problem(why, "-F and -c or --long-period exclude each other");
		return problem_hint(why, "With -F the period follows the program.");
	}
	for (i = 0; i < options->nperiods; i++) {
		if (mask < options->period[i])
			continue;
		problem(why, "--random %#llx: the mask is not below the period, %llu",
			(unsigned long long)mask, (unsigned long long)options->period[i]);
		return problem_hint(why, "Periods are shortened by as much as the mask, and nothing may be left of one.");
	}
	return true;
}

static const struct cmdline cmdline = {
	.letters = "+e:c:F:bgaC:p:t:io:z::h", .names = long_options, .take = take_option,
};

bool record_options_read(struct record_options *options, int argc, char **argv, bool *help,
			 struct problem *why)
{
	struct record_target *target = &options->target;

	memset(options, 0, sizeof(*options));
	options->switch_ns = SWITCH_NS;
	if (!cmdline_read(&cmdline, options, argc, argv, help, why))
		return false;
	if (*help)
		return true;
	if (!options->output)
		options->output = xstrdup("pfmon.data");
	if (optind < argc)
		target->command = &argv[optind];
	if (!check_options(options, why))
		return false;
	if (options->chains) {
		options->sampling.format = SAMPLING_STACK;
		options->sampling.depth = options->sampling.depth ?: PFM_STACK_SMPL_MAX_DEPTH;
	}
	options->usual_period = !options->nperiods;
	if (options->usual_period) {
		GROW(options->period, options->nperiods, options->period_room);
		options->period[options->nperiods++] =
			options->sampling.hz ? pace_first_period(options->sampling.hz) : DEFAULT_PERIOD;
	}
	options->sampling.system_wide = target->kind == RECORD_CPUS;
	return target->kind != RECORD_CPUS || target->cpus ||
	       cpus_online(&target->cpus, &target->ncpus, why);
}

void record_options_free(struct record_options *options)
{
	choice_free(&options->target.choice);
	ids_free(&options->target.ids);
	free(options->target.cpus);
	free(options->period);
	free(options->output);
	strings_free(&options->events);
	strings_free(&options->values);
	memset(options, 0, sizeof(*options));
}
