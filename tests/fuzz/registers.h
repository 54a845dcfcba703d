/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of every class that the PMU has, and values for them.
 */
#ifndef TESTS_FUZZ_REGISTERS_H
#define TESTS_FUZZ_REGISTERS_H

#include "fuzz.h"

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
