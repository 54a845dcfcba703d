/* SPDX-License-Identifier: GPL-2.0 */
/* Common parts of the verbs' command lines. */
#ifndef PFMON_CMDLINE_H
#define PFMON_CMDLINE_H

#include <getopt.h>

#include "util.h"

struct cmdline {
	const char		*letters;	/* as for getopt_long() */
	const struct option	*names;

	/*
	 * Take an option, whose argument is optarg; @data is the caller's. False, with the
	 * reason: it makes no sense. For an unknown option call cmdline_unknown().
	 */
	bool	(*take)(void *data, int option, struct problem *why);
};

/*
 * Read the options; "--list-options" alone lists them, for the completion of shells, and exits.
 * optind is then the first argument behind them. -h ends it: *@help is set. False, with the
 * reason, at the first option that makes no sense.
 */
bool cmdline_read(const struct cmdline *cmdline, void *data, int argc, char **argv, bool *help,
		  struct problem *why);

/* A hint to the help; a message that getopt_long() found no such option. Both return false. */
bool cmdline_hint(struct problem *why, const char *verb);
bool cmdline_unknown(struct problem *why, const char *verb);

/* The argument of -x, in which \t is a tab. */
bool cmdline_separator(const char **separator, const char *text, struct problem *why);

/* Take the operand FILE, unless an option has set *@input; without both it is "pfmon.data". */
bool cmdline_input(const char **input, int argc, char **argv, const char *verb,
		   struct problem *why);

/* The exit status of a verb that shows recordings. A problem is printed. */
int cmdline_status(bool ok, const struct problem *why);

#endif /* PFMON_CMDLINE_H */
