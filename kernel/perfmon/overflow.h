/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the handling of overflows.
 */
#ifndef _KERNEL_PERFMON_OVERFLOW_H
#define _KERNEL_PERFMON_OVERFLOW_H

#include <linux/types.h>

struct pfm_context;
struct pt_regs;

void pfm_overflow(struct pfm_context *ctx, u64 overflowed, struct pt_regs *regs, u64 now);
void pfm_overflow_sampled(struct pfm_context *ctx, unsigned int i, int err, u64 now);
void pfm_clock_stop(struct pfm_context *ctx, u64 now);
void pfm_post_throttle(struct pfm_context *ctx, u64 overflowed);

#endif /* _KERNEL_PERFMON_OVERFLOW_H */
