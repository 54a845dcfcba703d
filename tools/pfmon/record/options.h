/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of `pfmon record`. */
#ifndef PFMON_RECORD_OPTIONS_H
#define PFMON_RECORD_OPTIONS_H

#include "record/target.h"
#include "session/sampler.h"

struct record_options {
	struct record_target target;
	struct strings	events;		/* the arguments of -e */
	struct strings	values;		/* of --with */
	uint64_t	*period;	/* of -c, in the events' order; the last is the rest's */
	size_t		nperiods, period_room;
	bool		usual_period;	/* none was asked for */
	uint64_t	switch_ns;	/* how long an event set is active at a time */
	bool		branches;	/* -b */
	bool		chains;		/* -g */
	const char	*format;	/* of --format, or NULL */
	char		*output;	/* the name of the recording */
	int		compress;	/* a level of zstd's, or 0 */
	struct sampling	sampling;	/* what the options say of it */
};

/*
 * Read the command line. False, with the reason, when it makes no sense; *@help is set
 * when only help was asked for.
 */
bool record_options_read(struct record_options *options, int argc, char **argv, bool *help,
			 struct problem *why);
void record_options_free(struct record_options *options);

extern const char record_usage[];

#endif /* PFMON_RECORD_OPTIONS_H */
