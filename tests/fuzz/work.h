/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of this thread, for a counter to count: instructions, and on the software PMU injected
 * events.
 */
#ifndef TESTS_FUZZ_WORK_H
#define TESTS_FUZZ_WORK_H

/* To be called once, by root, before the limits of a round. */
void work_find(void);
void work(unsigned int loops);

#endif /* TESTS_FUZZ_WORK_H */
