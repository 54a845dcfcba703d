/* SPDX-License-Identifier: GPL-2.0 */
/* A table of samples in three forms: text, separated fields, JSON. */
#ifndef PFMON_REPORT_PRINT_H
#define PFMON_REPORT_PRINT_H

#include <stdio.h>

#include "report/table.h"

struct view {
	const struct gathered	*gathered;
	const struct table	*table;
	bool			filtered;	/* not all samples are in the table */
	bool			colour;
	uint64_t		limit;		/* rows of a section; 0: all */
	double			percent_limit;	/* rows with as much in a column */
};

void print_text(FILE *out, const struct view *view);
void print_separated(FILE *out, const struct view *view, const char *separator);
void print_json(FILE *out, const struct view *view);

/* Some rows of a table as text, below a line of titles. */
void print_rows(FILE *out, const struct view *view, const struct row **rows, size_t n);

/* What they share. */

/*
 * What comes from the file is shown, not obeyed: no line breaks, no escapes. Returns how
 * many bytes were printed.
 */
size_t print_plain(FILE *out, const char *text);

/* "  12.34%", in the colour that it has. */
void print_percent(FILE *out, const struct view *view, double percent);

/* The commands, where and when they were recorded. */
void print_heading(FILE *out, const struct view *view);

/* An event, its samples, and what was lost. */
void print_event(FILE *out, const struct view *view, size_t number);

/* Of all recordings. False: not known of one at least. */
bool view_ledger(const struct view *view, struct ledger *ledger);
uint64_t ledger_lost(const struct ledger *ledger);

/* The samples of an event that are in the table, because they passed the filters. */
uint64_t view_chosen(const struct view *view, size_t event);

/* The rows of a section that are shown; to be freed. */
const struct row **view_rows(const struct view *view, size_t section, size_t *n);

/* Sections: one an event, or one in all. */
size_t view_sections(const struct view *view);

#endif /* PFMON_REPORT_PRINT_H */
