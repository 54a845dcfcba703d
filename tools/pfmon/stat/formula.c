// SPDX-License-Identifier: GPL-2.0
/* A formula is read from left to right, a function for each level of precedence. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "stat/formula.h"

/* Parentheses in parentheses: no formula needs more, and the stack is limited. */
#define MAX_DEPTH	32

struct reader {
	const char	*text, *at;
	formula_lookup	*lookup;
	void		*data;
	unsigned int	depth;
	struct problem	*why;
};

static bool sum(struct reader *reader, double *value);

static void skip_blanks(struct reader *reader)
{
	while (isspace((unsigned char)*reader->at))
		reader->at++;
}

static bool take(struct reader *reader, char c)
{
	skip_blanks(reader);
	if (*reader->at != c)
		return false;
	reader->at++;
	return true;
}

static bool wanted(struct reader *reader, const char *what)
{
	return problem(reader->why, "'%.80s': %s is wanted at '%.40s'", reader->text, what, reader->at);
}

static bool number(struct reader *reader, double *value)
{
	char *end;

	*value = strtod(reader->at, &end);
	if (end == reader->at)
		return wanted(reader, "a number");
	reader->at = end;
	return true;
}

static bool name(struct reader *reader, double *value)
{
	const size_t length = strcspn(reader->at, " \t()+*/");

	if (!reader->lookup(reader->data, reader->at, length, value))
		return problem(reader->why, "'%.80s': '%.*s' is not one of the group's events",
			       reader->text, (int)length, reader->at);
	reader->at += length;
	return true;
}

static bool operand(struct reader *reader, double *value)
{
	bool ok;

	if (take(reader, '(')) {
		if (++reader->depth > MAX_DEPTH)
			return problem(reader->why, "'%.80s': too many parentheses", reader->text);
		ok = sum(reader, value) && (take(reader, ')') || wanted(reader, "')'"));
		reader->depth--;
		return ok;
	}
	if (isdigit((unsigned char)*reader->at) || *reader->at == '.')
		return number(reader, value);
	if (isalpha((unsigned char)*reader->at) || *reader->at == '_')
		return name(reader, value);
	return wanted(reader, "an event, a number or '('");
}

static bool product(struct reader *reader, double *value)
{
	double right;

	if (!operand(reader, value))
		return false;
	for (;;) {
		const bool times = take(reader, '*');

		if (!times && !take(reader, '/'))
			return true;
		if (!operand(reader, &right))
			return false;
		*value = times ? *value * right : *value / right;
	}
}

static bool sum(struct reader *reader, double *value)
{
	double right;

	if (!product(reader, value))
		return false;
	for (;;) {
		const bool plus = take(reader, '+');

		if (!plus && !take(reader, '-'))
			return true;
		if (!product(reader, &right))
			return false;
		*value = plus ? *value + right : *value - right;
	}
}

bool formula_value(const char *text, formula_lookup *lookup, void *data, double *value,
		   struct problem *why)
{
	struct reader reader = {
		.text = text, .at = text, .lookup = lookup, .data = data, .why = why,
	};

	if (!sum(&reader, value))
		return false;
	skip_blanks(&reader);
	return !*reader.at || wanted(&reader, "an operator");
}
