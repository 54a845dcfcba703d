/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the plain read.
 */
#ifndef _KERNEL_PERFMON_READ_PLAIN_H
#define _KERNEL_PERFMON_READ_PLAIN_H

#include <linux/compiler_types.h>

struct pfm_context;

int pfm_read_plain(struct pfm_context *ctx, void __user *arg, unsigned int n);

#endif /* _KERNEL_PERFMON_READ_PLAIN_H */
