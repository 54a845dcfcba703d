/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: virtual PMDs: values that the kernel computes.
 */
#ifndef _KERNEL_PERFMON_VIRTUAL_H
#define _KERNEL_PERFMON_VIRTUAL_H

#include <linux/types.h>

struct pfm_context;
struct task_struct;

u64 pfm_virtual_read(struct pfm_context *ctx, struct task_struct *task, unsigned int pmd);
void pfm_task_ids(struct pfm_context *ctx, struct task_struct *task);

#endif /* _KERNEL_PERFMON_VIRTUAL_H */
