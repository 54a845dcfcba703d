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
	uint64_t	*period;	/* of -c, in the events' order; the last is for the rest */
	size_t		nperiods, period_room;
	bool		usual_period;	/* there is no -c */
	uint64_t	switch_ns;	/* the time for which an event set is active */
	bool		branches;	/* -b */
	bool		chains;		/* -g */
	const char	*format;	/* of --format, or NULL */
	char		*output;	/* the name of the recording */
	int		compress;	/* a level of zstd's, or 0 */
	struct sampling	sampling;	/* as the options request it */
};

/*
 * Read the command line. False, with the reason: it is wrong. *@help is set if the user requested
 * help only.
 */
bool record_options_read(struct record_options *options, int argc, char **argv, bool *help,
			 struct problem *why);
void record_options_free(struct record_options *options);

extern const char record_usage[];

#endif /* PFMON_RECORD_OPTIONS_H */
