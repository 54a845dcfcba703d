// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: Nehalem and Westmere: an erratum of their general counters.
 *
 * A counter whose selector gets another event may count cycles, or nothing, unless the logic
 * of all four was reset before. A reset selects three events for the purpose, and enables them
 * for a moment, all other counters being off; perf_events selects one of them
 * twice, for the fourth counter.
 *
 * perf_events resets whenever it adds an event to a CPU. Here each CPU remembers the values of
 * its selectors: a set that is loaded with the events of the set before needs no reset, and
 * one reset is enough for all selectors that change between a stop and the next start. During
 * a load no interrupt looks at the counters, because no context owns the CPU's PMU then.
 *
 * In a virtual machine the host handles this.
 *
 * Facts: how perf_events works around errata AAK100, AAP53 and BD53, Linux'
 * arch/x86/events/intel/core.c, intel_pmu_nhm_workaround().
 */
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/percpu.h>
#include <asm/msr-index.h>
#include "intel_arch.h"
#include "intel_nehalem.h"
#include "msr.h"

#define NUM		4
#define ALL		GENMASK_ULL(NUM - 1, 0)

static const u64 magic[NUM] = { 0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1 };

/**
 * struct pfm_nehalem_cpu - A CPU's general counters.
 * @selectors: the values last loaded
 * @fresh: the counters were reset since the last start
 */
struct pfm_nehalem_cpu {
	u64	selectors[NUM];
	bool	fresh;
};

static DEFINE_PER_CPU(struct pfm_nehalem_cpu, pfm_nehalem_cpu);

/* The operations without the reset. */
static const struct pfm_pmu_ops *plain_ops __ro_after_init;

/*
 * Counters that are not loaded after this go on where they were: a stopped counter is
 * in the half below its overflow, which 32 bits with their sign can express.
 */
static void pfm_nehalem_reset(struct pfm_nehalem_cpu *cpu)
{
	u64 counts[NUM];
	unsigned int i;

	for (i = 0; i < NUM; i++)
		counts[i] = pfm_rdpmc(i);
	for (i = 0; i < NUM; i++) {
		pfm_wrmsr(PFM_INTEL_EVTSEL0 + i, magic[i]);
		pfm_wrmsr(PFM_INTEL_PERFCTR0 + i, 0);
	}
	pfm_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, ALL);
	pfm_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	for (i = 0; i < NUM; i++) {
		pfm_wrmsr(PFM_INTEL_EVTSEL0 + i, cpu->selectors[i]);
		pfm_wrmsr(PFM_INTEL_PERFCTR0 + i, counts[i] & GENMASK_ULL(31, 0));
	}
	cpu->fresh = true;
}

static void pfm_nehalem_init_cpu(void)
{
	struct pfm_nehalem_cpu *cpu = this_cpu_ptr(&pfm_nehalem_cpu);

	plain_ops->init_cpu();
	*cpu = (struct pfm_nehalem_cpu) { };
}

static void pfm_nehalem_write_pmc(unsigned int pmc, u64 value)
{
	struct pfm_nehalem_cpu *cpu = this_cpu_ptr(&pfm_nehalem_cpu);

	if (pmc < NUM && value != cpu->selectors[pmc]) {
		if (!cpu->fresh)
			pfm_nehalem_reset(cpu);
		cpu->selectors[pmc] = value;
	}
	plain_ops->write_pmc(pmc, value);
}

static void pfm_nehalem_start(const struct pfm_regs *regs)
{
	__this_cpu_write(pfm_nehalem_cpu.fresh, false);
	plain_ops->start(regs);
}

struct pfm_pmu_ops pfm_intel_nehalem_ops __ro_after_init;

/**
 * pfm_intel_nehalem_use() - Derive pfm_intel_nehalem_ops from other operations.
 * @plain: operations of a PMU where one register starts all counters; NULL: none
 *
 * Context: boot.
 *
 * Return: the previous @plain, for tests.
 */
const struct pfm_pmu_ops *pfm_intel_nehalem_use(const struct pfm_pmu_ops *plain)
{
	const struct pfm_pmu_ops *before = plain_ops;

	plain_ops = plain;
	if (!plain)
		return before;
	pfm_intel_nehalem_ops = *plain;
	pfm_intel_nehalem_ops.init_cpu = pfm_nehalem_init_cpu;
	pfm_intel_nehalem_ops.write_pmc = pfm_nehalem_write_pmc;
	pfm_intel_nehalem_ops.start = pfm_nehalem_start;
	return before;
}
