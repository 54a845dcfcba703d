// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: PMU operations of the Intel architectural PMU, versions 1 to 5.
 *
 * Facts: Intel SDM volume 3B, chapter "Performance Monitoring": architectural
 * performance monitoring; IA32_PERF_GLOBAL_*.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/perfmon_compat.h>
#include <linux/perfmon_host.h>
#include <linux/printk.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/perf_event.h>
#include <asm/processor.h>
#include <asm/smp.h>
#include "evtsel.h"
#include "intel_arch.h"
#include "intel_extra.h"
#include "intel_lbr.h"
#include "msr.h"

#define RDPMC_FIXED	BIT(30)	/* in RDPMC's index: a fixed counter */

/* The tables, which pfmon compiles as well, are written without the kernel's headers. */
static_assert(PFM_INTEL_EVTSEL0 == MSR_ARCH_PERFMON_EVENTSEL0);
static_assert(PFM_INTEL_PERFCTR0 == MSR_ARCH_PERFMON_PERFCTR0);
static_assert(PFM_INTEL_FIXED_CTR_CTRL == MSR_CORE_PERF_FIXED_CTR_CTRL);
static_assert(PFM_INTEL_FIXED_CTR0 == MSR_CORE_PERF_FIXED_CTR0);
static_assert(PFM_INTEL_EVTSEL_EN == ARCH_PERFMON_EVENTSEL_ENABLE);

static struct pfm_intel_pmu pfm_intel __ro_after_init;

static void pfm_intel_write_pmc(unsigned int pmc, u64 value)
{
	pfm_wrmsr(pfm_intel.pmcs[pmc].addr, value);
}

static void pfm_intel_write_pmd(unsigned int pmd, u64 value)
{
	if (pmd < PFM_INTEL_FIXED && pfm_intel.caps.full_width_write)
		pfm_wrmsr(MSR_IA32_PMC0 + pmd, value);
	else
		pfm_wrmsr(pfm_intel.pmds[pmd].addr, value);
}

static u64 pfm_intel_read_pmd(unsigned int pmd)
{
	return pfm_rdpmc(pmd < PFM_INTEL_FIXED ? pmd : RDPMC_FIXED | (pmd - PFM_INTEL_FIXED));
}

/* Version 2 and up: one register starts and stops all counters. */

static void pfm_intel_v2_ack(void)
{
	pfm_wrmsr(MSR_CORE_PERF_GLOBAL_OVF_CTRL, pfm_intel.status);
	apic_write(APIC_LVTPC, APIC_DM_NMI);
}

/*
 * The counters' own enable bits stay set from one start to the next. perf_events enables all
 * counters in the global register: those with such a bit would keep counting and raise
 * unclaimed PMIs.
 */
static void pfm_intel_v2_init_cpu(void)
{
	pfm_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	pfm_evtsel_clear();
	if (pfm_intel.caps.fixed_mask)
		pfm_wrmsr(MSR_CORE_PERF_FIXED_CTR_CTRL, 0);
	pfm_intel_v2_ack();
}

static void pfm_intel_v2_start(const struct pfm_regs *regs)
{
	pfm_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, regs->enable);
}

static void pfm_intel_v2_stop(const struct pfm_regs *regs)
{
	pfm_wrmsr(MSR_CORE_PERF_GLOBAL_CTRL, 0);
}

static const struct pfm_pmu_ops pfm_intel_v2_ops = {
	.acquire	= pfm_evtsel_acquire,
	.release	= pfm_evtsel_release,
	.init_cpu	= pfm_intel_v2_init_cpu,
	.prepare	= pfm_intel_prepare,
	.start		= pfm_intel_v2_start,
	.stop		= pfm_intel_v2_stop,
	.ack		= pfm_intel_v2_ack,
	.write_pmc	= pfm_intel_write_pmc,
	.write_pmd	= pfm_intel_write_pmd,
	.read_pmd	= pfm_intel_read_pmd,
};

/* The same with model-specific registers. */

static void pfm_intel_extra_init_cpu(void)
{
	pfm_intel_v2_init_cpu();
	pfm_intel_reset_extra(pfm_intel.pmcs);
}

static void pfm_intel_extra_start(const struct pfm_regs *regs)
{
	pfm_intel_clear_extra(regs);
	pfm_intel_v2_start(regs);
}

