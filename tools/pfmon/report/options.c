// SPDX-License-Identifier: GPL-2.0
/* The options of `pfmon report`; `pfmon diff` has most of them as well. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/options.h"

const char report_options_usage[] =
	"      --sort=KEY[,KEY...]    sum up by these (symbol,file): symbol, file, line,\n"
	"                             address, comm, pid, tid, cpu, set, event, host\n"
	"      --symbol=PATTERN       of such functions; likewise --file, --comm, --event\n"
	"      --pid=N[,N...]         of these processes only; likewise --tid, --cpu\n"
	"      --from=SECONDS         later samples only, counted from the first one\n"
	"      --to=SECONDS           earlier samples only\n"
	"      --limit=N              show the first N lines only\n"
	"      --percent-limit=P      show lines of at least P percent only\n"
	"      --no-demangle          show names as the linker knows them\n"
	"      --color=WHEN           auto, always or never\n"
	"      --no-pager             do not page on a terminal\n"
	"  -x, --field-separator=SEP  a line of fields for each\n"
	"  -j, --json                 one JSON object\n"
	"  -h, --help                 this text\n";

enum { OPTION_SORT = REPORT_OPTIONS_END, OPTION_COLUMNS, OPTION_BRANCHES,
       OPTION_CHILDREN, OPTION_CALLERS, OPTION_CALLEES, OPTION_NO_INLINE };

static const struct option long_options[] = {
	REPORT_OPTIONS,
	{ "sort", required_argument, NULL, OPTION_SORT },
	{ "columns", required_argument, NULL, OPTION_COLUMNS },
	{ "branches", no_argument, NULL, OPTION_BRANCHES },
	{ "children", no_argument, NULL, OPTION_CHILDREN },
	{ "callers", no_argument, NULL, OPTION_CALLERS },
	{ "callees", no_argument, NULL, OPTION_CALLEES },
	{ "no-inline", no_argument, NULL, OPTION_NO_INLINE },
	{ NULL, 0, NULL, 0 },
};

/* A number that is not negative. */
static bool parse_number(const char *text, double *value)
{
	char *end;

	if (!strchr("0123456789.", *text) || !*text)
		return false;
	*value = strtod(text, &end);
	return !*end && isfinite(*value);
}

static bool take_seconds(const char *name, double *value, struct problem *why)
{
	if (parse_number(optarg, value) && *value < 1e9)
		return true;
	return problem(why, "--%s %s: a number of seconds is wanted, such as 1.5", name, optarg);
}

static bool take_choice(struct report_options *options, int option, struct problem *why)
{
	switch (option) {
	case OPTION_LIMIT:
		return (parse_u64(optarg, &options->limit) && options->limit) ||
		       problem(why, "--limit %s: a number from 1 on is wanted", optarg);
	case OPTION_PERCENT_LIMIT:
		return (parse_number(optarg, &options->percent_limit) &&
			options->percent_limit <= 100) ||
		       problem(why, "--percent-limit %s: a number from 0 to 100 is wanted", optarg);
	case OPTION_FROM:
		return take_seconds("from", &options->from, why);
	case OPTION_TO:
		return take_seconds("to", &options->to, why);
	default:
		return filter_add(&options->filter, (enum key)(option - OPTION_FILTER), optarg, why);
	}
}

static bool take_columns(struct report_options *options, struct problem *why)
{
	if (strcmp(options->verb, "report"))
		return problem(why, "--columns is of `pfmon report`");
	if (strcmp(optarg, "events"))
		return problem(why, "--columns %s: events is wanted", optarg);
	options->event_columns = true;
	return true;
}

static bool take_branches(struct report_options *options, struct problem *why)
{
	if (strcmp(options->verb, "report"))
		return problem(why, "--branches is of `pfmon report`");
	options->branches = true;
	return true;
}

static bool take_calls(struct report_options *options, int option, struct problem *why)
{
	const bool callers = option == OPTION_CALLERS;

	if (strcmp(options->verb, "report"))
		return problem(why, "--children, --callers, --callees and --no-inline are of `pfmon report`");
	if (option == OPTION_CHILDREN) {
		options->by_callees = true;
		return true;
	}
	if (option == OPTION_NO_INLINE) {
		options->no_inline = true;
		return true;
	}
	if (options->calls && callers != (options->calls == CALLS_CALLERS))
		return problem(why, "--callers and --callees exclude each other");
	options->calls = callers ? CALLS_CALLERS : CALLS_CALLEES;
	return true;
}

