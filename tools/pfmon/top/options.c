// SPDX-License-Identifier: GPL-2.0
/* The command line of `pfmon top`. */
#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "top/options.h"

const char top_usage[] =
	"usage: pfmon top [OPTION...] [-a | -C CPUS | -p PIDS | -t TIDS |\n"
	"                 --name PROGRAM | [--] COMMAND [ARG...]]\n"
	"Show, again and again, where programs are: the samples of each function since\n"
	"the last time. Without a target: on all CPUs.\n"
	"\n"
	"  -d, --interval=SECONDS     show it so often (2)\n"
	"  -n, --count=N              end after N times\n"
	"  -b, --batch                print plain tables, for files and scripts\n"
	"      --limit=N              of at most N lines (20)\n"
	"  -s, --sort=KEY[,KEY...]    sum up by these (symbol,file): symbol, file, comm,\n"
	"                             pid, tid, event\n"
	"      --color=WHEN           auto, always or never\n"
	"  -e, -c, -F, -a, -C, -p, -t, --name   as for `pfmon record`\n"
	"  -h, --help                 this text\n"
	"\n"
	"Keys: q quit, s sort by the next key, p pause, e next event, arrows and page\n"
	"keys scroll, h help. See pfmon-top(1).\n";

enum { OPTION_NAME = CHAR_MAX + 1, OPTION_LIMIT, OPTION_COLOR };

static const struct option long_options[] = {
	{ "interval", required_argument, NULL, 'd' },
	{ "count", required_argument, NULL, 'n' },
	{ "batch", no_argument, NULL, 'b' },
	{ "limit", required_argument, NULL, OPTION_LIMIT },
	{ "sort", required_argument, NULL, 's' },
	{ "color", required_argument, NULL, OPTION_COLOR },
	{ "colour", required_argument, NULL, OPTION_COLOR },
	{ "event", required_argument, NULL, 'e' },
	{ "frequency", required_argument, NULL, 'F' },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "name", required_argument, NULL, OPTION_NAME },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

#define MIN_INTERVAL	0.1
#define MAX_INTERVAL	86400
#define DEFAULT_LIMIT	20

static bool take_interval(struct top_options *options, struct problem *why)
{
	char *end;

	options->interval = strtod(optarg, &end);
	if (*optarg && !*end && options->interval >= MIN_INTERVAL &&
	    options->interval <= MAX_INTERVAL)
		return true;
	return problem(why, "-d %s: a number of seconds is wanted, from %.1f to %d", optarg,
		       MIN_INTERVAL, MAX_INTERVAL);
}

static bool take_count(const char *option, uint64_t *count, struct problem *why)
{
	return (parse_u64(optarg, count) && *count) ||
	       problem(why, "%s %s: a number from 1 on is wanted", option, optarg);
}

/* Samples are kept by these keys; others would need source lines or CPUs. */
static bool take_sort(struct keys *sort, struct problem *why)
{
	static const bool possible[KEYS] = {
		[KEY_SYMBOL] = true, [KEY_FILE] = true, [KEY_COMM] = true,
		[KEY_PID] = true, [KEY_TID] = true, [KEY_EVENT] = true,
	};
	size_t i;

	if (!keys_parse(sort, optarg, why))
		return false;
	for (i = 0; i < sort->n; i++) {
		if (possible[sort->key[i]])
			continue;
		problem(why, "--sort %s: '%s' is a key of `pfmon report` alone", optarg,
			key_name(sort->key[i]));
		return problem_hint(why, "Here there are symbol, file, comm, pid, tid and event.");
	}
	return true;
}

/* Hand an option on to the recording. */
static bool hand_on(struct top_options *options, const char *name)
{
	strings_add(&options->record, xstrdup(name));
	if (optarg)
		strings_add(&options->record, xstrdup(optarg));
	return true;
}

static bool hand_on_target(struct top_options *options, const char *name)
{
	options->target = true;
	return hand_on(options, name);
}

static bool take_option(void *data, int option, struct problem *why)
{
	const char letter[] = { '-', (char)option, '\0' };
	struct top_options *options = data;

	switch (option) {
	case 'd':
		return take_interval(options, why);
	case 'n':
		return take_count("-n", &options->count, why);
	case 'b':
		options->batch = true;
		return true;
	case OPTION_LIMIT:
		return take_count("--limit", &options->limit, why);
	case 's':
		return take_sort(&options->sort, why);
	case OPTION_COLOR:
		return colour_parse(&options->colour, optarg, why);
	case 'e':
	case 'c':
	case 'F':
		return hand_on(options, letter);
	case 'a':
	case 'C':
	case 'p':
	case 't':
		return hand_on_target(options, letter);
	case OPTION_NAME:
		return hand_on_target(options, "--name");
	default:
		return cmdline_unknown(why, "top");
	}
}

static const struct cmdline cmdline = {
	.letters = "+d:n:bs:e:c:F:aC:p:t:h", .names = long_options, .take = take_option,
};

bool top_options_read(struct top_options *options, struct record_options *record, int argc,
		      char **argv, bool *help, struct problem *why)
{
	memset(options, 0, sizeof(*options));
	options->interval = 2;
	options->limit = DEFAULT_LIMIT;
	options->sort = (struct keys){ .key = { KEY_SYMBOL, KEY_FILE }, .n = 2 };
	strings_add(&options->record, xstrdup(argv[0]));
	if (!cmdline_read(&cmdline, options, argc, argv, help, why))
		return false;
	if (*help)
		return true;
	if (!options->target && optind == argc)
		strings_add(&options->record, xstrdup("-a"));
	strings_add(&options->record, xstrdup("--"));
	for (; optind < argc; optind++)
		strings_add(&options->record, xstrdup(argv[optind]));
	strings_add(&options->record, NULL);
	return record_options_read(record, (int)options->record.n - 1, options->record.text, help,
				   why);
}

void top_options_free(struct top_options *options)
{
	strings_free(&options->record);
}
