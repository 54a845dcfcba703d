/* SPDX-License-Identifier: GPL-2.0 */
/* The options of `pfmon report`; `pfmon diff` has most of them as well. */
#ifndef PFMON_REPORT_OPTIONS_H
#define PFMON_REPORT_OPTIONS_H

#include <limits.h>

#include "cmdline.h"
#include "report/keys.h"
#include "report/terminal.h"

struct report_options {
	const char	*verb;		/* the owner of these options */
	struct strings	input;
	struct keys	sort;
	struct filter	filter;
	bool		event_columns;
	bool		sorted;		/* --sort was given */
	bool		branches;	/* of `pfmon report` only, as are: */
	bool		by_callees;
	bool		no_inline;	/* of the trees */
	enum { CALLS_CALLERS = 1, CALLS_CALLEES } calls; /* 0: a table */
	const char	*separator;	/* -x, or NULL */
	bool		json;
	bool		mangled;
	bool		no_pager;
	enum colour	colour;
	uint64_t	limit;
	double		percent_limit;	/* below 0: not given */
	double		from, to;	/* seconds; to < 0: without end */
};

/*
 * The common options of all verbs that sum samples up, for their tables of options; the letters
 * i, x, j and h belong to them. A verb's own numbers begin at REPORT_OPTIONS_END.
 */
enum {
	OPTION_LIMIT = CHAR_MAX + 1, OPTION_PERCENT_LIMIT, OPTION_NO_DEMANGLE, OPTION_COLOR,
	OPTION_NO_PAGER, OPTION_FROM, OPTION_TO,
	OPTION_FILTER,	/* and a key */
	REPORT_OPTIONS_END = OPTION_FILTER + KEYS,
};

#define REPORT_FILTER(name, key) { name, required_argument, NULL, OPTION_FILTER + (key) }
#define REPORT_OPTIONS								\
	{ "input", required_argument, NULL, 'i' },				\
	{ "limit", required_argument, NULL, OPTION_LIMIT },			\
	{ "percent-limit", required_argument, NULL, OPTION_PERCENT_LIMIT },	\
	REPORT_FILTER("symbol", KEY_SYMBOL), REPORT_FILTER("file", KEY_FILE),	\
	REPORT_FILTER("comm", KEY_COMM), REPORT_FILTER("pid", KEY_PID),		\
	REPORT_FILTER("tid", KEY_TID), REPORT_FILTER("cpu", KEY_CPU),		\
	REPORT_FILTER("event", KEY_EVENT),					\
	{ "from", required_argument, NULL, OPTION_FROM },			\
	{ "to", required_argument, NULL, OPTION_TO },				\
	{ "no-demangle", no_argument, NULL, OPTION_NO_DEMANGLE },		\
	{ "color", required_argument, NULL, OPTION_COLOR },			\
	{ "colour", required_argument, NULL, OPTION_COLOR },			\
	{ "no-pager", no_argument, NULL, OPTION_NO_PAGER },			\
	{ "field-separator", required_argument, NULL, 'x' },			\
	{ "json", no_argument, NULL, 'j' },					\
	{ "help", no_argument, NULL, 'h' }

void report_options_begin(struct report_options *options, const char *verb);

/* Take one of these options, whose argument is optarg. */
bool report_options_take(struct report_options *options, int option, struct problem *why);

/* False, with the reason: some options exclude each other. */
bool report_options_check(const struct report_options *options, struct problem *why);

/* The usage text of the options that `pfmon report` and `pfmon diff` share. */
extern const char report_options_usage[];

bool report_options_read(struct report_options *options, const char *verb, int argc, char **argv,
			 bool *help, struct problem *why);
void report_options_free(struct report_options *options);

#endif /* PFMON_REPORT_OPTIONS_H */
