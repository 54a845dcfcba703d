/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of every class that the PMU has, and values for them.
 */
#ifndef TESTS_FUZZ_REGISTERS_H
#define TESTS_FUZZ_REGISTERS_H

#include "fuzz.h"

/* The control register of a counter with an event: events at user level and in the kernel. */
#define COUNT_USER	(1U << 16)
#define COUNT_KERNEL	(1U << 17)
#ifdef __powerpc64__
#define COUNT_ENABLE	0U	/* it has no such bit */
#define INSTRUCTIONS	0x02U
#else
#define COUNT_ENABLE	(1U << 22)
#define INSTRUCTIONS	0xc0U
#endif

/* Mostly a register that exists. */
__u16 random_pmc(struct fuzzer *f);
__u16 random_pmd(struct fuzzer *f);
__u16 random_hardware_pmd(struct fuzzer *f);	/* rarely a virtual one */

/* Mostly a value by which the PMU counts, samples or records. */
__u64 random_control(struct fuzzer *f, unsigned int pmc);

/* values.c */
bool rarely(struct fuzzer *f, unsigned int n);
__u64 any_u64(struct fuzzer *f);

#endif /* TESTS_FUZZ_REGISTERS_H */
