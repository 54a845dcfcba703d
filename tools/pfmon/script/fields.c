// SPDX-License-Identifier: GPL-2.0
/* The argument of -F: the fields of a sample that are printed. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "script/script.h"

static const struct {
	const char	*name;
	unsigned int	field;
} names[] = {
	{ "comm", FIELD_COMM },
	{ "pid", FIELD_PID },
	{ "tid", FIELD_TID },
	{ "cpu", FIELD_CPU },
	{ "time", FIELD_TIME },
	{ "count", FIELD_COUNT },
	{ "period", FIELD_PERIOD },
	{ "event", FIELD_EVENT },
	{ "ip", FIELD_IP },
	{ "sym", FIELD_SYM },
	{ "symoff", FIELD_SYMOFF },
	{ "dso", FIELD_DSO },
	{ "values", FIELD_VALUES },
	{ "brstack", FIELD_BRSTACK },
};

static bool unknown(const char *name, struct problem *why)
{
	char all[256] = "";
	size_t i;

	for (i = 0; i < COUNT(names); i++)
		append(all, sizeof(all), "%s%s", i ? ", " : "", names[i].name);
	problem(why, "-F: there is no field '%s'", name);
	return problem_hint(why, "The fields are %s.", all);
}

/* One field; the first one without a sign begins a list in place of the default fields. */
static bool take(const char *word, unsigned int *fields, bool *anew, struct problem *why)
{
	const char sign = *word == '+' || *word == '-' ? *word++ : '\0';
	size_t i;

	for (i = 0; i < COUNT(names) && strcmp(names[i].name, word); i++)
		;
	if (i == COUNT(names))
		return unknown(word, why);
	if (!sign && *anew)
		*fields = 0;
	*anew = false;
	if (sign == '-')
		*fields &= ~names[i].field;
	else
		*fields |= names[i].field;
	return true;
}

bool fields_parse(const char *text, unsigned int *fields, struct problem *why)
{
	char *copy = xstrdup(text), *word, *rest = copy;
	bool anew = true, ok = true;

	*fields = FIELDS_DEFAULT;
	while (ok && (word = strsep(&rest, ",")))
		ok = take(word, fields, &anew, why);
	free(copy);
	return ok && (*fields || problem(why, "-F %s: no field is left", text));
}
