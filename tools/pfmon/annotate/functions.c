// SPDX-License-Identifier: GPL-2.0
/*
 * The functions that samples are in. A function is a row of `pfmon report`: all code with one
 * name in one file. Several static functions may share a name, and a function may be in
 * pieces.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "annotate/functions.h"

enum { VALUE_SYMBOL, VALUE_FILE, VALUE_ADDRESS };

const struct keys functions_keys = {
	.key = { [VALUE_SYMBOL] = KEY_SYMBOL, [VALUE_FILE] = KEY_FILE,
		 [VALUE_ADDRESS] = KEY_ADDRESS },
	.n = 3,
};

bool function_address(const struct row *row, uint64_t *address)
{
	return parse_u64(row->value[VALUE_ADDRESS], address);
}

static uint64_t address_of(const struct row *row)
{
	uint64_t address;

	return function_address(row, &address) ? address : 0;
}

static int by_function(const void *one, const void *other)
{
	const struct row *a = *(const struct row *const *)one;
	const struct row *b = *(const struct row *const *)other;
	const uint64_t at = address_of(a), other_at = address_of(b);

	return strcmp(a->value[VALUE_SYMBOL], b->value[VALUE_SYMBOL]) ?:
	       strcmp(a->value[VALUE_FILE], b->value[VALUE_FILE]) ?:
	       (at > other_at) - (at < other_at);
}

/* Equal names are the same pointer. */
static bool is_of(const struct function *function, const struct row *row)
{
	return function->symbol == row->value[VALUE_SYMBOL] &&
	       function->file == row->value[VALUE_FILE];
}

static int by_size(const void *one, const void *other, void *data)
{
	const struct function *a = one, *b = other;
	const struct table *table = data;
	size_t i;

	for (i = 0; i < table->ncolumns; i++)
		if (a->count[i] != b->count[i])
			return a->count[i] < b->count[i] ? 1 : -1;
	return strcmp(a->symbol, b->symbol) ?: strcmp(a->file, b->file);
}

static void add_up(struct functions *functions, const struct table *table)
{
	struct function *function;
	uint64_t *count;
	size_t i, k, e;

	functions->count = xcalloc(functions->n * table->ncolumns, sizeof(*functions->count));
	for (i = 0; i < functions->n; i++) {
		function = &functions->function[i];
		count = functions->count + i * table->ncolumns;
		for (k = 0; k < function->nrows; k++)
			for (e = 0; e < table->ncolumns; e++)
				count[e] += function->row[k]->count[e];
		function->count = count;
	}
}

void functions_collect(struct functions *functions, const struct table *table)
{
	struct function *function = NULL;
	size_t i;

	functions->row = xcalloc(table->n, sizeof(*functions->row));
	for (i = 0; i < table->n; i++)
		functions->row[i] = table->row[i];
	if (table->n)
		qsort(functions->row, table->n, sizeof(*functions->row), by_function);
	for (i = 0; i < table->n; i++) {
		const struct row *row = functions->row[i];

		if (!function || !is_of(function, row)) {
			GROW(functions->function, functions->n, functions->room);
			function = &functions->function[functions->n++];
			*function = (struct function){
				.symbol = row->value[VALUE_SYMBOL], .file = row->value[VALUE_FILE],
				.row = &functions->row[i],
			};
		}
		function->nrows++;
	}
	add_up(functions, table);
	if (functions->n)
		qsort_r(functions->function, functions->n, sizeof(*functions->function), by_size,
			(void *)table);
}

void functions_free(struct functions *functions)
{
	free(functions->function);
	free(functions->row);
	free(functions->count);
	memset(functions, 0, sizeof(*functions));
}
