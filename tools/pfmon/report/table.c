// SPDX-License-Identifier: GPL-2.0
/* Rows of samples that have the same keys, found in a hash table, and sorted at the end. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/table.h"

uint64_t table_total(const struct table *table, size_t event, size_t column)
{
	return table->total[event * table->ncolumns + column];
}

double table_percent(const struct table *table, const struct row *row, size_t column)
{
	const uint64_t total = table_total(table, row->event, column);

	return total ? 100 * (double)row->count[column] / (double)total : 0;
}

double table_callees_percent(const struct table *table, const struct row *row)
{
	const uint64_t total = table_total(table, row->event, 0);

	return total ? 100 * (double)row->callees / (double)total : 0;
}

double table_difference(const struct table *table, const struct row *row)
{
	return table_percent(table, row, 1) - table_percent(table, row, 0);
}

void table_begin(struct table *table, const struct table_options *options,
		 const struct gathered *gathered)
{
	memset(table, 0, sizeof(*table));
	table->keys = options->keys;
	table->layout = options->layout;
	table->callees = gathered->npaths > 0;
	table->by_callees = table->callees && options->by_callees;
	table->nevents = options->layout == LAYOUT_EVENTS ? 1 : gathered->nevents;
	table->ncolumns = options->layout == LAYOUT_EVENTS ? gathered->nevents :
			  options->layout == LAYOUT_SOURCES ? gathered->nsources : 1;
	table->total = xcalloc(table->nevents * table->ncolumns, sizeof(*table->total));
}

static bool same(const struct table *table, const struct row *a, const struct row *b)
{
	return a->event == b->event &&
	       !memcmp(a->value, b->value, table->keys.n * sizeof(*a->value));
}

static size_t place_of(const struct table *table, const struct row *row)
{
	uint64_t at = row->event;
	size_t i;

	for (i = 0; i < table->keys.n; i++)
		at = (at ^ (uintptr_t)row->value[i]) * 0x9e3779b97f4a7c15ULL;
	for (at ^= at >> 32;; at++) {
		const struct row *there = table->slot[at & (table->slots - 1)];

		if (!there || same(table, there, row))
			return at & (table->slots - 1);
	}
}

static void make_slots(struct table *table)
{
	size_t i;

	free(table->slot);
	table->slots = table->slots ? 2 * table->slots : 256;
	table->slot = xcalloc(table->slots, sizeof(*table->slot));
	for (i = 0; i < table->n; i++)
		table->slot[place_of(table, table->row[i])] = table->row[i];
}

/* The row with these keys; a new one if there was none. */
static struct row *find_row(struct table *table, const struct row *row)
{
	struct row *there;
	size_t at;

	if (2 * table->n >= table->slots)
		make_slots(table);
	at = place_of(table, row);
	there = table->slot[at];
	if (!there) {
		there = xcalloc(1, sizeof(*there) + table->ncolumns * sizeof(*there->count));
		*there = *row;
		GROW(table->row, table->n, table->room);
		table->row[table->n++] = there;
		table->slot[at] = there;
	}
	return there;
}

void table_add(struct table *table, const struct row *row, size_t column, uint64_t count)
{
	find_row(table, row)->count[column] += count;
	table->total[row->event * table->ncolumns + column] += count;
}

/* A function that calls itself counts a sample once. */
void table_add_callees(struct table *table, const struct row *row, uint64_t cell, uint64_t count)
{
	struct row *there = find_row(table, row);

	if (there->latest == cell)
		return;
	there->latest = cell;
	there->callees += count;
}

static int by_names(const struct table *table, const struct row *a, const struct row *b)
{
	size_t i;
	int order;

	for (i = 0; i < table->keys.n; i++) {
		if (a->value[i] == b->value[i])
			continue;
		if (key_is_number(table->keys.key[i]))
			order = strverscmp(a->value[i], b->value[i]);
		else
			order = strcmp(a->value[i], b->value[i]);
		if (order)
			return order;
	}
	return 0;
}

/* The row in which the recordings differ most comes first. */
static int by_difference(const struct table *table, const struct row *a, const struct row *b)
{
	const double one = fabs(table_difference(table, a));
	const double other = fabs(table_difference(table, b));

	return (one < other) - (one > other);
}

static int by_callees(const struct row *a, const struct row *b)
{
	return (a->callees < b->callees) - (a->callees > b->callees);
}

static int by_size(const void *one, const void *other, void *data)
{
	const struct row *a = *(const struct row *const *)one, *b = *(const struct row *const *)other;
	const struct table *table = data;
	size_t i;
	int order;

	if (table->layout != LAYOUT_MIXED && a->event != b->event)
		return a->event < b->event ? -1 : 1;
	order = table->layout == LAYOUT_SOURCES ? by_difference(table, a, b) :
		table->by_callees ? by_callees(a, b) : 0;
	for (i = 0; !order && i < table->ncolumns; i++)
		order = (a->count[i] < b->count[i]) - (a->count[i] > b->count[i]);
	order = order ?: by_callees(a, b);
	return order ?: by_names(table, a, b) ?: (a->event > b->event) - (a->event < b->event);
}

void table_sort(struct table *table)
{
	if (table->n)
		qsort_r(table->row, table->n, sizeof(*table->row), by_size, table);
}

void table_free(struct table *table)
{
	size_t i;

	for (i = 0; i < table->n; i++)
		free(table->row[i]);
	free(table->row);
	free(table->slot);
	free(table->total);
	memset(table, 0, sizeof(*table));
}
