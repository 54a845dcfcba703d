// SPDX-License-Identifier: GPL-2.0
/* Common parts of the verbs' command lines. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"

bool cmdline_hint(struct problem *why, const char *verb)
{
	return problem_hint(why, "`pfmon %s --help` shows the options.", verb);
}

bool cmdline_unknown(struct problem *why, const char *verb)
{
	problem(why, "the command line cannot be understood"); /* getopt_long() has printed why */
	return cmdline_hint(why, verb);
}

bool cmdline_separator(const char **separator, const char *text, struct problem *why)
{
	*separator = strcmp(text, "\\t") ? text : "\t";
	return *text || problem(why, "-x: the separator is empty");
}

/* "-o, --output=ARG", "--compress[=ARG]", "--json": a line for each long option. */
static void list_options(const struct option *names)
{
	static const char *const arguments[] = {
		[no_argument] = "", [required_argument] = "=ARG", [optional_argument] = "[=ARG]",
	};
	const struct option *name;

	for (name = names; name->name; name++) {
		if (name->val > ' ' && name->val <= '~' &&
		    (name == names || name[-1].val != name->val))
			printf("-%c, ", name->val);
		printf("--%s%s\n", name->name, arguments[name->has_arg]);
	}
}

bool cmdline_read(const struct cmdline *cmdline, void *data, int argc, char **argv, bool *help,
		  struct problem *why)
{
	int option;

	*help = false;
	if (argc == 2 && !strcmp(argv[1], "--list-options")) {
		list_options(cmdline->names);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	optind = 0; /* again from the beginning, GNU's way */
	while ((option = getopt_long(argc, argv, cmdline->letters, cmdline->names, NULL)) >= 0) {
		if (option == 'h') {
			*help = true;
			return true;
		}
		if (!cmdline->take(data, option, why))
			return false;
	}
	return true;
}

bool cmdline_input(const char **input, int argc, char **argv, const char *verb,
		   struct problem *why)
{
	if (!*input && optind < argc)
		*input = argv[optind++];
	if (optind < argc) {
		problem(why, "'%s' is one file too many", argv[optind]);
		return cmdline_hint(why, verb);
	}
	if (!*input)
		*input = "pfmon.data";
	return true;
}

int cmdline_status(bool ok, const struct problem *why)
{
	if (ok)
		return EXIT_SUCCESS;
	problem_print(why);
	return EXIT_FAILURE;
}
