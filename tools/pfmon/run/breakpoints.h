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

/* False, with the reason: this architecture has none that pfmon knows. */
bool breakpoints_possible(struct problem *why);

/*
 * Set those of a stopped thread, @n, in place of those that it had. A new thread, and one that
 * executes a program, has none. False: errno.
 */
bool breakpoints_set(pid_t tid, const uint64_t *address, size_t n);

/* Which ones a thread that stands at a SIGTRAP has come to, as a mask; each is told once. */
unsigned int breakpoints_hit(pid_t tid);

#endif /* PFMON_RUN_BREAKPOINTS_H */
