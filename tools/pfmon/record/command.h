/* SPDX-License-Identifier: GPL-2.0 */
/* Running a command and sampling its first thread. */
#ifndef PFMON_RECORD_COMMAND_H
#define PFMON_RECORD_COMMAND_H

#include "record/recording.h"

struct record_result {
	int		status;		/* what pfmon's exit status is */
	bool		interrupted;	/* by a signal to pfmon */
	unsigned int	throttled;	/* how often */
	struct strings	notes;
	struct recording recording;	/* finished */
};

/*
 * Sample the command until its end. False, with the reason: it was not run, or the file
 * is not complete.
 */
bool record_command(const struct recording_about *about, struct record_result *result,
		    struct problem *why);

#endif /* PFMON_RECORD_COMMAND_H */
