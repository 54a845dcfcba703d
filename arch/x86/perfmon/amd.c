// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: PMU operations of AMD's processors, and of Hygon's, which have the registers
 * of AMD's family 17h.
 *
 * Facts: AMD64 Architecture Programmer's Manual, volume 2, "Performance Monitoring
 * Counters": the counters, their interrupt, and the global registers of PerfMonV2.
 */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/perfmon_host.h>
#include <asm/cpufeature.h>
#include <asm/perf_event.h>
#include <asm/processor.h>
#include "amd.h"
#include "evtsel.h"
#include "msr.h"

#define LEAF_PERFMON_V2		0x80000022

static struct pfm_amd_pmu pfm_amd __ro_after_init;
static const struct pfm_amd_pmu *pfm_amd_table __ro_after_init = &pfm_amd;

static const struct pfm_bank * const pfm_amd_banks[] = { &pfm_ibs_bank, NULL };

/**
 * pfm_amd_prepare() - Determine the counters that a set enables.
 * @regs: see struct pfm_pmu_ops
 *
 * @regs->enable is the value for PerfCntrGlobalCtl.
 */
void pfm_amd_prepare(struct pfm_regs *regs)
{
	u64 enable = 0;
	unsigned int i;

	pfm_for_each_reg(i, regs->used_pmcs, PFM_AMD_MAX_COUNTERS) {
		if (regs->pmcs[i] & PFM_EVTSEL_EN)
			enable |= BIT_ULL(i);
	}
	regs->enable = enable;
	regs->live_pmds = enable;
}

static void pfm_amd_write_pmd(unsigned int pmd, u64 value)
{
	pfm_wrmsr(pfm_amd_table->pmds[pmd].addr, value);
}

static u64 pfm_amd_read_pmd(unsigned int pmd)
{
	return pfm_rdpmc(pmd);
}

static const struct pfm_pmu_ops pfm_amd_v1_ops = {
	.acquire	= pfm_evtsel_acquire,
	.release	= pfm_evtsel_release,
	.init_cpu	= pfm_evtsel_init_cpu,
	.prepare	= pfm_amd_prepare,
	.start		= pfm_evtsel_start,
	.stop		= pfm_evtsel_stop,
	.ack		= pfm_evtsel_ack,
	.write_pmc	= pfm_evtsel_write_pmc,
	.write_pmd	= pfm_amd_write_pmd,
	.read_pmd	= pfm_amd_read_pmd,
};

/*
 * PerfMonV2: one register starts and stops all counters whose enable bits are set. These
 * bits stay set from one start to the next. perf_events never sees them: the PMU is
 * initialised before it is handed over.
 */

static void pfm_amd_v2_ack(void)
{
	pfm_wrmsr(MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR, BIT_ULL(pfm_amd_table->caps.num) - 1);
	pfm_evtsel_ack();
}

static void pfm_amd_v2_init_cpu(void)
{
	pfm_wrmsr(MSR_AMD64_PERF_CNTR_GLOBAL_CTL, 0);
	pfm_evtsel_clear();
	pfm_amd_v2_ack();
}

static void pfm_amd_v2_start(const struct pfm_regs *regs)
{
	pfm_wrmsr(MSR_AMD64_PERF_CNTR_GLOBAL_CTL, regs->enable);
}

static void pfm_amd_v2_stop(const struct pfm_regs *regs)
{
	pfm_wrmsr(MSR_AMD64_PERF_CNTR_GLOBAL_CTL, 0);
}

static void pfm_amd_v2_write_pmc(unsigned int pmc, u64 value)
{
	pfm_wrmsr(pfm_amd_table->pmcs[pmc].addr, value);
}

static const struct pfm_pmu_ops pfm_amd_v2_ops = {
	.acquire	= pfm_evtsel_acquire,
	.release	= pfm_evtsel_release,
	.init_cpu	= pfm_amd_v2_init_cpu,
	.prepare	= pfm_amd_prepare,
	.start		= pfm_amd_v2_start,
	.stop		= pfm_amd_v2_stop,
	.ack		= pfm_amd_v2_ack,
	.write_pmc	= pfm_amd_v2_write_pmc,
	.write_pmd	= pfm_amd_write_pmd,
	.read_pmd	= pfm_amd_read_pmd,
};

/**
 * pfm_amd_ops() - Select the operations for a PMU with these capabilities.
 * @caps: the capabilities
 */
const struct pfm_pmu_ops *pfm_amd_ops(const struct pfm_amd_caps *caps)
{
	return caps->global ? &pfm_amd_v2_ops : &pfm_amd_v1_ops;
}

#ifdef CONFIG_PERFMON_KUNIT_TEST
/**
 * pfm_amd_use() - Use another table, for tests.
 * @table: the table; NULL: the machine's own
 *
 * Context: boot.
 */
void pfm_amd_use(const struct pfm_amd_pmu *table)
{
	pfm_amd_table = table ?: &pfm_amd;
}
#endif

/* A virtual machine may lack the PMU that its processor has: true if this register exists. */
static bool pfm_amd_responds(u32 evtsel)
{
	unsigned long flags;
	bool there;

	local_irq_save(flags);
	there = pfm_msr_holds(evtsel, PFM_EVTSEL_USR);
	local_irq_restore(flags);
	return there;
}

/* Leaf 80000022H exists on some processors only, 80000001H on all with these counters. */
static struct pfm_amd_caps pfm_amd_caps_of(const struct cpuinfo_x86 *c)
{
	u32 eax = 0, ebx = 0, ecx, edx;

	if (c->extended_cpuid_level >= LEAF_PERFMON_V2)
		cpuid(LEAF_PERFMON_V2, &eax, &ebx, &ecx, &edx);
	return pfm_amd_cpuid_caps(c->x86, c->x86_capability[CPUID_8000_0001_ECX], eax, ebx);
}

/**
 * pfm_amd_find() - Has a processor AMD's PMU?
 * @amd: zeroed; gets the registers
 * @c: the processor
 *
 * Context: boot.
 *
 * Return: its description, in @amd, or NULL.
 */
const struct pfm_pmu *pfm_amd_find(struct pfm_amd_pmu *amd, const struct cpuinfo_x86 *c)
{
	struct pfm_amd_caps caps;

	if (c->x86_vendor != X86_VENDOR_AMD && c->x86_vendor != X86_VENDOR_HYGON)
		return NULL;
	caps = pfm_amd_caps_of(c);
	if (!caps.num)
		return NULL;
	/* Also 0 when perf_events could not set up the interrupt that the firmware chose. */
	caps.ibs = PFM_HOST_CLAIMS_IBS ? pfm_ibs_usable(caps.family, get_ibs_caps()) : 0;
	caps.ibs_no_fetch = pfm_ibs_may_sample_nothing(caps.family, c->x86_model);
	pfm_amd_build(amd, caps);
	if (!pfm_amd_responds(amd->pmcs[caps.num - 1].addr))
		return NULL;
	amd->pmu.ops = pfm_amd_ops(&caps);
	if (caps.ibs) {
		amd->pmu.banks = pfm_amd_banks;
		pfm_ibs_setup(amd);
	}
	pfm_evtsel_setup((struct pfm_evtsels) { amd->pmcs, amd->pmds, caps.num, PFM_EVTSEL_EN });
	return &amd->pmu;
}

/**
 * pfm_amd_detect() - Is this a processor with AMD's PMU?
 *
 * Return: its description, or NULL.
 */
const struct pfm_pmu * __init pfm_amd_detect(void)
{
	return pfm_amd_find(&pfm_amd, &boot_cpu_data);
}
