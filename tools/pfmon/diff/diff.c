// SPDX-License-Identifier: GPL-2.0
/* pfmon diff: two recordings side by side, largest difference first. */
#define _GNU_SOURCE
#include <stdio.h>

#include "cmdline.h"
#include "report/show.h"
#include "verbs.h"

static const char usage[] =
	"usage: pfmon diff [OPTION...] BEFORE AFTER\n"
	"Show by how much the parts of functions differ between two recordings, in points\n"
	"of percent, the largest difference first.\n"
	"\n";

static bool check(const struct report_options *options, struct problem *why)
{
	if (options->input.n == 2)
		return true;
	problem(why, "two recordings are wanted, and there %s %zu",
		options->input.n == 1 ? "is" : "are", options->input.n);
	return problem_hint(why, "For example: pfmon diff before.data after.data");
}

int verb_diff(int argc, char **argv)
{
	struct report_options options;
	struct problem why;
	bool help, ok;

	ok = report_options_read(&options, "diff", argc, argv, &help, &why);
	if (ok && help)
		printf("%s%s\nSee pfmon-diff(1).\n", usage, report_options_usage);
	else if (ok)
		ok = check(&options, &why) && report_show(&options, LAYOUT_SOURCES, &why);
	report_options_free(&options);
	return cmdline_status(ok, &why);
}
