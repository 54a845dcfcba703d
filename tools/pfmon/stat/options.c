// SPDX-License-Identifier: GPL-2.0
/* The command line of `pfmon stat`. */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "cpus.h"
#include "filename.h"
#include "stat/options.h"

const char stat_usage[] =
	"usage: pfmon stat [OPTION...] [--] COMMAND [ARG...]\n"
	"       pfmon stat {-a | -C CPUS | -p PIDS | -t TIDS | -G PATH} [OPTION...]\n"
	"                  [[--] COMMAND [ARG...]]\n"
	"Count events: of a command, or of what runs already (while a command runs).\n"
	"\n"
	"  -e, --event=LIST           events between commas; `pfmon list` shows them\n"
	"  -M, --metrics=NAME         a metric group: its events, and their ratios\n"
	"  -d, --detailed             more of the usual events; -dd, -ddd: still more\n"
	"  -a, --all-cpus             count on all CPUs\n"
	"  -C, --cpu=CPUS             count on these CPUs, such as 0,2-3\n"
	"      --core-type=TYPE       of a hybrid processor: on its cores of one type;\n"
	"                             a command runs there (core, atom)\n"
	"  -p, --pid=PID,...          count running processes, new threads too\n"
	"  -t, --tid=TID,...          count running threads\n"
	"  -G, --cgroup=PATH          count the tasks of a control group, new ones too\n"
	"  -i, --no-inherit           of a command, count the first thread only\n"
	"      --follow-exec=PATTERN  ... programs of this name only (or path, with a /)\n"
	"      --follow-exec-exclude=PATTERN  ... but those of this name\n"
	"  -r, --repeat=N             run the command N times, show mean and deviation\n"
	"  -I, --interval-print=MS    show what was counted every MS milliseconds as well\n"
	"      --per-thread           of commands and -p, show each thread as well\n"
	"  -A, --per-cpu              of -a and -C, show each CPU too (--no-aggregate)\n"
	"  -D, --delay=MS             start counting after MS milliseconds\n"
	"      --trigger-start=PLACE  count from there on: a function or an address; with\n"
	"      --trigger-stop=PLACE   ... until there; --trigger-repeat: each time\n"
	"      --switch-timeout=MS    MS milliseconds for a set of the events, when not\n"
	"                             all can be counted at once (1)\n"
	"      --no-scale             do not scale their counts up to the whole time\n"
	"      --timeout=MS           stop after MS milliseconds; a command gets SIGTERM\n"
	"  -x, --field-separator=SEP  a line of fields for each figure\n"
	"  -j, --json                 one JSON object\n"
	"      --pfmon3[=HOW]         as pfmon 3: HOW is us, eu, hex, header or time\n"
	"      --openmetrics=FILE     keep the counts in FILE as well, for a collector\n"
	"      --diff=FILE            compare with the counts that -j has written to FILE\n"
	"  -o, --output=FILE          to FILE, not stderr; - is the standard output;\n"
	"                             %h, %p, %r in it: host, pfmon's process, rank\n"
	"      --append               write to the end of that FILE\n"
	"  -h, --help                 this text\n"
	"\n"
	"See pfmon-stat(1).\n";

enum {
	OPTION_TIMEOUT = CHAR_MAX + 1, OPTION_SWITCH_TIMEOUT, OPTION_NO_SCALE,
	OPTION_PER_THREAD, OPTION_APPEND, OPTION_OPENMETRICS, OPTION_DIFF, OPTION_PFMON3,
	OPTION_CORE_TYPE,
};

/*
 * A switch takes some microseconds, so this costs well below one percent. In a program of a tenth
 * of a second even each of ten sets is active ten times.
 */
#define SWITCH_NS	1000000

