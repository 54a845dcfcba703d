/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: ownership of the PMU of a CPU.
 */
#ifndef _KERNEL_PERFMON_CPU_H
#define _KERNEL_PERFMON_CPU_H

#include <linux/percpu.h>
#include <linux/types.h>

struct pfm_context;

struct pfm_cpu {
	struct pfm_context	*ctx;		/* counting here, now */
	u64			activation;	/* full loadings so far */
	u64			epoch;		/* pfm_cpu_epoch when initialised */
	u64			last_stamp;	/* last time stamp given out */
	u64			throttled_until; /* local_clock() at the throttle's end; 0: none */
	unsigned long		wrapped;	/* jiffies at a counter's last wrap */
	bool			running;	/* values may be in hardware only */
	struct pfm_context	*parked;	/* to count here again when the CPU is back */
	struct pfm_context	*system_ctx;	/* system-wide context bound here */
};

DECLARE_PER_CPU(struct pfm_cpu, pfm_cpu);

/* The PMU is perfmon's; written under pfm_sessions.lock. */
extern bool pfm_pmu_held;
int pfm_pmu_take(void);
void pfm_pmu_let_go(void);

void pfm_cpu_in(struct pfm_context *ctx);
void pfm_cpu_again(struct pfm_context *ctx);
u64 pfm_cpu_out(struct pfm_context *ctx);
void pfm_cpu_new_epoch(void);
void pfm_cpu_quiesce(void *unused);

/* True if counters are armed not to interrupt. Context: on the CPU, interrupts off. */
static inline bool pfm_throttled(void)
{
	return unlikely(__this_cpu_read(pfm_cpu.throttled_until));
}

#endif /* _KERNEL_PERFMON_CPU_H */
