/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_FUZZ_PROCESSES_H
#define TESTS_FUZZ_PROCESSES_H

#include "fuzz.h"

/* fork(), or -1 when there are enough processes already. */
pid_t child_new(void);
/* To be called for each child that was collected. */
void child_is_gone(void);

/* The life of a child that was forked, whatever it is. */
__attribute__((noreturn)) void child_main(struct fuzzer *f);
void close_contexts(struct fuzzer *f);

/* Instructions of its own, for a counter to count. */
static inline void work(unsigned int loops)
{
	volatile unsigned int i;

	for (i = 0; i < loops; i++)
		;
}

/* main() of this program after an exec in the course of a round. */
int executed(void);

#endif /* TESTS_FUZZ_PROCESSES_H */
