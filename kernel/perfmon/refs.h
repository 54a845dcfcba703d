/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the lifetime of a context.
 */
#ifndef _KERNEL_PERFMON_REFS_H
#define _KERNEL_PERFMON_REFS_H

#include <linux/types.h>

struct pfm_context;
struct task_struct;

void pfm_context_free(struct pfm_context *ctx);
void pfm_context_put(struct pfm_context *ctx);
bool pfm_context_tryget(struct pfm_context *ctx);
struct pfm_context *pfm_context_get(struct pfm_context **slot);
struct pfm_context *pfm_context_get_thread(struct task_struct *task);

#endif /* _KERNEL_PERFMON_REFS_H */
