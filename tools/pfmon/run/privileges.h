/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The abilities that a program loses while pfmon traces it: to gain more privileges than its user
 * has, and to trace others.
 */
#ifndef PFMON_RUN_PRIVILEGES_H
#define PFMON_RUN_PRIVILEGES_H

#include <sys/types.h>

#include "util.h"

/*
 * A traced process has just executed its program. Add a note if that program should have got
 * privileges and did not; and, if its @children are traced as well, one if it is a debugger: that
 * cannot trace them, as a thread has one tracer. Each note is added once.
 */
void privileges_note(struct strings *notes, pid_t pid, bool children);

#endif /* PFMON_RUN_PRIVILEGES_H */
