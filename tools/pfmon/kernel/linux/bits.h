/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PFMON_KERNEL_BITS_H
#define PFMON_KERNEL_BITS_H

#define BIT(bit)		(1UL << (bit))
#define BIT_ULL(bit)		(1ULL << (bit))
#define GENMASK_ULL(high, low)	((~0ULL >> (63 - (high))) & (~0ULL << (low)))

#endif /* PFMON_KERNEL_BITS_H */
