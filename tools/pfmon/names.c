// SPDX-License-Identifier: GPL-2.0
/* Texts that are kept once, in a hash table with open addressing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

static size_t place_of(const struct names *names, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	uint64_t at = 0xcbf29ce484222325ULL; /* FNV-1a */

	for (; *s; s++)
		at = (at ^ *s) * 0x100000001b3ULL;
	for (at ^= at >> 32;; at++) {
		const char *there = names->text[at & (names->room - 1)];

		if (!there || !strcmp(there, text))
			return at & (names->room - 1);
	}
}

static void grow(struct names *names)
{
	char **old = names->text;
	const size_t room = names->room;
	size_t i;

	names->room = room ? 2 * room : 256;
	names->text = xcalloc(names->room, sizeof(*names->text));
	for (i = 0; i < room; i++)
		if (old[i])
			names->text[place_of(names, old[i])] = old[i];
	free(old);
}

const char *names_keep(struct names *names, const char *text)
{
	size_t at;

	if (2 * names->n >= names->room)
		grow(names);
	at = place_of(names, text);
	if (!names->text[at]) {
		names->text[at] = xstrdup(text);
		names->n++;
	}
	return names->text[at];
}

const char *names_keep_number(struct names *names, uint64_t number, bool hex)
{
	char text[32];

	snprintf(text, sizeof(text), hex ? "0x%" PRIx64 : "%" PRIu64, number);
	return names_keep(names, text);
}

void names_free(struct names *names)
{
	size_t i;

	for (i = 0; i < names->room; i++)
		free(names->text[i]);
	free(names->text);
	memset(names, 0, sizeof(*names));
}
