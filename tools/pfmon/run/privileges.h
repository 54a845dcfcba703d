/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The abilities that a program loses while pfmon traces it: to gain more privileges than its user
 * has, and to trace others.
 */
#ifndef PFMON_RUN_PRIVILEGES_H
#define PFMON_RUN_PRIVILEGES_H

#include <sys/types.h>

/*
 * A traced process has just executed its program. Returns a sentence, allocated, if that program
 * should have got privileges and did not; else NULL.
 */
char *privileges_lost(pid_t pid);

/* Likewise if it is a debugger, which cannot trace its children: a thread has one tracer. */
char *tracing_lost(pid_t pid);

#endif /* PFMON_RUN_PRIVILEGES_H */
