/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Breakpoints in the processor's debug registers: the program's text stays as it is. A thread
 * gets SIGTRAP before it executes the instruction, and executes it when it is resumed.
 *
 * All that depends on the architecture is behind this header.
 */
#ifndef PFMON_RUN_BREAKPOINTS_H
#define PFMON_RUN_BREAKPOINTS_H

#include <sys/types.h>

#include "util.h"

#define BREAKPOINTS	4

/*
 * False, with the reason: pfmon knows no breakpoints of this architecture, or this machine's have no
 * effect. A child of pfmon is the trial.
 */
bool breakpoints_possible(struct problem *why);

/*
 * Set @n breakpoints of a stopped thread, in place of its former ones. A new thread, and one that
 * executes a program, has none. False: see errno.
 */
bool breakpoints_set(pid_t tid, const uint64_t *address, size_t n);

/* The breakpoints that a thread at a SIGTRAP has reached, as a mask; it reports each hit once. */
unsigned int breakpoints_hit(pid_t tid);

#endif /* PFMON_RUN_BREAKPOINTS_H */
