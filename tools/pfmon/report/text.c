// SPDX-License-Identifier: GPL-2.0
/* A table of samples as text. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "report/print.h"

#define MAX_WIDTH	50	/* a very long name, as C++ has them, sticks out */

struct widths {
	size_t	width[KEYS];
};

static void find_widths(struct widths *widths, const struct table *table,
			const struct row **rows, size_t n)
{
	size_t i, key, length;

	for (key = 0; key < table->keys.n; key++) {
		widths->width[key] = strlen(key_name(table->keys.key[key]));
		for (i = 0; i < n; i++) {
			length = strlen(rows[i]->value[key]);
			if (length > widths->width[key])
				widths->width[key] = length < MAX_WIDTH ? length : MAX_WIDTH;
		}
	}
}

void print_percent(FILE *out, const struct view *view, double percent)
{
	const char *colour = percent >= 5 ? "\033[31m" : percent >= 0.5 ? "\033[32m" : NULL;

	if (view->colour && colour)
		fprintf(out, " %s%7.2f%%\033[m", colour, percent);
	else
		fprintf(out, " %7.2f%%", percent);
}

static void print_counts(FILE *out, const struct view *view, const struct row *row)
{
	char count[40];
	size_t i;

	if (view->table->layout == LAYOUT_SOURCES) {
		for (i = 0; i < 2; i++)
			print_percent(out, view, table_percent(view->table, row, i));
		fprintf(out, " %+10.2f", table_difference(view->table, row));
		return;
	}
	for (i = 0; i < view->table->ncolumns; i++) {
		fprintf(out, "%s%12s", i ? "  " : "",
			with_thousands(row->count[i], count, sizeof(count)));
		print_percent(out, view, table_percent(view->table, row, i));
	}
	if (view->table->callees)
		print_percent(out, view, table_callees_percent(view->table, row));
}

/* Numbers are aligned right, texts left; the last text has no spaces behind it. */
static void print_keys(FILE *out, const struct table *table, const struct widths *widths,
		       const struct row *row)
{
	size_t i, length;

	for (i = 0; i < table->keys.n; i++) {
		const char *value = row ? row->value[i] : key_name(table->keys.key[i]);
		const size_t width = widths->width[i];

		fputs("  ", out);
		length = strlen(value);
		if (key_is_number(table->keys.key[i]) && length < width)
			fprintf(out, "%*s", (int)(width - length), "");
		print_plain(out, value);
		if (!key_is_number(table->keys.key[i]) && length < width && i + 1 < table->keys.n)
			fprintf(out, "%*s", (int)(width - length), "");
	}
	fputc('\n', out);
}

static void print_titles(FILE *out, const struct view *view, const struct widths *widths)
{
	const struct table *table = view->table;
	size_t i;

	fputc('#', out);
	if (table->layout == LAYOUT_EVENTS) {
		for (i = 0; i < table->ncolumns; i++)
			fprintf(out, "%s%*.*s", i ? "  " : "", i ? 21 : 20, 20,
				view->gathered->event[i].name);
		fputs("\n#", out);
	}
	if (table->layout == LAYOUT_SOURCES)
		fprintf(out, "%8s %8s %10s", "before", "after", "difference");
	else
		for (i = 0; i < table->ncolumns; i++)
			fprintf(out, "%*s %8s", i ? 14 : 11, "samples", "percent");
	if (table->callees)
		fprintf(out, " %8s", "+callees");
	print_keys(out, table, widths, NULL);
}

void print_rows(FILE *out, const struct view *view, const struct row **rows, size_t n)
{
	struct widths widths;
	size_t i;

	find_widths(&widths, view->table, rows, n);
	if (n)
		print_titles(out, view, &widths);
	for (i = 0; i < n; i++) {
		print_counts(out, view, rows[i]);
		print_keys(out, view->table, &widths, rows[i]);
	}
}

static void print_section(FILE *out, const struct view *view, size_t section)
{
	size_t n;
	const struct row **rows = view_rows(view, section, &n);

	if (n)
		fputs("#\n", out);
	print_rows(out, view, rows, n);
	free(rows);
}

void print_text(FILE *out, const struct view *view)
{
	const struct gathered *gathered = view->gathered;
	const size_t sections = view_sections(view);
	size_t event;

	print_heading(out, view);
	for (event = 0; event < gathered->nevents; event++) {
		print_event(out, view, event);
		if (sections == gathered->nevents || event + 1 == gathered->nevents)
			print_section(out, view, event);
		if (sections == gathered->nevents && event + 1 < gathered->nevents)
			fputc('\n', out);
	}
	print_notes(out, "# Note: ", &gathered->notes);
}
