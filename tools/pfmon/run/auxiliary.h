/* SPDX-License-Identifier: GPL-2.0 */
/* The values that the kernel passes to a program at its exec, read from outside. */
#ifndef PFMON_RUN_AUXILIARY_H
#define PFMON_RUN_AUXILIARY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A value (AT_*) of the auxiliary vector of a thread's program. False: the vector lacks it. */
bool auxiliary_value(pid_t tid, uint64_t type, uint64_t *value);

#endif /* PFMON_RUN_AUXILIARY_H */
