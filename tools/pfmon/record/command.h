/* SPDX-License-Identifier: GPL-2.0 */
/* Running a command and sampling it with all its threads and processes. */
#ifndef PFMON_RECORD_COMMAND_H
#define PFMON_RECORD_COMMAND_H

#include "record/recorder.h"
#include "record/target.h"

/*
 * Sample the command until its end. False, with the reason: it was not run. @result has the
 * exit status in either case.
 */
bool record_command(struct recorder *r, const struct record_target *target,
		    struct record_result *result, struct problem *why);

#endif /* PFMON_RECORD_COMMAND_H */
