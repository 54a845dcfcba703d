/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel tells a program at its exec, read from outside. */
#ifndef PFMON_RUN_AUXILIARY_H
#define PFMON_RUN_AUXILIARY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A value (AT_*) of the auxiliary vector of a thread's program. False: it is not there. */
bool auxiliary_value(pid_t tid, uint64_t type, uint64_t *value);

#endif /* PFMON_RUN_AUXILIARY_H */
