/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of `pfmon stat`. */
#ifndef PFMON_STAT_OPTIONS_H
#define PFMON_STAT_OPTIONS_H

#include "stat/report_classic.h"
#include "stat/run.h"

struct stat_options {
	struct target	target;
	struct strings	events;		/* the arguments of -e */
	struct strings	metrics;	/* the arguments of -M */
	unsigned int	detail;		/* how many times -d */
	const char	*openmetrics;	/* a file, or NULL */
	const char	*diff;		/* a file to compare with, or NULL */
	uint64_t	repeat;
	uint64_t	switch_ns;	/* the time for which an event set is active */
	bool		no_scale;
	const char	*separator;	/* -x, or NULL */
	bool		json;
	struct classic_form classic;	/* --pfmon3 */
	char		*output;	/* -o, or NULL */
	int		each;		/* the option that requests each thread or CPU, or 0 */
	bool		append;		/* to @output */
};

/*
 * Read the command line. False, with the reason: it is wrong. *@help is set if the user requested
 * help only.
 */
bool stat_options_read(struct stat_options *options, int argc, char **argv, bool *help,
		       struct problem *why);
void stat_options_free(struct stat_options *options);

extern const char stat_usage[];

#endif /* PFMON_STAT_OPTIONS_H */
