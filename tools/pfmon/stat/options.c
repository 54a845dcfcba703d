// SPDX-License-Identifier: GPL-2.0
/* The command line of `pfmon stat`. */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "cpus.h"
#include "stat/options.h"

const char stat_usage[] =
	"usage: pfmon stat [OPTION...] [--] COMMAND [ARG...]\n"
	"       pfmon stat {-a | -C CPUS | -p PID | -t TID} [OPTION...] [[--] COMMAND [ARG...]]\n"
	"Count events: of a command, or of what runs already (while the command runs, if any).\n"
	"\n"
	"  -e, --event=LIST           events, separated by commas; `pfmon list` shows them\n"
	"  -a, --all-cpus             count on all CPUs\n"
	"  -C, --cpu=CPUS             count on these CPUs, such as 0,2-3\n"
	"  -p, --pid=PID              count the threads of a running process\n"
	"  -t, --tid=TID              count one running thread\n"
	"  -i, --no-inherit           of a command, count the first thread only\n"
	"  -r, --repeat=N             run the command N times, show mean and deviation\n"
	"      --switch-timeout=MS    of events that do not fit at once, count each set of\n"
	"                             them MS milliseconds at a time (1)\n"
	"      --no-scale             do not scale their counts up to the whole time\n"
	"      --timeout=MS           stop after MS milliseconds; a command gets SIGTERM\n"
	"  -x, --field-separator=SEP  a line of fields for each figure\n"
	"  -j, --json                 one JSON object\n"
	"  -o, --output=FILE          write to FILE, not to stderr\n"
	"  -h, --help                 this text\n"
	"\n"
	"See pfmon-stat(1).\n";

enum { OPTION_TIMEOUT = CHAR_MAX + 1, OPTION_SWITCH_TIMEOUT, OPTION_NO_SCALE };

/*
 * A switch takes some microseconds, so this costs well below one percent; and of a
 * program of a tenth of a second even ten sets see ten pieces each.
 */
#define SWITCH_NS	1000000

/* A day: a longer time is a mistake about the unit. */
#define MAX_SWITCH_MS	86400000ULL

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "no-inherit", no_argument, NULL, 'i' },
	{ "repeat", required_argument, NULL, 'r' },
	{ "switch-timeout", required_argument, NULL, OPTION_SWITCH_TIMEOUT },
	{ "no-scale", no_argument, NULL, OPTION_NO_SCALE },
	{ "timeout", required_argument, NULL, OPTION_TIMEOUT },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "json", no_argument, NULL, 'j' },
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

/* One target: they exclude each other. */
static bool set_target(struct target *target, enum target_kind kind, const char *id,
		       struct problem *why)
{
	uint64_t value = 0;

	if (target->kind != TARGET_COMMAND && target->kind != kind) {
		problem(why, "-p, -t and -a or -C exclude each other");
		return cmdline_hint(why, "stat");
	}
	if (id && target->kind == kind)
		return problem(why, "%s is given twice", kind == TARGET_PROCESS ? "-p" : "-t");
	target->kind = kind;
	if (id && !number(kind == TARGET_PROCESS ? "-p" : "-t", id, INT_MAX, &value, why))
		return false;
	target->id = (pid_t)value;
	return true;
}

static bool set_cpus(struct target *target, const char *text, struct problem *why)
{
	if (!set_target(target, TARGET_CPUS, NULL, why))
		return false;
	free(target->cpus);
	target->cpus = NULL;
	return cpus_parse(text, &target->cpus, &target->ncpus, why);
}

static bool take_option(void *data, int option, struct problem *why)
{
	struct stat_options *options = data;
	struct target *target = &options->target;

	switch (option) {
	case 'e':
		strings_add(&options->events, xstrdup(optarg));
		return true;
	case 'a':
		target->all_cpus = true;
		return set_target(target, TARGET_CPUS, NULL, why);
	case 'C':
		return set_cpus(target, optarg, why);
	case 'p':
		return set_target(target, TARGET_PROCESS, optarg, why);
	case 't':
		return set_target(target, TARGET_THREAD, optarg, why);
	case 'i':
		target->first_only = true;
		return true;
	case 'r':
		return number("-r", optarg, 1000000, &options->repeat, why);
	case OPTION_SWITCH_TIMEOUT:
		return milliseconds("--switch-timeout", optarg, &options->switch_ns, why);
	case OPTION_NO_SCALE:
		options->no_scale = true;
		return true;
	case OPTION_TIMEOUT:
		return number("--timeout", optarg, INT_MAX, &target->timeout_ms, why);
	case 'x':
		return cmdline_separator(&options->separator, optarg, why);
	case 'j':
		options->json = true;
		return true;
	case 'o':
		options->output = optarg;
		return true;
	default:
		return cmdline_unknown(why, "stat");
	}
}

/* What is right one by one can be wrong together. */
static bool check_options(const struct stat_options *options, struct problem *why)
{
	const struct target *target = &options->target;

	if (target->kind == TARGET_COMMAND && !target->command) {
		problem(why, "there is nothing to count: name a command, or a target with -p, -t, -a or -C");
		return cmdline_hint(why, "stat");
	}
	if (options->json && options->separator) {
		problem(why, "-j and -x exclude each other");
		return cmdline_hint(why, "stat");
	}
	if (options->repeat > 1 && !target->command) {
		problem(why, "-r repeats a command, and there is none");
		return cmdline_hint(why, "stat");
	}
	if (target->first_only && target->kind != TARGET_COMMAND) {
		problem(why, "-i is about the children of a command; -p, -t, -a and -C follow none");
		return cmdline_hint(why, "stat");
	}
	return true;
}

static const struct cmdline cmdline = {
	.letters = "+e:aC:p:t:ir:x:jo:h", .names = long_options, .take = take_option,
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
	strings_free(&options->events);
	memset(options, 0, sizeof(*options));
}