bool report_options_take(struct report_options *options, int option, struct problem *why)
{
	switch (option) {
	case 'i':
		strings_add(&options->input, xstrdup(optarg));
		return true;
	case OPTION_NO_DEMANGLE:
		options->mangled = true;
		return true;
	case OPTION_COLOR:
		return colour_parse(&options->colour, optarg, why);
	case OPTION_NO_PAGER:
		options->no_pager = true;
		return true;
	case 'x':
		return cmdline_separator(&options->separator, optarg, why);
	case 'j':
		options->json = true;
		return true;
	case '?':
		return cmdline_unknown(why, options->verb);
	default:
		return take_choice(options, option, why);
	}
}

static bool take_option(void *data, int option, struct problem *why)
{
	struct report_options *options = data;

	switch (option) {
	case OPTION_SORT:
		options->sorted = true;
		return keys_parse(&options->sort, optarg, why);
	case OPTION_COLUMNS:
		return take_columns(options, why);
	case OPTION_BRANCHES:
		return take_branches(options, why);
	case OPTION_CHILDREN:
	case OPTION_CALLERS:
	case OPTION_CALLEES:
	case OPTION_NO_INLINE:
		return take_calls(options, option, why);
	default:
		return report_options_take(options, option, why);
	}
}

static const struct cmdline cmdline = {
	.letters = "i:x:jh", .names = long_options, .take = take_option,
};

/* --branches is another table, with columns of its own. */
static bool check_branches(const struct report_options *options, struct problem *why)
{
	if (!options->branches ||
	    (!options->sorted && !options->event_columns && !options->by_callees))
		return true;
	problem(why, "--branches shows branches, the most frequent first: it takes neither --sort, --columns nor --children");
	return cmdline_hint(why, options->verb);
}

/* A tree is another view of recordings. */
static bool check_calls(const struct report_options *options, struct problem *why)
{
	if (options->by_callees && options->event_columns)
		return problem(why, "--children and --columns=events: there is one column to order by, of each event");
	if (!options->calls)
		return true;
	if (!options->separator && !options->sorted && !options->event_columns &&
	    !options->branches && !options->by_callees && !filter_has(&options->filter, KEY_FILE))
		return true;
	problem(why, "--callers and --callees show a tree: it takes neither --sort, --file, -x, --columns, --branches nor --children");
	return cmdline_hint(why, options->verb);
}

bool report_options_check(const struct report_options *options, struct problem *why)
{
	if (options->json && options->separator) {
		problem(why, "-j and -x exclude each other");
		return cmdline_hint(why, options->verb);
	}
	if (options->to >= 0 && options->to < options->from)
		return problem(why, "--to is before --from: no sample is in between");
	if (options->event_columns && keys_have(&options->sort, KEY_EVENT))
		return problem(why, "--columns=events and --sort=event: an event cannot be column and row");
	if (options->separator && strchr("\"\r\n", options->separator[0]))
		return problem(why, "-x: a quotation mark or a line break is no separator");
	return true;
}

void report_options_begin(struct report_options *options, const char *verb)
{
	*options = (struct report_options){
		.verb = verb, .to = -1, .percent_limit = -1, .sort = { .key = { KEY_SYMBOL, KEY_FILE }, .n = 2 },
	};
}

bool report_options_read(struct report_options *options, const char *verb, int argc, char **argv,
			 bool *help, struct problem *why)
{
	report_options_begin(options, verb);
	if (!cmdline_read(&cmdline, options, argc, argv, help, why))
		return false;
	if (*help)
		return true;
	for (; optind < argc; optind++)
		strings_add(&options->input, xstrdup(argv[optind]));
	return report_options_check(options, why) && check_branches(options, why) &&
	       check_calls(options, why);
}

void report_options_free(struct report_options *options)
{
	strings_free(&options->input);
	filter_free(&options->filter);
}
