/* SPDX-License-Identifier: GPL-2.0 */
/* A table of samples in three forms: text, separated fields, JSON. */
#ifndef PFMON_REPORT_PRINT_H
#define PFMON_REPORT_PRINT_H

#include <stdio.h>

#include "losses.h"
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

/* The common parts of the three forms. */

/*
 * Print text from the file without line breaks and escapes, so that a terminal does not obey it.
 * Returns the number of bytes printed.
 */
size_t print_plain(FILE *out, const char *text);

/* A line for each note, which begins with @prefix. */
void print_notes(FILE *out, const char *prefix, const struct strings *notes);

/* "  12.34%", in its colour. */
void print_percent(FILE *out, const struct view *view, double percent);

/* The commands, with the host and the time of their recordings. */
void print_heading(FILE *out, const struct view *view);

/* An event, its samples, and the lost ones. */
void print_event(FILE *out, const struct view *view, size_t number);

/* The sum over all recordings. False: unknown for at least one. */
bool view_ledger(const struct view *view, struct ledger *ledger);

/* The samples of an event that are in the table, because they passed the filters. */
uint64_t view_chosen(const struct view *view, size_t event);

/* The rows of a section that are shown; the caller frees the array. */
const struct row **view_rows(const struct view *view, size_t section, size_t *n);

/* The number of sections: one for each event, or one in all. */
size_t view_sections(const struct view *view);

#endif /* PFMON_REPORT_PRINT_H */
