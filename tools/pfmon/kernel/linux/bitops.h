/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PFMON_KERNEL_BITOPS_H
#define PFMON_KERNEL_BITOPS_H

#include <linux/bits.h>

/* The number of the highest bit that is set, counted from 1; 0: none is. */
static inline int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

#endif /* PFMON_KERNEL_BITOPS_H */
