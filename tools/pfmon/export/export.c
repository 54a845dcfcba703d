// SPDX-License-Identifier: GPL-2.0
/* pfmon export: a recording in the formats of other programs. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmdline.h"
#include "export/export.h"
#include "export/output.h"
#include "verbs.h"

/* Formats, and the ends of names that mean them without --to. */
static const struct format {
	const char	*name;
	const char	*suffix[3];
	bool		binary;		/* not for a terminal */
	bool		one_event;	/* counts of several events do not add up */
	bool		files;		/* a level with the file: see struct graph */
	/* One recording, or a graph of any number. */
	bool		(*write)(struct export *export, struct problem *why);
	bool		(*draw)(const struct graph *graph, FILE *out, struct problem *why);
} formats[] = {
	{ "perf.data", { "perf.data", ".perf" }, .binary = true, .write = export_perf_data },
	{ "folded", { ".folded", ".collapsed" }, .one_event = true, .draw = export_folded },
	{ "svg", { ".svg" }, .one_event = true, .files = true, .draw = export_svg },
	{ "pprof", { ".pb.gz", ".pprof" }, .binary = true, .write = export_pprof },
	{ "firefox", { ".firefox.json", ".gecko.json" }, .one_event = true, .write = export_firefox },
	{ "json", { ".json" }, .write = export_json },
};

struct export_options {
	struct strings		input;
	const char		*output;
	const char		*event;		/* or NULL: all, or the first one */
	const struct format	*format;
	bool			mangled;
	bool			no_inline;
};

static const char usage[] =
	"usage: pfmon export [--to FORMAT] -o OUT [OPTION...] [FILE...]\n"
	"Write a recording (pfmon.data) in the format of another program.\n"
	"\n"
	"  -t, --to=FORMAT      perf.data  for perf report, perf script\n"
	"                       folded     \"comm;symbol count\", for flame graphs\n"
	"                       svg        a flame graph, to be opened in a browser\n"
	"                       pprof      for pprof, speedscope\n"
	"                       firefox    for profiler.firefox.com\n"
	"                       json       every sample\n"
	"                       without it, the end of OUT decides\n"
	"  -o, --output=OUT     the file to be written; -: standard output\n"
	"  -i, --input=FILE     the recording; folded and svg take several\n"
	"  -e, --event=EVENT    the samples of this event only, by name or number\n"
	"      --no-demangle    show C++ names as the linker knows them\n"
	"      --no-inline      leave out the functions that were inlined\n"
	"  -h, --help           this text\n"
	"\n"
	"See pfmon-export(1).\n";

enum { OPTION_NO_DEMANGLE = CHAR_MAX + 1, OPTION_NO_INLINE };

