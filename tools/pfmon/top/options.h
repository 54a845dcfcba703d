/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of `pfmon top`; the target is named as for `pfmon record`. */
#ifndef PFMON_TOP_OPTIONS_H
#define PFMON_TOP_OPTIONS_H

#include "record/options.h"
#include "report/keys.h"
#include "report/terminal.h"

struct top_options {
	struct strings	record;		/* the command line of a recording, as argv */
	bool		target;		/* ... names a target */
	double		interval;	/* seconds between two looks */
	uint64_t	count;		/* the number of looks; 0: until it ends */
	bool		batch;
	uint64_t	limit;		/* lines in a table of --batch */
	struct keys	sort;
	enum colour	colour;
};

/*
 * Read the command line, and from its rest the options of the recording, which lives as long as
 * @options. False, with the reason. *@help: the user requested help only.
 */
bool top_options_read(struct top_options *options, struct record_options *record, int argc,
		      char **argv, bool *help, struct problem *why);
void top_options_free(struct top_options *options);

extern const char top_usage[];

#endif /* PFMON_TOP_OPTIONS_H */
