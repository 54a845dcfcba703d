/* SPDX-License-Identifier: GPL-2.0 */
/* The patterns of pfmon 3, regular expressions, as those of the verbs. */
#ifndef PFMON_CLASSIC_PATTERN_H
#define PFMON_CLASSIC_PATTERN_H

#include "util.h"

/*
 * The glob for the expression of an option, "-l" or "--follow-exec=", to be freed; NULL,
 * with the reason, if there is none: @verb takes globs, @example is a command line.
 */
char *glob_of_regex(const char *option, const char *regex, const char *verb,
		    const char *example, struct problem *why);

#endif /* PFMON_CLASSIC_PATTERN_H */
