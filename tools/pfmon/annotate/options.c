// SPDX-License-Identifier: GPL-2.0
/* The options of `pfmon annotate`: most are those of `pfmon report`. */
#define _GNU_SOURCE
#include <string.h>

#include "annotate/options.h"
#include "data/read.h"

enum { OPTION_SOURCE = REPORT_OPTIONS_END, OPTION_NO_SOURCE, OPTION_SOURCE_ONLY };

static const struct option long_options[] = {
	REPORT_OPTIONS,
	{ "source", no_argument, NULL, OPTION_SOURCE },
	{ "no-source", no_argument, NULL, OPTION_NO_SOURCE },
	{ "source-only", no_argument, NULL, OPTION_SOURCE_ONLY },
	{ "disassembler-style", required_argument, NULL, 'M' },
	{ NULL, 0, NULL, 0 },
};

static bool take_option(void *data, int option, struct problem *why)
{
	struct annotate_options *options = data;

	switch (option) {
	case OPTION_SOURCE:
	case OPTION_NO_SOURCE:
	case OPTION_SOURCE_ONLY:
		options->no_source = option == OPTION_NO_SOURCE;
		options->by_source = option == OPTION_SOURCE_ONLY;
		return true;
	case 'M':
		options->decoder.intel = !strcmp(optarg, "intel");
		return options->decoder.intel || !strcmp(optarg, "att") ||
		       problem(why, "-M %s: att or intel is wanted", optarg);
	default:
		return report_options_take(&options->report, option, why);
	}
}

static const struct cmdline cmdline = {
	.letters = "i:x:jhM:", .names = long_options, .take = take_option,
};

static bool is_recording(const char *name)
{
	struct profile_reader reader;
	struct problem why;

	if (!profile_open(&reader, name, &why))
		return false;
	profile_done(&reader);
	return true;
}

/* The other arguments: a recording, if it is one or if a function follows, and a function. */
static bool take_words(struct annotate_options *options, int argc, char **argv,
		       struct problem *why)
{
	if (optind < argc && !options->report.input.n &&
	    (optind + 2 == argc || is_recording(argv[optind])))
		strings_add(&options->report.input, xstrdup(argv[optind++]));
	if (optind < argc && !filter_add(&options->functions, KEY_SYMBOL, argv[optind++], why))
		return false;
	if (optind == argc)
		return true;
	problem(why, "'%s' is one word too many: a recording and a function are wanted",
		argv[optind]);
	return cmdline_hint(why, "annotate");
}

bool annotate_options_read(struct annotate_options *options, int argc, char **argv, bool *help,
			   struct problem *why)
{
	memset(options, 0, sizeof(*options));
	report_options_begin(&options->report, "annotate");
	if (!cmdline_read(&cmdline, options, argc, argv, help, why))
		return false;
	if (*help)
		return true;
	/* Percentages are of the samples that the other filters choose: this one does not apply. */
	options->functions.pattern[KEY_SYMBOL] = options->report.filter.pattern[KEY_SYMBOL];
	memset(&options->report.filter.pattern[KEY_SYMBOL], 0, sizeof(struct strings));
	options->decoder.mangled = options->report.mangled;
	return take_words(options, argc, argv, why) && report_options_check(&options->report, why);
}

void annotate_options_free(struct annotate_options *options)
{
	report_options_free(&options->report);
	filter_free(&options->functions);
}
