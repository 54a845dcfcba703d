/* SPDX-License-Identifier: GPL-2.0 */
/* For register tables, which the kernel and pfmon both compile: see ../README.md. */
#ifndef PFMON_KERNEL_TYPES_H
#define PFMON_KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include_next <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;

#endif /* PFMON_KERNEL_TYPES_H */
