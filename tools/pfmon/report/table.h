/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of samples that have the same keys, with a count in each column. */
#ifndef PFMON_REPORT_TABLE_H
#define PFMON_REPORT_TABLE_H

#include "report/gather.h"
#include "report/keys.h"
#include "symbols/cache.h"

/* The meaning of rows besides their keys, and of columns. */
enum layout {
	LAYOUT_SECTIONS,	/* rows of an event, then of the next one; one column */
	LAYOUT_MIXED,		/* rows of an event each, all in one section; one column */
	LAYOUT_EVENTS,		/* a column for each event */
	LAYOUT_SOURCES,		/* sections as well, and a column for each recording */
};

struct row {
	size_t		event;		/* 0 where events are columns */
	const char	*value[KEYS];	/* in the order of the keys; equal texts have one address */
	uint64_t	callees;	/* samples, with those in the functions it calls */
	uint64_t	latest;		/* number of the last cell in @callees: none counts twice */
	uint64_t	count[];
};

struct table {
	struct keys	keys;
	enum layout	layout;
	bool		callees;	/* rows have @callees: call chains are known */
	bool		by_callees;	/* ... and are sorted by them */
	size_t		nevents, ncolumns;
	struct row	**row;
	size_t		n, room;
	uint64_t	*total;		/* samples of each event, in each column */
	struct row	**slot;		/* a hash table */
	size_t		slots;
};

struct table_options {
	struct keys		keys;
	enum layout		layout;
	const struct filter	*filter;
	bool			by_callees;	/* sort by @callees, if call chains are known */
	bool			mangled;	/* keep the linker's names */
	struct symbols_cache	*cache;		/* of open files; NULL: none */
};

/*
 * Sum up; the largest first. The notes get the names and lines that cannot be found. The table
 * lives as long as @gathered at most.
 */
void table_make(struct table *table, struct gathered *gathered,
		const struct table_options *options);
void table_free(struct table *table);

/* An event's samples in a column, and a row's part of its column in percent. */
uint64_t table_total(const struct table *table, size_t event, size_t column);
double table_percent(const struct table *table, const struct row *row, size_t column);

/* The same for its samples with those in the functions it calls. */
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
