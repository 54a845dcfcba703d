/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_FUZZ_PROCESSES_H
#define TESTS_FUZZ_PROCESSES_H

#include "fuzz.h"

/* fork(), or -1 when there are enough processes already. */
pid_t child_new(void);
/* To be called for each child that was collected. */
void child_is_gone(void);
/* main() of this program after an exec in the course of a round. */
int executed(void);

#endif /* TESTS_FUZZ_PROCESSES_H */
