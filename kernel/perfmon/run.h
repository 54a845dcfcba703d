/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the only access to a context that counts: pause, change, resume.
 */
#ifndef _KERNEL_PERFMON_RUN_H
#define _KERNEL_PERFMON_RUN_H

#include <linux/types.h>
#include "context.h"

void pfm_pause(struct pfm_context *ctx);
void pfm_resume(struct pfm_context *ctx);
void pfm_resume_at(struct pfm_context *ctx, u64 now);
bool pfm_excludes(const struct pfm_context *ctx, const struct task_struct *task);

/* preempt.c writes it; read it by pfm_is_suspended(). */
extern bool pfm_suspended[];

static inline bool pfm_is_suspended(const struct pfm_context *ctx)
{
	return ctx->share != PFM_IDLE && READ_ONCE(pfm_suspended[ctx->share]);
}

static inline bool pfm_may_run(const struct pfm_context *ctx)
{
	return ctx->started && !ctx->masked &&
	       likely(!READ_ONCE(pfm_suspended[READ_ONCE(ctx->share)]));
}

#endif /* _KERNEL_PERFMON_RUN_H */
