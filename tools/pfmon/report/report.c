// SPDX-License-Identifier: GPL-2.0
/* pfmon report: the places of the samples in recordings. */
#define _GNU_SOURCE
#include <stdio.h>

#include "cmdline.h"
#include "report/branches.h"
#include "report/calls.h"
#include "report/show.h"
#include "verbs.h"

static const char usage[] =
	"usage: pfmon report [OPTION...] [FILE...]\n"
	"Show how many of the samples that `pfmon record` took are in each function.\n"
	"\n"
	"  -i, --input=FILE           a recording (pfmon.data)\n"
	"      --columns=events       events side by side\n"
	"      --branches             the branches that came with the samples instead\n"
	"      --callers, --callees   call trees; --no-inline: without inlined functions\n"
	"      --children             order by what functions have with those they call\n";

int verb_report(int argc, char **argv)
{
	struct report_options options;
	struct problem why;
	enum layout layout;
	bool help, ok;

	ok = report_options_read(&options, "report", argc, argv, &help, &why);
	if (ok && help)
		printf("%s%s\nSee pfmon-report(1).\n", usage, report_options_usage);
	layout = options.event_columns ? LAYOUT_EVENTS :
		 keys_have(&options.sort, KEY_EVENT) ? LAYOUT_MIXED : LAYOUT_SECTIONS;
	if (ok && !help)
		ok = options.branches ? report_branches(&options, &why) :
		     options.calls    ? report_calls(&options, &why) :
					report_show(&options, layout, &why);
	report_options_free(&options);
	return cmdline_status(ok, &why);
}
