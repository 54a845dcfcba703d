// SPDX-License-Identifier: GPL-2.0
/* pfmon annotate: the instructions and the source of functions, with the samples of each. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "annotate/make.h"
#include "cmdline.h"
#include "report/show.h"
#include "verbs.h"

static const char usage[] =
	"usage: pfmon annotate [OPTION...] [FILE] [FUNCTION]\n"
	"Show the code of functions of a recording (pfmon.data), with the samples of each\n"
	"instruction and source line. Without FUNCTION: of the one with the most samples.\n"
	"\n"
	"  -i, --input=FILE           a recording; several are added up\n"
	"      --symbol=PATTERN       a function, as FUNCTION\n"
	"      --source-only          lines of the source, without instructions\n"
	"      --no-source            instructions, without lines of the source\n"
	"      --source               both, as without these\n"
	"  -M, --disassembler-style=S att or intel\n"
	"      --limit=N              the N lines with the most samples only\n"
	"      --percent-limit=P      lines of at least P percent of the function only\n"
	"      --file=PATTERN         functions of such a file only\n"
	"      --comm=PATTERN         samples of such a thread only; likewise --event\n"
	"      --pid=N[,N...]         samples of these only; likewise --tid, --cpu\n"
	"      --from=SECONDS         samples from then on; likewise --to, until then\n"
	"      --no-demangle          show names as the linker knows them\n"
	"      --color=WHEN           auto, always or never\n"
	"      --no-pager             do not page on a terminal\n"
	"  -x, --field-separator=SEP  a line of fields for each\n"
	"  -j, --json                 one JSON object\n"
	"  -h, --help                 this text\n"
	"\n"
	"See pfmon-annotate(1).\n";

static bool print(struct annotations *annotations, const struct report_options *options,
		  struct problem *why)
{
	report_begin_output(options);
	if (options->json)
		annotations_json(stdout, annotations);
	else if (options->separator)
		annotations_separated(stdout, annotations, options->separator);
	else
		annotations_text(stdout, annotations);
	return report_end_output("the annotated code", why);
}

static bool run(const struct annotate_options *options, struct problem *why)
{
	const struct table_options how = {
		.keys = functions_keys, .layout = LAYOUT_EVENTS,
		.filter = &options->report.filter, .mangled = options->report.mangled,
	};
	struct gathered gathered = { .nsources = 0 };
	struct functions functions = { .n = 0 };
	struct table table;
	struct annotations annotations = {
		.gathered = &gathered,
		.view = {
			.gathered = &gathered, .table = &table,
			.filtered = report_is_filtered(&options->report),
			.colour = colour_wanted(options->report.colour),
			.limit = options->report.limit,
			.percent_limit = options->report.percent_limit,
		},
	};
	bool ok = report_gather(&gathered, &options->report, false, false, why);

	if (ok) {
		table_make(&table, &gathered, &how);
		functions_collect(&functions, &table);
		ok = annotations_make(&annotations, &functions, options, why) &&
		     print(&annotations, &options->report, why);
		annotations_free(&annotations);
		functions_free(&functions);
		table_free(&table);
	}
	gathered_free(&gathered);
	return ok;
}

int verb_annotate(int argc, char **argv)
{
	struct annotate_options options;
	struct problem why;
	bool help, ok;

	ok = annotate_options_read(&options, argc, argv, &help, &why);
	if (ok && help)
		fputs(usage, stdout);
	else if (ok)
		ok = run(&options, &why);
	annotate_options_free(&options);
	return cmdline_status(ok, &why);
}
