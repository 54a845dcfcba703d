/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: reads of data registers, which go on counting meanwhile.
 */
#ifndef _KERNEL_PERFMON_READ_H
#define _KERNEL_PERFMON_READ_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <uapi/perfmon.h>
#include "context.h"
#include "cpu.h"
#include "event_set.h"
#include "pmu.h"
#include "run.h"
#include "target.h"

/* The set that is counting on this CPU now, and whose values are not in software; or NULL. */
static inline struct pfm_event_set *pfm_counting_set(struct pfm_context *ctx, bool here)
{
	return here && __this_cpu_read(pfm_cpu.ctx) == ctx ? READ_ONCE(ctx->set) : NULL;
}

/* @live: PMDs of the set that count now */
static __always_inline u64 pfm_present_value(const struct pfm_pmd *p, u64 live, unsigned int pmd)
{
	u64 hw;

	if (unlikely(!(live & BIT_ULL(pmd))))
		return p->value;
	hw = pfm_pmu_op(read_pmd)(pmd);
	return p->mask ? p->value + pfm_counter_delta(p, hw) : hw;
}

/*
 * Counters go on counting while they are read, and the PMU interrupt may count, reset,
 * mask or switch sets meanwhile: then the read is repeated. If interrupts come faster than
 * reads, counting must stop, as it must where only a pause brings the values up to date.
 */
#define PFM_READ_TRIES	4

static inline bool pfm_read_must_pause(const struct pfm_context *ctx, bool here, unsigned int tries)
{
	return here && (tries == PFM_READ_TRIES || READ_ONCE(ctx->throttled));
}

/* @tries: of PFM_READ_TRIES, those that are taken already */
static __always_inline void pfm_read_counting(struct pfm_context *ctx, bool here,
					      unsigned int tries, pfm_target_fn read, void *arg)
{
	unsigned int seq;

	for (; !pfm_read_must_pause(ctx, here, tries); tries++) {
		seq = READ_ONCE(ctx->seq);
		barrier();
		read(ctx, here, arg);
		barrier();
		if (likely(seq == READ_ONCE(ctx->seq)))
			return;
	}
	pfm_pause(ctx);
	read(ctx, here, arg);
	pfm_resume(ctx);
}

#endif /* _KERNEL_PERFMON_READ_H */