static void pfm_intel_extra_write_pmc(unsigned int pmc, u64 value)
{
	if (pmc >= PFM_INTEL_EXTRA)
		pfm_intel_write_extra(pmc, value);
	else
		pfm_intel_write_pmc(pmc, value);
}

static const struct pfm_pmu_ops pfm_intel_extra_ops = {
	.acquire	= pfm_evtsel_acquire,
	.release	= pfm_evtsel_release,
	.init_cpu	= pfm_intel_extra_init_cpu,
	.prepare	= pfm_intel_prepare,
	.start		= pfm_intel_extra_start,
	.stop		= pfm_intel_v2_stop,
	.ack		= pfm_intel_v2_ack,
	.write_pmc	= pfm_intel_extra_write_pmc,
	.write_pmd	= pfm_intel_write_pmd,
	.read_pmd	= pfm_intel_read_pmd,
};

/* And with last branch records. */

static void pfm_intel_lbr_ops_init_cpu(void)
{
	pfm_intel_extra_init_cpu();
	pfm_intel_lbr_init_cpu();
}

static void pfm_intel_lbr_ops_start(const struct pfm_regs *regs)
{
	pfm_intel_clear_extra(regs);
	if (regs->live_pmds & PFM_INTEL_LBR_LIVE)
		pfm_intel_lbr_start(regs);
	pfm_intel_v2_start(regs);
}

static void pfm_intel_lbr_ops_stop(const struct pfm_regs *regs)
{
	if (regs->live_pmds & PFM_INTEL_LBR_LIVE)
		pfm_intel_lbr_stop();
	pfm_intel_v2_stop(regs);
}

/* The register that switches the records on is loaded by the start only. */
static void pfm_intel_lbr_ops_write_pmc(unsigned int pmc, u64 value)
{
	if (pmc < PFM_INTEL_DEBUGCTL)
		pfm_intel_extra_write_pmc(pmc, value);
}

static void pfm_intel_lbr_ops_write_pmd(unsigned int pmd, u64 value)
{
	if (pmd >= PFM_INTEL_LBR_FROM)
		pfm_intel_lbr_write(pmd, value);
	else
		pfm_intel_write_pmd(pmd, value);
}

static u64 pfm_intel_lbr_ops_read_pmd(unsigned int pmd)
{
	return pmd >= PFM_INTEL_LBR_FROM ? pfm_intel_lbr_read(pmd) : pfm_intel_read_pmd(pmd);
}

static const struct pfm_pmu_ops pfm_intel_lbr_ops = {
	.acquire	= pfm_evtsel_acquire,
	.release	= pfm_evtsel_release,
	.init_cpu	= pfm_intel_lbr_ops_init_cpu,
	.prepare	= pfm_intel_lbr_prepare,
	.start		= pfm_intel_lbr_ops_start,
	.stop		= pfm_intel_lbr_ops_stop,
	.ack		= pfm_intel_v2_ack,
	.write_pmc	= pfm_intel_lbr_ops_write_pmc,
	.write_pmd	= pfm_intel_lbr_ops_write_pmd,
	.read_pmd	= pfm_intel_lbr_ops_read_pmd,
};

/* Version 1: each counter's own enable bit. */
static const struct pfm_pmu_ops pfm_intel_v1_ops = {
	.acquire	= pfm_evtsel_acquire,
	.release	= pfm_evtsel_release,
	.init_cpu	= pfm_evtsel_init_cpu,
	.prepare	= pfm_intel_prepare,
	.start		= pfm_evtsel_start,
	.stop		= pfm_evtsel_stop,
	.ack		= pfm_evtsel_ack,
	.write_pmc	= pfm_evtsel_write_pmc,
	.write_pmd	= pfm_intel_write_pmd,
	.read_pmd	= pfm_intel_read_pmd,
};

/*
 * A hypervisor may implement only some bits of an event selector: a write of the
 * others faults. Those are reserved here.
 */
static u64 __init pfm_intel_probe_evtsel(unsigned int num_gp)
{
	static const u64 features[] __initconst = {
		ARCH_PERFMON_EVENTSEL_EDGE, ARCH_PERFMON_EVENTSEL_INV,
		ARCH_PERFMON_EVENTSEL_CMASK,
	};
	u32 msr = MSR_ARCH_PERFMON_EVENTSEL0 + num_gp - 1;
	unsigned long flags;
	u64 old, refused = 0;
	unsigned int i;

	/* The NMI watchdog may be using it already: put back what was there. */
	local_irq_save(flags);
	old = pfm_rdmsr(msr);
	for (i = 0; i < ARRAY_SIZE(features); i++) {
		if (pfm_wrmsr_safe(msr, features[i]))
			refused |= features[i];
	}
	pfm_wrmsr(msr, old);
	local_irq_restore(flags);
	return refused;
}

