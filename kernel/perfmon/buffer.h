/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the sampling buffer.
 */
#ifndef _KERNEL_PERFMON_BUFFER_H
#define _KERNEL_PERFMON_BUFFER_H

#include <linux/types.h>

struct pfm_context;
struct vm_area_struct;

int pfm_buffer_alloc(struct pfm_context *ctx, u64 size);
void pfm_buffer_put(struct pfm_context *ctx);
int pfm_buffer_mmap(struct pfm_context *ctx, struct vm_area_struct *vma);

#endif /* _KERNEL_PERFMON_BUFFER_H */
