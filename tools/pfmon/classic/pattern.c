// SPDX-License-Identifier: GPL-2.0
/* The patterns of pfmon 3, regular expressions, as those of the verbs. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "classic/pattern.h"

/*
 * The expressions in use: words, ".", "\." and ".*", "^" and "$" at the ends, and characters in
 * brackets. An expression is found anywhere in a name, a glob matches all of it.
 */
char *glob_of_regex(const char *option, const char *regex, const char *verb,
		    const char *example, struct problem *why)
{
	const char *p = regex + (*regex == '^');
	const size_t room = 2 * strlen(regex) + 3;
	char *glob = xcalloc(room, 1);

	append(glob, room, "%s", *regex == '^' ? "" : "*");
	for (; *p && strcmp(p, "$"); p++) {
		if (p[0] == '.' && p[1] == '*')
			append(glob, room, "%c", *++p);
		else if (p[0] == '\\' && p[1] == '.')
			append(glob, room, "%c", *++p);
		else if (*p == '.')
			append(glob, room, "?");
		else if (isalnum((unsigned char)*p) || strchr("_:-[]/", *p))
			append(glob, room, "%c", *p);
		else
			break;
	}
	if (!*p || !strcmp(p, "$")) {
		append(glob, room, "%s", *p ? "" : "*");
		return glob;
	}
	problem(why, "%s%s: this expression is too much for %s", option, regex, verb);
	problem_hint(why, "It takes a pattern with *, ? and [], or a part of a name: %s.", example);
	free(glob);
	return NULL;
}
