// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the PMU interrupt.
 */
#include "perfmon.h"

/**
 * pfm_pmu_interrupt() - Handle an overflow interrupt of this CPU's PMU.
 * @regs: what was interrupted
 *
 * Adds the hardware counters up into the 64-bit ones and puts those that count
 * in steps on their next step. An interrupt that arrives when nobody counts any
 * more is late: the wrap that caused it was seen in the counter's value.
 *
 * Return: whether a context was counting.
 *
 * Context: NMI, or an interrupt with interrupts off.
 */
bool pfm_pmu_interrupt(struct pt_regs *regs)
{
	struct pfm_context *ctx = __this_cpu_read(pfm_cpu.ctx);

	if (!ctx) {
		pfm_stat_inc(interrupts_late);
		pfm_pmu->ops->ack();
		return false;
	}
	pfm_stat_inc(interrupts);
	pfm_cpu_out(ctx);
	pfm_pmu->ops->ack();
	pfm_cpu_in(ctx);
	return true;
}
