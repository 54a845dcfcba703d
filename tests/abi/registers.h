/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Register numbers that do not exist, and bits that are not defined.
 */
#ifndef TESTS_ABI_REGISTERS_H
#define TESTS_ABI_REGISTERS_H

#include "abi.h"

/* Return flags are ignored on input; other flags that are not defined are refused. */
#define for_each_undefined_flag(flag, defined)				\
	for ((flag) = 1; (flag); (flag) <<= 1)				\
		if (!((flag) & ((defined) | PFM_REG_RETFL_MASK)))

/* The numbers of up to @max registers that do not exist, beyond the name space, too. */
static inline size_t missing_registers(const __u64 *implemented, __u16 *numbers, size_t max)
{
	static const __u16 beyond[] = { PFM_MAX_PMDS, PFM_MAX_PMDS + 1, 0x7fff, 0x8000, 0xffff };
	size_t n = 0, i;

	for (i = 0; i < ARRAY_SIZE(beyond); i++)
		numbers[n++] = beyond[i];
	for (i = 0; i < PFM_MAX_PMDS && n < max; i++)
		if (!has_bit(implemented, i))
			numbers[n++] = i;
	return n;
}

#endif /* TESTS_ABI_REGISTERS_H */
