/* SPDX-License-Identifier: GPL-2.0 */
/* Arithmetic over named values: + - * / and parentheses. */
#ifndef PFMON_STAT_FORMULA_H
#define PFMON_STAT_FORMULA_H

#include "util.h"

/*
 * The value of @name, which has @length characters. False: there is no such name.
 */
typedef bool formula_lookup(void *data, const char *name, size_t length, double *value);

/*
 * Compute @text. False, with the reason: it is no formula. A name ends before a blank, parenthesis,
 * + * or /, so names may contain a -: a minus must stand between blanks. A division by zero gives
 * a value that is not finite.
 */
bool formula_value(const char *text, formula_lookup *lookup, void *data, double *value,
		   struct problem *why);

#endif /* PFMON_STAT_FORMULA_H */
