// SPDX-License-Identifier: GPL-2.0
/* The part of a table that is shown, and the recordings' data about it. */
#define _GNU_SOURCE
#include "report/print.h"

bool view_ledger(const struct view *view, struct ledger *ledger)
{
	size_t i;

	*ledger = (struct ledger){ 0 };
	for (i = 0; i < view->gathered->nsources; i++) {
		if (!view->gathered->source[i].has_ledger)
			return false;
		ledger_sum(ledger, &view->gathered->source[i].ledger);
	}
	return true;
}

size_t view_sections(const struct view *view)
{
	const enum layout layout = view->table->layout;

	return layout == LAYOUT_SECTIONS || layout == LAYOUT_SOURCES ? view->table->nevents : 1;
}

uint64_t view_chosen(const struct view *view, size_t event)
{
	const struct table *table = view->table;
	uint64_t sum = 0;
	size_t i;

	if (table->layout == LAYOUT_EVENTS)
		return table_total(table, 0, event);
	for (i = 0; i < table->ncolumns; i++)
		sum += table_total(table, event, i);
	return sum;
}

static bool is_large(const struct view *view, const struct row *row)
{
	size_t i;

	for (i = 0; i < view->table->ncolumns; i++)
		if (table_percent(view->table, row, i) >= view->percent_limit)
			return true;
	return view->table->callees &&
	       table_callees_percent(view->table, row) >= view->percent_limit;
}

const struct row **view_rows(const struct view *view, size_t section, size_t *n)
{
	const struct table *table = view->table;
	const struct row **rows = xcalloc(table->n, sizeof(*rows));
	size_t i;

	*n = 0;
	for (i = 0; i < table->n && (!view->limit || *n < view->limit); i++)
		if ((view_sections(view) == 1 || table->row[i]->event == section) &&
		    is_large(view, table->row[i]))
			rows[(*n)++] = table->row[i];
	return rows;
}
