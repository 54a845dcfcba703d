/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_PFMON_SAMPLED_H
#define TESTS_PFMON_SAMPLED_H

/* Two instructions a turn. */
#define BUSY(turns)	__asm__ volatile("1: dec %0; jnz 1b" : "+r" (turns) : : "cc")

#endif /* TESTS_PFMON_SAMPLED_H */
