// SPDX-License-Identifier: GPL-2.0
/* pfmon without a verb: the command line of pfmon 3, for the scripts that exist. */
#define _GNU_SOURCE
#include <stdio.h>

#include "classic/classic.h"
#include "classic/translate.h"

bool classic_to_verb(int argc, char **argv, struct strings *verb)
{
	struct strings notes = { NULL, 0, 0 };
	struct problem why = { "", "" };
	struct classic classic;
	size_t i;
	bool ok;

	argv[0] = "pfmon"; /* getopt_long() begins its messages with it */
	ok = classic_read(&classic, argc, argv, &why) &&
	     classic_translate(&classic, verb, &notes, &why);
	if (!ok)
		problem_print(&why);
	for (i = 0; ok && i < notes.n; i++)
		complain("note: %s", notes.text[i]);
	strings_add(verb, NULL);
	verb->n--;
	strings_free(&notes);
	classic_free(&classic);
	return ok;
}
