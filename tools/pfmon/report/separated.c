// SPDX-License-Identifier: GPL-2.0
/* A table of samples as lines of fields. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>

#include "csv.h"
#include "report/print.h"

static void print_row(FILE *out, const struct view *view, const struct row *row,
		      const char *separator)
{
	const struct table *table = view->table;
	size_t i;

	for (i = 0; i < table->ncolumns; i++)
		fprintf(out, "%s%" PRIu64 "%s%.2f", i ? separator : "", row->count[i], separator,
			table_percent(table, row, i));
	if (table->layout == LAYOUT_SOURCES)
		fprintf(out, "%s%.2f", separator, table_difference(table, row));
	if (table->layout != LAYOUT_EVENTS) {
		fputs(separator, out);
		csv_text(out, view->gathered->event[row->event].name, separator);
	}
	for (i = 0; i < table->keys.n; i++) {
		if (table->keys.key[i] == KEY_EVENT)
			continue; /* it is printed already */
		fputs(separator, out);
		csv_text(out, row->value[i], separator);
	}
	/* At the end, so that the other fields have the same places as without chains. */
	if (table->callees)
		fprintf(out, "%s%" PRIu64 "%s%.2f", separator, row->callees, separator,
			table_callees_percent(table, row));
	fputc('\n', out);
}

void print_separated(FILE *out, const struct view *view, const char *separator)
{
	const struct gathered *gathered = view->gathered;
	const size_t sections = view_sections(view);
	const struct row **rows;
	struct ledger ledger;
	size_t event, n, i;

	for (event = 0; event < gathered->nevents; event++) {
		if (sections == gathered->nevents || !event) {
			rows = view_rows(view, event, &n);
			for (i = 0; i < n; i++)
				print_row(out, view, rows[i], separator);
			free(rows);
		}
		fprintf(out, "# samples: %" PRIu64 "\n", gathered->event[event].samples);
		if (view->filtered)
			fprintf(out, "# chosen: %" PRIu64 "\n", view_chosen(view, event));
	}
	if (view_ledger(view, &ledger))
		fprintf(out, "# lost: %" PRIu64 "\n", ledger_lost(&ledger));
	if (view_ledger(view, &ledger) && ledger.unplaced)
		fprintf(out, "# without room: %" PRIu64 "\n", ledger.unplaced);
	print_notes(out, "# ", &gathered->notes);
}
