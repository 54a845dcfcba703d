/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of pfmon 3: its content, before a verb is found for it. */
#ifndef PFMON_CLASSIC_OPTIONS_H
#define PFMON_CLASSIC_OPTIONS_H

#include "util.h"

/* Kinds of new tasks that are followed. */
enum {
	FOLLOW_FORK = 1, FOLLOW_VFORK = 2, FOLLOW_PTHREAD = 4, FOLLOW_EXEC = 8,
	FOLLOW_ALL = 15,
};

/* The task; a later one has precedence over an earlier one. */
enum classic_task { CLASSIC_MEASURE, CLASSIC_LIST, CLASSIC_EVENT, CLASSIC_PMU, CLASSIC_HELP };

/* Texts are those of argv, NULL if the option was not given. */
struct classic {
	enum classic_task task;
	const char	*pattern;	/* of -l, or the event of -i */
	struct strings	events;		/* of each -e: an event set */
	bool		user, kernel;	/* -u, -k */
	const char	*levels;	/* --priv-levels */
	bool		system_wide;
	const char	*cpus, *attach;
	unsigned int	follow;
	const char	*only, *except;	/* patterns of --follow-exec and --follow-exec-exclude */
	bool		aggregate;
	const char	*switch_ms, *seconds, *delay_seconds, *interval_ms;
	const char	*code_start, *code_stop; /* of --trigger-code-*-addresses */
	bool		code_repeat, code_follow;
	bool		sampling_asked;	/* by an option with no other meaning */
	const char	*long_periods, *short_periods, *random, *entries, *samples;
	const char	*outfile;
	bool		append, header, time;
	char		format;		/* u, e or x: how counts are written; or 0 */
	char		**command;	/* with its arguments, or NULL */
};

/* False, with the reason: also for an option without a counterpart. */
bool classic_read(struct classic *classic, int argc, char **argv, struct problem *why);
void classic_free(struct classic *classic);

#endif /* PFMON_CLASSIC_OPTIONS_H */
