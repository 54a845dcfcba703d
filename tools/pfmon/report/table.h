/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of samples that have the same keys, with a count in each column. */
#ifndef PFMON_REPORT_TABLE_H
#define PFMON_REPORT_TABLE_H

#include "report/gather.h"
#include "report/keys.h"
#include "symbols/cache.h"

/* What a row is of besides its keys, and what its columns are. */
enum layout {
	LAYOUT_SECTIONS,	/* rows of an event, then those of the next; one column */
	LAYOUT_MIXED,		/* rows of an event, all in one; one column */
	LAYOUT_EVENTS,		/* a column an event */
	LAYOUT_SOURCES,		/* sections as well, and a column a recording */
};

struct row {
	size_t		event;		/* 0 where events are columns */
	const char	*value[KEYS];	/* in the order of the keys; equal ones are the same */
	uint64_t	callees;	/* samples, with those in what it calls */
	uint64_t	latest;		/* cell that these have, by number: none counts twice */
	uint64_t	count[];
};

struct table {
	struct keys	keys;
	enum layout	layout;
	bool		callees;	/* rows have them: call chains are known */
	bool		by_callees;	/* ... and are sorted by them */
	size_t		nevents, ncolumns;
	struct row	**row;
	size_t		n, room;
	uint64_t	*total;		/* of each event, in each column */
	struct row	**slot;		/* a hash table */
	size_t		slots;
};

struct table_options {
	struct keys		keys;
	enum layout		layout;
	const struct filter	*filter;
	bool			by_callees;	/* sorted so, if call chains are known */
	bool			mangled;	/* names stay as the linker knows them */
	struct symbols_cache	*cache;		/* of open files; NULL: none */
};

/*
 * Sum up; the largest first. Which names and lines cannot be had is added to the notes.
 * Lives as long as @gathered at most.
 */
void table_make(struct table *table, struct gathered *gathered,
		const struct table_options *options);
void table_free(struct table *table);

/* The samples in the same column, and a row's part of them in percent. */
uint64_t table_total(const struct table *table, size_t event, size_t column);
double table_percent(const struct table *table, const struct row *row, size_t column);

/* The same of its samples with those in what it calls. */
double table_callees_percent(const struct table *table, const struct row *row);

/* The points in percent by which the second column has more than the first. */
double table_difference(const struct table *table, const struct row *row);

/* For table_make(). */
void table_begin(struct table *table, const struct table_options *options,
		 const struct gathered *gathered);
void table_add(struct table *table, const struct row *row, size_t column, uint64_t count);
void table_add_callees(struct table *table, const struct row *row, uint64_t cell, uint64_t count);
void table_sort(struct table *table);

#endif /* PFMON_REPORT_TABLE_H */
