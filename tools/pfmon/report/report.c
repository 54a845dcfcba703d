// SPDX-License-Identifier: GPL-2.0
/* pfmon report: a flat profile of a recording. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cmdline.h"
#include "data/load.h"
#include "report/print.h"
#include "verbs.h"

#define EXIT_FAILED	1

struct report_options {
	const char		*input;
	enum profile_sort	sort;
	const char		*separator;	/* -x, or NULL */
	bool			json;
	bool			mangled;
	uint64_t		limit;
};

static const char usage[] =
	"usage: pfmon report [OPTION...]\n"
	"Show where the samples are that `pfmon record` took: so many of each function.\n"
	"\n"
	"  -i, --input=FILE           the recording (pfmon.data)\n"
	"      --sort=symbol|file     sum up by symbol (and file), or by file alone\n"
	"      --limit=N              show the first N lines only\n"
	"      --no-demangle          show C++ names as the linker knows them\n"
	"  -x, --field-separator=SEP  a line of fields for each\n"
	"  -j, --json                 one JSON object\n"
	"  -h, --help                 this text\n"
	"\n"
	"See pfmon-report(1).\n";

enum { OPTION_SORT = CHAR_MAX + 1, OPTION_LIMIT, OPTION_NO_DEMANGLE };

static const struct option long_options[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "sort", required_argument, NULL, OPTION_SORT },
	{ "limit", required_argument, NULL, OPTION_LIMIT },
	{ "no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static bool take_option(void *data, int option, struct problem *why)
{
	struct report_options *options = data;

	switch (option) {
	case 'i':
		options->input = optarg;
		return true;
	case OPTION_SORT:
		if (strcmp(optarg, "symbol") && strcmp(optarg, "file")) {
			problem(why, "--sort %s: symbol or file is wanted", optarg);
			return cmdline_hint(why, "report");
		}
		options->sort = strcmp(optarg, "file") ? SORT_SYMBOL : SORT_FILE;
		return true;
	case OPTION_LIMIT:
		return (parse_u64(optarg, &options->limit) && options->limit) ||
		       problem(why, "--limit %s: a number from 1 on is wanted", optarg);
	case OPTION_NO_DEMANGLE:
		options->mangled = true;
		return true;
	case 'x':
		return cmdline_separator(&options->separator, optarg, why);
	case 'j':
		options->json = true;
		return true;
	default:
		return cmdline_unknown(why, "report");
	}
}

static const struct cmdline cmdline = {
	.letters = "i:x:jh", .names = long_options, .take = take_option,
};

static bool read_options(struct report_options *options, int argc, char **argv, bool *help,
			 struct problem *why)
{
	*options = (struct report_options){ .input = "pfmon.data" };
	if (!cmdline_read(&cmdline, options, argc, argv, help, why))
		return false;
	if (*help)
		return true;
	if (optind < argc) {
		problem(why, "'%s' is no option: a recording is named with -i", argv[optind]);
		return cmdline_hint(why, "report");
	}
	if (options->json && options->separator) {
		problem(why, "-j and -x exclude each other");
		return cmdline_hint(why, "report");
	}
	return true;
}

static bool print(const struct report_options *options, const struct profile_view *view,
		  struct problem *why)
{
	bool ok = true;

	if (options->json)
		profile_print_json(stdout, view);
	else if (options->separator)
		ok = profile_print_separated(stdout, view, options->separator, why);
	else
		profile_print_text(stdout, view);
	if (fflush(stdout) || ferror(stdout))
		return problem(why, "cannot write the report: %s", strerror(errno));
	return ok;
}

static bool report(const struct report_options *options, struct problem *why)
{
	struct profile profile;
	struct lines lines;
	struct profile_view view = {
		.profile = &profile, .lines = &lines,
		.sort = options->sort, .limit = options->limit,
	};
	size_t i;
	bool ok;

	if (!profile_load(&profile, options->input, why))
		return false;
	for (i = 0; i < profile.notes.n; i++)
		strings_add(&view.notes, xstrdup(profile.notes.text[i]));
	lines_make(&lines, &profile, options->sort, !options->mangled, &view.notes);
	ok = print(options, &view, why);
	strings_free(&view.notes);
	lines_free(&lines);
	profile_free(&profile);
	return ok;
}

int verb_report(int argc, char **argv)
{
	struct report_options options;
	struct problem why;
	bool help;

	if (!read_options(&options, argc, argv, &help, &why)) {
		problem_print(&why);
		return EXIT_FAILED;
	}
	if (help) {
		fputs(usage, stdout);
		return 0;
	}
	if (report(&options, &why))
		return 0;
	problem_print(&why);
	return EXIT_FAILED;
}
