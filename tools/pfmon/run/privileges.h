/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a program cannot do while pfmon traces it: gain more privileges than its user has, and
 * trace others.
 */
#ifndef PFMON_RUN_PRIVILEGES_H
#define PFMON_RUN_PRIVILEGES_H

#include <sys/types.h>

/*
 * A traced process has just executed its program. A sentence, allocated, when that program
 * would have got privileges and did not; else NULL.
 */
char *privileges_lost(pid_t pid);

/* Likewise when it is a debugger, which cannot trace what it starts: a thread has one tracer. */
char *tracing_lost(pid_t pid);

#endif /* PFMON_RUN_PRIVILEGES_H */
