/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the active event set, and its time.
 */
#ifndef _KERNEL_PERFMON_SET_SWITCH_H
#define _KERNEL_PERFMON_SET_SWITCH_H

#include <linux/types.h>
#include "context.h"

/**
 * enum pfm_switch_cause - Why a context leaves its event set.
 * @PFM_SWITCH_TIME: the set's time is up
 * @PFM_SWITCH_OVERFLOW: a trigger has reached its threshold
 * @PFM_SWITCH_RESTART: PFM_RESTART, and a trigger reached its threshold before
 */
enum pfm_switch_cause {
	PFM_SWITCH_TIME,
	PFM_SWITCH_OVERFLOW,
	PFM_SWITCH_RESTART,
};

void pfm_set_activate(struct pfm_context *ctx, struct pfm_event_set *set);
void pfm_set_switch(struct pfm_context *ctx, enum pfm_switch_cause cause);
void pfm_clock_out(struct pfm_context *ctx, u64 now);
void __pfm_timer_arm(struct pfm_context *ctx);
u64 pfm_timeout_rounded(u64 ns, u64 resolution);
u64 pfm_timeout_effective(u64 ns);
extern unsigned int pfm_timeout_min_ns;

/**
 * pfm_clock_in() - Start the clock of the active set.
 * @ctx: the context
 * @now: local_clock()
 */
static inline void pfm_clock_in(struct pfm_context *ctx, u64 now)
{
	ctx->since = now;
}

/**
 * pfm_timer_arm() - Arm the timer for the end of the active set's time, if that is limited.
 * @ctx: the context, after pfm_clock_in()
 *
 * Context: interrupts off, or NMI.
 */
static inline void pfm_timer_arm(struct pfm_context *ctx)
{
	if (ctx->set->flags & PFM_SETFL_TIME_SWITCH)
		__pfm_timer_arm(ctx);
}

#endif /* _KERNEL_PERFMON_SET_SWITCH_H */
