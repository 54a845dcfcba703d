/* SPDX-License-Identifier: GPL-2.0 */
/* Sampling running targets: threads or CPUs. */
#ifndef PFMON_RECORD_ATTACHED_H
#define PFMON_RECORD_ATTACHED_H

#include "record/recorder.h"
#include "record/target.h"

/*
 * Sample the threads or CPUs of @target, until its command ends, a signal, the time-out, or
 * the end of all of them. False, with the reason: nothing was sampled, or the command was not
 * run. @result has the exit status in either case.
 */
bool record_attached(struct recorder *r, const struct record_target *target,
		     struct record_result *result, struct problem *why);

#endif /* PFMON_RECORD_ATTACHED_H */
