/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the account of a context's overflows.
 */
#ifndef _KERNEL_PERFMON_LEDGER_H
#define _KERNEL_PERFMON_LEDGER_H

#include <linux/compiler.h>
#include "context.h"
#include "stats.h"

/* A sample of an overflow is recorded. Context: interrupts off, or NMI; on the target. */
static __always_inline void pfm_ledger_recorded(struct pfm_context *ctx)
{
	ctx->ledger.overflows++;
	ctx->ledger.recorded++;
	pfm_stat_inc(overflows);
	pfm_stat_inc(samples);
}

#endif /* _KERNEL_PERFMON_LEDGER_H */
