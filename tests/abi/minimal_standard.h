/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The "minimal standard" random numbers (Park and Miller, CACM 31:10): a second implementation, to
 * compare with the kernel's.
 */
#ifndef TESTS_ABI_MINIMAL_STANDARD_H
#define TESTS_ABI_MINIMAL_STANDARD_H

#include <linux/types.h>

#define RANDOM_MODULUS	2147483647ULL
#define RANDOM_FACTOR	16807ULL

static inline __u64 random_first(__u32 seed)
{
	__u64 state = seed % RANDOM_MODULUS;

	return state ? state : 1;
}

static inline __u64 random_next(__u64 *state)
{
	*state = *state * RANDOM_FACTOR % RANDOM_MODULUS;
	return *state;
}

#endif /* TESTS_ABI_MINIMAL_STANDARD_H */