/* A day: a longer time is a mistake about the unit. */
#define MAX_SWITCH_MS	86400000ULL

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "metrics", required_argument, NULL, 'M' },
	{ "detailed", no_argument, NULL, 'd' },
	{ "cgroup", required_argument, NULL, 'G' },
	{ "openmetrics", required_argument, NULL, OPTION_OPENMETRICS },
	{ "diff", required_argument, NULL, OPTION_DIFF },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "core-type", required_argument, NULL, OPTION_CORE_TYPE },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "no-inherit", no_argument, NULL, 'i' },
	CHOICE_OPTIONS,
	{ "repeat", required_argument, NULL, 'r' },
	{ "interval-print", required_argument, NULL, 'I' },
	{ "per-thread", no_argument, NULL, OPTION_PER_THREAD },
	{ "per-cpu", no_argument, NULL, 'A' },
	{ "no-aggregate", no_argument, NULL, 'A' },
	{ "delay", required_argument, NULL, 'D' },
	{ "append", no_argument, NULL, OPTION_APPEND },
	{ "switch-timeout", required_argument, NULL, OPTION_SWITCH_TIMEOUT },
	{ "no-scale", no_argument, NULL, OPTION_NO_SCALE },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "json", no_argument, NULL, 'j' },
	{ "pfmon3", optional_argument, NULL, OPTION_PFMON3 },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

/* A number from 1 on. */
static bool number(const char *option, const char *text, uint64_t max, uint64_t *value,
		   struct problem *why)
{
	if (parse_u64(text, value) && *value && *value <= max)
		return true;
	return problem(why, "%s %s: a number from 1 to %llu is wanted", option, text,
		       (unsigned long long)max);
}

/* Milliseconds with a fraction, exactly: "0.25" are 250000 ns. */
static bool milliseconds(const char *option, const char *text, uint64_t *ns,
			 struct problem *why)
{
	uint64_t unit = 1000000, value = 0;
	const char *p = text;

	for (; isdigit((unsigned char)*p) && value <= MAX_SWITCH_MS; p++)
		value = 10 * value + (uint64_t)(*p - '0');
	value *= unit;
	if (p > text && *p == '.')
		for (p++; isdigit((unsigned char)*p) && unit > 1; p++) {
			unit /= 10;
			value += unit * (uint64_t)(*p - '0');
		}
	*ns = value;
	if (p > text && !*p && value && value <= MAX_SWITCH_MS * 1000000)
		return true;
	return problem(why, "%s %s: milliseconds are wanted, from 0.000001 to %llu", option, text,
		       MAX_SWITCH_MS);
}

/* One kind of target: they exclude each other. */
static bool set_target(struct target *target, enum target_kind kind, struct problem *why)
{
	if (target->kind == TARGET_COMMAND || target->kind == kind) {
		target->kind = kind;
		return true;
	}
	problem(why, "-p, -t, -G and -a or -C exclude each other");
	return cmdline_hint(why, "stat");
}

static bool set_cpus(struct target *target, const char *text, struct problem *why)
{
	if (!set_target(target, TARGET_CPUS, why))
		return false;
	free(target->cpus);
	target->cpus = NULL;
	return cpus_parse(text, &target->cpus, &target->ncpus, why);
}

/* The options for the form of the output. */
static bool take_form(struct stat_options *options, int option, struct problem *why)
{
	switch (option) {
	case 'x':
		return cmdline_separator(&options->separator, optarg, why);
	case 'j':
		options->json = true;
		return true;
	case 'o':
		free(options->output);
		options->output = NULL;
		return filename_expand(&options->output, optarg, why);
	case OPTION_PFMON3:
		return classic_form_read(&options->classic, optarg, why);
	case OPTION_OPENMETRICS:
		options->openmetrics = optarg;
		return true;
	case OPTION_DIFF:
		options->diff = optarg;
		return true;
	case OPTION_APPEND:
		options->append = true;
		return true;
	case OPTION_PER_THREAD:
	case 'A':
		if (options->each && options->each != option) {
			problem(why, "--per-thread and --per-cpu exclude each other");
			return cmdline_hint(why, "stat");
		}
		options->each = option;
		options->target.each = true;
		return true;
	case OPTION_NO_SCALE:
		options->no_scale = true;
		return true;
	default:
		return cmdline_unknown(why, "stat");
	}
}

