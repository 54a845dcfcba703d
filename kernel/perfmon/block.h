/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: blocking a monitored thread until its tool restarts it.
 */
#ifndef _KERNEL_PERFMON_BLOCK_H
#define _KERNEL_PERFMON_BLOCK_H

struct pfm_context;

void pfm_block(struct pfm_context *ctx);
void pfm_unblock(struct pfm_context *ctx);

#endif /* _KERNEL_PERFMON_BLOCK_H */
