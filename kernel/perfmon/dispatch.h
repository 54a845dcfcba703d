/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the commands, for every entry point.
 */
#ifndef _KERNEL_PERFMON_DISPATCH_H
#define _KERNEL_PERFMON_DISPATCH_H

#include <linux/compiler_types.h>

struct pfm_context;

long pfm_dispatch(int fd, int cmd, void __user *arg, int narg);
long pfm_dispatch_context(struct pfm_context *ctx, int cmd, void __user *arg, int narg);

#endif /* _KERNEL_PERFMON_DISPATCH_H */
