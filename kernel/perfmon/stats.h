/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: statistics of each CPU.
 */
#ifndef _KERNEL_PERFMON_STATS_H
#define _KERNEL_PERFMON_STATS_H

#include <linux/percpu.h>
#include <linux/types.h>

/* Documented in Documentation/ABI. */
#define PFM_STATS(X)							\
	X(activations,		"registers loaded in full onto a CPU")	\
	X(activations_lazy,	"registers found still loaded")		\
	X(interrupts,		"PMU interrupts taken for a context")	\
	X(interrupts_late,	"PMU interrupts with no context running") \
	X(overflows,		"overflows that asked for a record")	\
	X(samples,		"of these: recorded")			\
	X(samples_lost_full,	"of these: lost, the buffer was full")	\
	X(samples_lost_error,	"of these: lost, the format failed")	\
	X(samples_lost_throttled, "of these: lost to the throttle")	\
	X(samples_lost_late,	"of these: lost to late interrupts")	\
	X(throttles,		"contexts throttled for too many interrupts") \
	X(switches_time,	"event sets left when their time was up") \
	X(switches_overflow,	"event sets left after overflows")	\
	X(blocks,		"threads blocked for a notification")	\
	X(messages,		"notification messages queued")		\
	X(messages_lost,	"notification messages that found the queue full") \
	X(messages_reset,	"unread messages discarded by a load")

struct pfm_stats {
#define X(name, help) u64 name;
	PFM_STATS(X)
#undef X
};

DECLARE_PER_CPU(struct pfm_stats, pfm_stats);
#define pfm_stat_inc(name)	this_cpu_inc(pfm_stats.name)
#define pfm_stat_add(name, n)	this_cpu_add(pfm_stats.name, n)
u64 pfm_stats_sum(size_t offset);

#endif /* _KERNEL_PERFMON_STATS_H */
