// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: statistics: named counters, one set for each CPU.
 */
#include <linux/cpumask.h>
#include "stats.h"

DEFINE_PER_CPU(struct pfm_stats, pfm_stats);

/**
 * pfm_stats_sum() - Sum a counter over all CPUs.
 * @offset: of the counter in struct pfm_stats
 *
 * Return: the sum; a CPU's share may be an instant old.
 */
u64 pfm_stats_sum(size_t offset)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*(u64 *)((char *)per_cpu_ptr(&pfm_stats, cpu) + offset));
	return sum;
}
