/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: notifying a tool.
 */
#ifndef _KERNEL_PERFMON_NOTIFY_H
#define _KERNEL_PERFMON_NOTIFY_H

#include <linux/types.h>

struct pfm_context;

void pfm_notify_init(struct pfm_context *ctx);
void pfm_notify(struct pfm_context *ctx);
void pfm_notify_end(struct pfm_context *ctx);
void pfm_notify_preempt(struct pfm_context *ctx, u32 type);
void pfm_notify_flush(struct pfm_context *ctx);

#endif /* _KERNEL_PERFMON_NOTIFY_H */
