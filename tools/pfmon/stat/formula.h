/* SPDX-License-Identifier: GPL-2.0 */
/* Arithmetic over named values: + - * / and parentheses. */
#ifndef PFMON_STAT_FORMULA_H
#define PFMON_STAT_FORMULA_H

#include "util.h"

/*
 * The value of @name, which has @length characters. False: there is none of that name.
 */
typedef bool formula_lookup(void *data, const char *name, size_t length, double *value);

/*
 * Compute @text; false, with the reason, when it is no formula. A name goes on to the next
 * blank, parenthesis, + * or /, so that names may have a - in them: a minus stands between
 * blanks. A division by zero gives what is not finite.
 */
bool formula_value(const char *text, formula_lookup *lookup, void *data, double *value,
		   struct problem *why);

#endif /* PFMON_STAT_FORMULA_H */
