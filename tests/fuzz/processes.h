/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_FUZZ_PROCESSES_H
#define TESTS_FUZZ_PROCESSES_H

#include "fuzz.h"

/* fork(), or -1 if there are enough processes already. */
pid_t child_new(void);
/* To be called for each collected child. */
void child_is_gone(void);

/* Run one of the lives of a forked child. */
__attribute__((noreturn)) void child_main(struct fuzzer *f);
void close_contexts(struct fuzzer *f);

/* main() of this program when it was executed in the course of a round. */
int executed(void);

#endif /* TESTS_FUZZ_PROCESSES_H */