static u64 __init pfm_intel_perf_caps(void)
{
	u64 value;

	if (boot_cpu_has(X86_FEATURE_PDCM) && !pfm_rdmsr_safe(MSR_IA32_PERF_CAPABILITIES, &value))
		return value;
	return 0;
}

static bool __init pfm_intel_read_caps(struct pfm_intel_caps *caps, u64 perf_caps)
{
	u32 eax, ebx, ecx, edx;

	cpuid(0xa, &eax, &ebx, &ecx, &edx);
	*caps = pfm_intel_cpuid_caps(eax, ecx, edx, boot_cpu_has(X86_FEATURE_HYPERVISOR),
				     perf_caps & BIT(13));
	if (!caps->version || !caps->num_gp || !caps->gp_width)
		return false;
	caps->evtsel_refused = pfm_intel_probe_evtsel(caps->num_gp);
	return true;
}

static void __init pfm_intel_find_lbr(struct pfm_intel_lbr lbr, u64 perf_caps, u64 *select)
{
	bool found;

	if (boot_cpu_has(X86_FEATURE_ARCH_LBR))
		found = pfm_intel_probe_arch_lbr(&lbr, cpuid_eax(0x1c));
	else /* Without the filter by level, every user would record the kernel. */
		found = (*select & PFM_INTEL_LBR_KERNEL) &&
			pfm_intel_probe_lbr(&lbr, perf_caps, boot_cpu_has(X86_FEATURE_INTEL_PT));
	if (found)
		pfm_intel_lbr = lbr;
	if (!found || lbr.ctl)
		*select = 0;
}

/* What the model has beyond the architecture. */
static void __init pfm_intel_probe_model(const struct pfm_intel_model *model, u64 perf_caps,
					 const struct pfm_intel_caps *caps, u64 *extra)
{
	unsigned long flags;

	local_irq_save(flags);
	pfm_intel_probe_extra(model, smp_num_siblings, boot_cpu_has(X86_FEATURE_PEBS), extra);
	pfm_intel_find_lbr(model->lbr, perf_caps, &extra[PFM_INTEL_LBR_SELECT]);
	if (caps->version >= 4)
		pfm_intel_lbr.frozen = GLOBAL_STATUS_LBRS_FROZEN;
	local_irq_restore(flags);
}

static const struct pfm_pmu_ops * __init pfm_intel_ops(void)
{
	if (pfm_intel.caps.version < 2)
		return &pfm_intel_v1_ops;
	if (pfm_intel_lbr.entries)
		return &pfm_intel_lbr_ops;
	return pfm_intel.pmu.num_pmcs <= PFM_INTEL_EXTRA ? &pfm_intel_v2_ops :
							   &pfm_intel_extra_ops;
}

/**
 * pfm_intel_detect() - Is this a processor with the architectural PMU?
 *
 * Return: its description, or NULL.
 */
const struct pfm_pmu * __init pfm_intel_detect(void)
{
	u64 extra[PFM_INTEL_NUM_EXTRA] = { };
	const struct pfm_table *table;
	struct pfm_intel_caps caps;
	u64 perf_caps;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    !boot_cpu_has(X86_FEATURE_ARCH_PERFMON) || boot_cpu_data.cpuid_level < 0xa)
		return NULL;
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU)) {
		pr_info("hybrid processor: its kinds of cores have different PMUs, none is used\n");
		return NULL;
	}
	perf_caps = pfm_intel_perf_caps();
	if (!pfm_intel_read_caps(&caps, perf_caps))
		return NULL;
	table = pfm_intel_find_model(boot_cpu_data.x86, boot_cpu_data.x86_model);
	/* With version 1 a start is not a single write: see above. No such model has extras. */
	if (caps.version >= 2)
		pfm_intel_probe_model(table->data, perf_caps, &caps, extra);
	pfm_intel_build(&pfm_intel, caps, extra, &pfm_intel_lbr);
	pfm_intel.pmu.name = table->model;
	pfm_evtsel_setup(&pfm_intel.pmu, caps.num_gp);
	pfm_intel.pmu.ops = pfm_intel_ops();
	return &pfm_intel.pmu;
}
