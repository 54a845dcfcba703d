// SPDX-License-Identifier: GPL-2.0
/* The events of pfmon 3's -e, with the privilege levels that it has beside them. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "classic/events.h"

void split_list(struct strings *parts, const char *list)
{
	size_t n;

	for (;; list += n + 1) {
		n = strcspn(list, ",");
		strings_add(parts, xasprintf("%.*s", (int)n, list));
		if (!list[n])
			return;
	}
}

char *join_list(const struct strings *parts, size_t from, size_t to)
{
	char *list = xstrdup(""), *longer;

	for (; from < to; from++) {
		longer = xasprintf("%s%s%s", list, *list ? "," : "", parts->text[from]);
		free(list);
		list = longer;
	}
	return list;
}

/* pfmon 3 counted at user level by default. */
static const char *usual_levels(const struct classic *classic)
{
	if (classic->kernel)
		return classic->user ? "uk" : "k";
	return "u";
}

/* "uk", "3" or "0" to ":u:k", ":u" or ":k"; NULL when it is none. */
static const char *modifiers(const char *levels)
{
	const size_t n = strlen(levels);

	if (!n || strspn(levels, "u3k0") != n)
		return NULL;
	if (!strpbrk(levels, "u3"))
		return ":k";
	return strpbrk(levels, "k0") ? ":u:k" : ":u";
}

static bool add_set(const struct classic *classic, const char *list,
		    const struct strings *levels, size_t *number, struct strings *sets,
		    struct problem *why)
{
	struct strings names = { NULL, 0, 0 };
	const char *level = "", *text;
	size_t i;

	split_list(&names, list);
	for (i = 0; i < names.n; i++, ++*number) {
		text = *number < levels->n ? levels->text[*number] : usual_levels(classic);
		level = modifiers(text);
		if (!level) {
			problem(why, "--priv-levels: '%s' is not made of u and k", text);
			break;
		}
		text = names.text[i];
		names.text[i] = xasprintf("%s%s", text, level);
		free((char *)text);
	}
	if (level)
		strings_add(sets, join_list(&names, 0, names.n));
	strings_free(&names);
	return level;
}

bool classic_events(const struct classic *classic, struct strings *sets, struct problem *why)
{
	struct strings levels = { NULL, 0, 0 };
	size_t i, number = 0;
	bool ok = true;

	if (classic->levels)
		split_list(&levels, classic->levels);
	for (i = 0; ok && i < classic->events.n; i++)
		ok = add_set(classic, classic->events.text[i], &levels, &number, sets, why);
	if (!classic->events.n) /* the default of pfmon 3 */
		ok = add_set(classic, "cycles", &levels, &number, sets, why);
	if (ok && number < levels.n)
		ok = problem(why, "--priv-levels: there are %zu for %zu event%s", levels.n, number,
			     PLURAL(number));
	strings_free(&levels);
	return ok;
}
