// SPDX-License-Identifier: GPL-2.0
/* pfmon script: the samples of a recording one by one, as text. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cmdline.h"
#include "places/ordered.h"
#include "script/script.h"
#include "verbs.h"

struct script_options {
	const char	*input;
	const char	*event;		/* or NULL: all */
	unsigned int	fields;
	bool		one_line;
	bool		mangled;
	bool		no_inline;
};

static const char usage[] =
	"usage: pfmon script [OPTION...] [FILE]\n"
	"Show each sample of a recording (pfmon.data), in the order of time, as perf\n"
	"script does.\n"
	"\n"
	"  -i, --input=FILE     the recording\n"
	"  -F, --fields=LIST    these of comm, pid, tid, cpu, time, count, period,\n"
	"                       event, ip, sym, symoff, dso, values, brstack; +FIELD or\n"
	"                       -FIELD: one more, one less\n"
	"  -1, --one-line       a line each, where there are two and an empty one\n"
	"  -e, --event=EVENT    the samples of this event only, by name or number\n"
	"      --no-demangle    show C++ names as the linker knows them\n"
	"      --no-inline      leave out the functions that were inlined\n"
	"  -h, --help           this text\n"
	"\n"
	"See pfmon-script(1).\n";

enum { OPTION_NO_DEMANGLE = CHAR_MAX + 1, OPTION_NO_INLINE };

static const struct option long_options[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "fields", required_argument, NULL, 'F' },
	{ "one-line", no_argument, NULL, '1' },
	{ "event", required_argument, NULL, 'e' },
	{ "no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE },
	{ "no-inline", no_argument, NULL, OPTION_NO_INLINE },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static bool take_option(void *data, int option, struct problem *why)
{
	struct script_options *options = data;

	switch (option) {
	case 'i':
		options->input = optarg;
		return true;
	case 'F':
		return fields_parse(optarg, &options->fields, why);
	case '1':
		options->one_line = true;
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
		return cmdline_unknown(why, "script");
	}
}

static const struct cmdline cmdline = {
	.letters = "i:F:1e:h", .names = long_options, .take = take_option,
};

static bool read_options(struct script_options *options, int argc, char **argv, bool *help,
			 struct problem *why)
{
	*options = (struct script_options){ .fields = FIELDS_DEFAULT };
	if (!cmdline_read(&cmdline, options, argc, argv, help, why))
		return false;
	return *help || cmdline_input(&options->input, argc, argv, "script", why);
}

/* The samples go to stdout; notes on the recording to stderr. */
static bool print(const struct ordered *ordered, const struct script *script, struct problem *why)
{
	size_t i;

	for (i = 0; i < ordered->n && !ferror(stdout); i++)
		script_print(script, &ordered->sample[i]);
	if (ferror(stdout) || fflush(stdout))
		return problem(why, "cannot write the samples: %s", strerror(errno));
	places_say_notes(script->places);
	return true;
}

static bool run(const struct script_options *options, struct problem *why)
{
	struct ordered ordered;
	struct script script = {
		.profile = &ordered.profile, .fields = options->fields,
		.one_line = options->one_line, .out = stdout,
	};
	size_t event;
	bool ok = true;

	if (!ordered_load(&ordered, options->input, why))
		return false;
	if (options->event) {
		ok = ordered_find_event(&ordered, options->event, &event, why);
		if (ok)
			ordered_select(&ordered, event);
	}
	if (ok) {
		script.places = places_open(&ordered.profile, !options->mangled);
		if (!options->no_inline)
			places_find_inlined(script.places);
		ok = print(&ordered, &script, why);
		places_close(script.places);
	}
	ordered_free(&ordered);
	return ok;
}

int verb_script(int argc, char **argv)
{
	struct script_options options;
	struct problem why;
	bool help, ok;

	ok = read_options(&options, argc, argv, &help, &why);
	if (ok && help)
		fputs(usage, stdout);
	else if (ok)
		ok = run(&options, &why);
	return cmdline_status(ok, &why);
}