static const struct option long_options[] = {
	{ "to", required_argument, NULL, 't' },
	{ "output", required_argument, NULL, 'o' },
	{ "input", required_argument, NULL, 'i' },
	{ "event", required_argument, NULL, 'e' },
	{ "no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE },
	{ "no-inline", no_argument, NULL, OPTION_NO_INLINE },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static bool name_formats(struct problem *why)
{
	char names[128] = "";
	size_t i;

	for (i = 0; i < COUNT(formats); i++)
		append(names, sizeof(names), "%s%s", i ? ", " : "", formats[i].name);
	return problem_hint(why, "The formats are %s.", names);
}

static bool take_format(struct export_options *options, struct problem *why)
{
	size_t i;

	for (i = 0; i < COUNT(formats); i++) {
		if (strcmp(formats[i].name, optarg))
			continue;
		options->format = &formats[i];
		return true;
	}
	problem(why, "--to: there is no format '%s'", optarg);
	return name_formats(why);
}

static bool take_option(void *data, int option, struct problem *why)
{
	struct export_options *options = data;

	switch (option) {
	case 't':
		return take_format(options, why);
	case 'o':
		options->output = optarg;
		return true;
	case 'i':
		strings_add(&options->input, xstrdup(optarg));
		return true;
	case 'e':
		options->event = optarg;
		return true;
	case OPTION_NO_DEMANGLE:
		options->mangled = true;
		return true;
	case OPTION_NO_INLINE:
		options->no_inline = true;
		return true;
	default:
		return cmdline_unknown(why, "export");
	}
}

static const struct cmdline cmdline = {
	.letters = "t:o:i:e:h", .names = long_options, .take = take_option,
};

static bool ends_with(const char *name, const char *end)
{
	const size_t n = strlen(name), m = strlen(end);

	return n >= m && !strcmp(name + n - m, end);
}

static bool guess_format(struct export_options *options, struct problem *why)
{
	const char *const *suffix;
	size_t i;

	for (i = 0; i < COUNT(formats); i++) {
		for (suffix = formats[i].suffix; *suffix; suffix++) {
			if (!ends_with(options->output, *suffix))
				continue;
			options->format = &formats[i];
			return true;
		}
	}
	problem(why, "-o %s: its suffix names no format, and there is no --to", options->output);
	return name_formats(why);
}

static bool read_options(struct export_options *options, int argc, char **argv, bool *help,
			 struct problem *why)
{
	*options = (struct export_options){ .format = NULL };
	if (!cmdline_read(&cmdline, options, argc, argv, help, why))
		return false;
	if (*help)
		return true;
	for (; optind < argc; optind++)
		strings_add(&options->input, xstrdup(argv[optind]));
	if (!options->input.n)
		strings_add(&options->input, xstrdup("pfmon.data"));
	if (!options->output) {
		problem(why, "where to? There is no -o");
		return problem_hint(why, "`-o OUT` is the file to be written, `-o -` standard output.");
	}
	if (!options->format && !guess_format(options, why))
		return false;
	if (options->input.n > 1 && !options->format->draw) {
		problem(why, "%s is of one recording, not of %zu", options->format->name, options->input.n);
		return problem_hint(why, "folded and svg add several up, `pfmon report` does so, too.");
	}
	return true;
}

/*
 * Keep one event where the format cannot mix several, or where -e names one. *@event: that one,
 * or the first one.
 */
static bool select_event(const struct export_options *options, struct export *export,
			 size_t *event, struct problem *why)
{
	const struct profile *profile = &export->ordered->profile;

	*event = 0;
	if (!options->event && (!options->format->one_event || profile->nevents < 2))
		return true;
	if (options->event && !ordered_find_event(export->ordered, options->event, event, why))
		return false;
	if (!options->event)
		complain("%s has %zu events: this is of %s; -e chooses another one",
			 export->file, profile->nevents, profile->event[0].name);
	ordered_select(export->ordered, *event);
	return true;
}

/* Write OUT: of the graph, or without one of the recording. */
static bool write_output(const struct export_options *options, struct export *export,
			 const struct graph *graph, struct problem *why)
{
	const struct format *format = options->format;
	struct output output;
	bool ok;

	if (!strcmp(options->output, "-") && format->binary && isatty(STDOUT_FILENO)) {
		problem(why, "%s is not written to a terminal", format->name);
		return problem_hint(why, "`-o FILE` names a file.");
	}
	if (!output_open(&output, options->output, why))
		return output_close(&output, false, why);
	if (graph) {
		ok = format->draw(graph, output.file, why);
	} else {
		export->out = output.file;
		ok = format->write(export, why);
	}
	return output_close(&output, ok, why);
}

/* Export a recording, or add it to the graph. */
static bool take_recording(const struct export_options *options, const char *file,
			   struct graph *graph, struct problem *why)
{
	struct ordered ordered;
	struct export export = { .ordered = &ordered, .file = file };
	size_t event;
	bool ok;

	if (!ordered_load(&ordered, file, why))
		return false;
	ok = select_event(options, &export, &event, why);
	if (ok) {
		export.places = places_open(&ordered.profile, !options->mangled);
		if (!options->no_inline)
			places_find_inlined(export.places);
		if (options->format->draw)
			graph_add(graph, &export, event);
		else
			ok = write_output(options, &export, NULL, why);
		if (ok)
			places_say_notes(export.places);
		places_close(export.places);
	}
	ordered_free(&ordered);
	return ok;
}

static bool run(const struct export_options *options, struct problem *why)
{
	struct graph graph = { .files = options->format->files };
	bool ok = true;
	size_t i;

	graph.tree.root.step.name = names_keep(&graph.names, "all");
	for (i = 0; ok && i < options->input.n; i++)
		ok = take_recording(options, options->input.text[i], &graph, why);
	if (ok && options->format->draw) {
		tree_sort(&graph.tree, tree_by_name);
		ok = write_output(options, NULL, &graph, why);
	}
	graph_free(&graph);
	return ok;
}

int verb_export(int argc, char **argv)
{
	struct export_options options;
	struct problem why;
	bool help, ok;

	ok = read_options(&options, argc, argv, &help, &why);
	if (ok && help)
		fputs(usage, stdout);
	else if (ok)
		ok = run(&options, &why);
	strings_free(&options.input);
	return cmdline_status(ok, &why);
}