/* The options for the times of counting and of output. */
static bool take_time(struct stat_options *options, int option, struct problem *why)
{
	struct target *target = &options->target;

	switch (option) {
	case 'r':
		return number("-r", optarg, 1000000, &options->repeat, why);
	case 'I':
		return number("-I", optarg, INT_MAX, &target->interval_ms, why);
	case 'D':
		return number("--delay", optarg, INT_MAX, &target->delay_ms, why);
	case OPTION_SWITCH_TIMEOUT:
		return milliseconds("--switch-timeout", optarg, &options->switch_ns, why);
	case OPTION_TIMEOUT:
		return number("--timeout", optarg, INT_MAX, &target->timeout_ms, why);
	default:
		return take_form(options, option, why);
	}
}

static bool take_option(void *data, int option, struct problem *why)
{
	struct stat_options *options = data;
	struct target *target = &options->target;

	if (choice_has(option))
		return choice_take(&target->choice, option, why);
	switch (option) {
	case 'e':
		strings_add(&options->events, xstrdup(optarg));
		return true;
	case 'a':
		target->all_cpus = true;
		return set_target(target, TARGET_CPUS, why);
	case 'C':
		return set_cpus(target, optarg, why);
	case OPTION_CORE_TYPE:
		target->core_type = optarg;
		return true;
	case 'p':
		return set_target(target, TARGET_PROCESS, why) &&
		       ids_take(&target->ids, "-p", optarg, why);
	case 't':
		return set_target(target, TARGET_THREAD, why) &&
		       ids_take(&target->ids, "-t", optarg, why);
	case 'M':
		strings_add(&options->metrics, xstrdup(optarg));
		return true;
	case 'd':
		options->detail++;
		return true;
	case 'G':
		target->cgroup = optarg;
		return set_target(target, TARGET_CGROUP, why);
	default:
		return take_time(options, option, why);
	}
}

/* Options that are right one by one can be wrong together. */
static bool check_options(const struct stat_options *options, struct problem *why)
{
	const struct target *target = &options->target;

	if (target->kind == TARGET_COMMAND && !target->command) {
		problem(why, "there is nothing to count: name a command, or a target with -p, -t, -a, -C or -G");
		return cmdline_hint(why, "stat");
	}
	if (options->json + !!options->separator + options->classic.wanted > 1) {
		problem(why, "-j, -x and --pfmon3 exclude each other");
		return cmdline_hint(why, "stat");
	}
	if (options->repeat > 1 && !target->command) {
		problem(why, "-r repeats a command, and there is none");
		return cmdline_hint(why, "stat");
	}
	if (options->append && (!options->output || !strcmp(options->output, "-"))) {
		problem(why, "--append is about the file of -o, and there is none");
		return cmdline_hint(why, "stat");
	}
	if (options->detail && options->events.n) {
		problem(why, "-d adds to what is counted without -e, and -e was given");
		return cmdline_hint(why, "stat");
	}
	if (options->each == OPTION_PER_THREAD && target->kind == TARGET_CPUS)
		return problem(why, "--per-thread is for commands and processes; of CPUs, take --per-cpu");
	if (options->each == 'A' && target->kind != TARGET_CPUS)
		return problem(why, "--per-cpu is for -a and -C; of commands and processes, take --per-thread");
	return choice_check(&target->choice, target->kind == TARGET_COMMAND, target->delay_ms,
			    "-p, -t, -a, -C and -G", "stat", why);
}

static const struct cmdline cmdline = {
	.letters = "+e:M:daC:p:t:G:ir:I:AD:x:jo:h", .names = long_options, .take = take_option,
};

bool stat_options_read(struct stat_options *options, int argc, char **argv, bool *help,
		       struct problem *why)
{
	struct target *target = &options->target;

	memset(options, 0, sizeof(*options));
	options->repeat = 1;
	options->switch_ns = SWITCH_NS;
	if (!cmdline_read(&cmdline, options, argc, argv, help, why))
		return false;
	if (*help)
		return true;
	if (optind < argc)
		target->command = &argv[optind];
	if (!check_options(options, why))
		return false;
	if (target->cpus)
		target->all_cpus = false;
	return target->kind != TARGET_CPUS || target->cpus ||
	       cpus_online(&target->cpus, &target->ncpus, why);
}

void stat_options_free(struct stat_options *options)
{
	free(options->target.cpus);
	ids_free(&options->target.ids);
	free(options->output);
	choice_free(&options->target.choice);
	strings_free(&options->events);
	strings_free(&options->metrics);
	memset(options, 0, sizeof(*options));
}
