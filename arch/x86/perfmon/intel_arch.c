// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: PMU operations of the Intel architectural PMU, versions 1 to 5.
 *
 * Facts: Intel SDM volume 3B, chapter "Performance Monitoring": architectural
 * performance monitoring; IA32_PERF_GLOBAL_*.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/array_size.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/perfmon_compat.h>
#include <linux/perfmon_host.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/perf_event.h>
#include <asm/processor.h>
#include <asm/smp.h>
#include "evtsel.h"
#include "intel_arch.h"
#include "intel_extra.h"
#include "intel_hybrid.h"
#include "intel_lbr.h"
#include "intel_nehalem.h"
#include "msr.h"
#include "p6.h"
#include "tables.h"

#define RDPMC_FIXED	BIT(30)	/* in RDPMC's index: a fixed counter */
#define COUNTER_PROBE	0x2a5a5a5a	/* a value of a counter that no other is likely to leave */

/* The tables, which pfmon compiles as well, are written without the kernel's headers. */
static_assert(PFM_INTEL_EVTSEL0 == MSR_ARCH_PERFMON_EVENTSEL0);
static_assert(PFM_INTEL_PERFCTR0 == MSR_ARCH_PERFMON_PERFCTR0);
static_assert(PFM_INTEL_FIXED_CTR_CTRL == MSR_CORE_PERF_FIXED_CTR_CTRL);
static_assert(PFM_INTEL_FIXED_CTR0 == MSR_CORE_PERF_FIXED_CTR0);
static_assert(PFM_INTEL_EVTSEL_EN == ARCH_PERFMON_EVENTSEL_ENABLE);

/* Features of an event selector, beside event and unit mask, that a hypervisor may lack. */
static const u64 evtsel_features[] = {
	ARCH_PERFMON_EVENTSEL_EDGE, ARCH_PERFMON_EVENTSEL_INV, ARCH_PERFMON_EVENTSEL_CMASK,
};

struct pfm_intel_pmu pfm_intel __ro_after_init;

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

/**
 * pfm_intel_responds() - Do a selector and a counter keep what is written to them?
 * @index: index of the pair; the last one is the least likely one to be in use
 *
 * A hypervisor may report a PMU, and accept accesses without an effect: that PMU would count
 * nothing for ever.
 *
 * Context: boot, interrupts off.
 */
bool pfm_intel_responds(unsigned int index)
{
	u32 selector = MSR_ARCH_PERFMON_EVENTSEL0 + index;
	bool there;
	u64 old;

	if (!pfm_msr_holds(selector, PFM_EVTSEL_USR))
		return false;
	/* With the selector set, the counter might count meanwhile. */
	old = pfm_rdmsr(selector);
	pfm_wrmsr(selector, 0);
	there = pfm_msr_holds(MSR_ARCH_PERFMON_PERFCTR0 + index, COUNTER_PROBE);
	pfm_wrmsr(selector, old);
	return there;
}

/* Version 2 and up have IA32_PERF_GLOBAL_CTRL, and the registers of the overflows. */
static bool pfm_intel_has_global(const struct pfm_intel_caps *caps)
{
	return caps->version >= 2;
}

/**
 * pfm_intel_one_enables() - Does IA32_PERF_GLOBAL_CTRL enable all counters of this machine?
 *
 * Context: boot, after pfm_intel_detect().
 */
bool pfm_intel_one_enables(void)
{
	return pfm_intel_has_global(&pfm_intel.caps);
}

/**
 * pfm_intel_stopped() - Has another handler stopped counters that must count?
 * @enable: their bits in IA32_PERF_GLOBAL_CTRL; only where pfm_intel_one_enables()
 *
 * Context: NMI, on the CPU.
 */
bool pfm_intel_stopped(u64 enable)
{
	return ~pfm_rdmsr(MSR_CORE_PERF_GLOBAL_CTRL) & enable;
}

/**
 * pfm_intel_overflowed() - Does IA32_PERF_GLOBAL_STATUS have an overflow of perfmon's?
 *
 * Context: NMI, on the CPU; only where pfm_intel_one_enables().
 */
bool pfm_intel_overflowed(void)
{
	return pfm_rdmsr(MSR_CORE_PERF_GLOBAL_STATUS) & pfm_intel.status;
}

/**
 * pfm_intel_fixed_enabled() - Is a fixed counter enabled?
 * @pmu: any x86 PMU
 *
 * Context: on the CPU.
 *
 * Return: the name of their control register; NULL when none is.
 */
const char *pfm_intel_fixed_enabled(const struct pfm_pmu *pmu)
{
	const struct pfm_reg_desc *control = pmu->pmcs + PFM_INTEL_FIXED_CTRL;
	u64 value;

	if (pmu->num_pmcs <= PFM_INTEL_FIXED_CTRL || control->addr != PFM_INTEL_FIXED_CTR_CTRL ||
	    pfm_rdmsr_safe(PFM_INTEL_FIXED_CTR_CTRL, &value) || !(value & ~control->rsvd))
		return NULL;
	return control->name;
}

/**
 * pfm_intel_probe_evtsel() - Determine the bits of an event selector that a write faults for.
 * @index: the selector
 *
 * A hypervisor may implement only some of the bits. The others are reserved then.
 *
 * Context: boot, interrupts off.
 */
u64 pfm_intel_probe_evtsel(unsigned int index)
{
	u32 msr = MSR_ARCH_PERFMON_EVENTSEL0 + index;
	u64 old, refused = 0;
	unsigned int i;

	/* The NMI watchdog may be using it already: restore the old value. */
	old = pfm_rdmsr(msr);
	for (i = 0; i < ARRAY_SIZE(evtsel_features); i++) {
		if (pfm_wrmsr_safe(msr, evtsel_features[i]))
			refused |= evtsel_features[i];
	}
	pfm_wrmsr(msr, old);
	return refused;
}

/*
 * Microcode of Skylake and its relatives uses the fourth counter to repair transactional
 * memory, unless MSR_TSX_FORCE_ABORT makes every transaction fail. perf_events sets that
 * while it uses the counter. Here programs keep their transactions: the counter is left out.
 */
static u16 pfm_intel_taken(const struct cpuinfo_x86 *c)
{
	return cpu_has(c, X86_FEATURE_TSX_FORCE_ABORT) &&
	       !cpu_has(c, X86_FEATURE_RTM_ALWAYS_ABORT) ? BIT(3) : 0;
}

/**
 * pfm_intel_is_architectural() - Does the processor have the architectural PMU?
 * @c: the processor
 *
 * By vendor; other vendors have parts of the architecture: version 2, by known models.
 */
bool pfm_intel_is_architectural(const struct cpuinfo_x86 *c)
{
	if (!cpu_has(c, X86_FEATURE_ARCH_PERFMON) || c->cpuid_level < 0xa)
		return false;
	if (c->x86_vendor == X86_VENDOR_INTEL)
		return true;
	return (c->x86_vendor == X86_VENDOR_CENTAUR || c->x86_vendor == X86_VENDOR_ZHAOXIN) &&
	       c->x86 != 6 && pfm_intel_find_model(c->x86, c->x86_model) != pfm_intel_tables;
}

/**
 * pfm_intel_read_caps() - Complete the capabilities by those that CPUID does not report.
 * @c: the processor
 * @caps: common to all CPUs
 *
 * Context: boot.
 *
 * Return: true if there is a PMU that works.
 */
bool pfm_intel_read_caps(const struct cpuinfo_x86 *c, struct pfm_intel_caps *caps)
{
	unsigned long flags;
	unsigned int last;
	bool there;

	if (!caps->version || !caps->num_gp || !caps->gp_width)
		return false;
	caps->gp_taken = pfm_intel_taken(c);
	last = fls((BIT(caps->num_gp) - 1) & ~caps->gp_taken) - 1;
	local_irq_save(flags);
	there = pfm_intel_responds(last);
	if (there)
		caps->evtsel_refused = pfm_intel_probe_evtsel(last);
	local_irq_restore(flags);
	if (!there) {
		pr_err("the PMU's registers keep nothing, it is not used: the hypervisor has to offer one that works\n");
		return false;
	}
	return true;
}

static void pfm_intel_find_lbr(const struct cpuinfo_x86 *c, struct pfm_intel_lbr lbr,
			       const struct pfm_intel_lbr_leaf *leaf, u64 *select)
{
	u64 perf_caps = pfm_intel_perf_caps(c);
	bool found;

	if (cpu_has(c, X86_FEATURE_ARCH_LBR))
		found = pfm_intel_probe_arch_lbr(&lbr, leaf->depths);
	else /* Without the filter by level, every user would record the kernel. */
		found = (*select & PFM_INTEL_LBR_KERNEL) &&
			pfm_intel_probe_lbr(&lbr, perf_caps, cpu_has(c, X86_FEATURE_INTEL_PT));
	if (found) {
		pfm_intel_probe_lbr_flags(&lbr, perf_caps, leaf->parts);
		pfm_intel_lbr = lbr;
	}
	if (!found || lbr.ctl)
		*select = 0;
}

/**
 * pfm_intel_probe_model() - Probe for the registers of the model beyond the architecture.
 * @c: the processor
 * @model: its model
 * @common: the capabilities that all its CPUs have
 * @hybrid: it has several types of cores. The registers of the model belong to one of them,
 *	except architectural branch records that all have.
 * @extra: zeroed; set to the bits of each model-specific register, 0 if it does not exist
 *
 * Branch records that are found become pfm_intel_lbr.
 *
 * Context: boot.
 */
void pfm_intel_probe_model(const struct cpuinfo_x86 *c, const struct pfm_intel_model *model,
			   const struct pfm_intel_cpu *common, bool hybrid, u64 *extra)
{
	unsigned long flags;

	/* With version 1 a start is not a single write: see above. No such model has extras. */
	if (!pfm_intel_has_global(&common->caps))
		return;
	local_irq_save(flags);
	if (!hybrid)
		pfm_intel_probe_extra(model, smp_num_siblings, cpu_has(c, X86_FEATURE_PEBS), extra);
	pfm_intel_find_lbr(c, model->lbr, &common->lbr, &extra[PFM_INTEL_LBR_SELECT]);
	if (common->caps.version >= 4)
		pfm_intel_lbr.frozen = GLOBAL_STATUS_LBRS_FROZEN;
	local_irq_restore(flags);
}

/**
 * pfm_intel_add_banks() - Set the banks of the registers beside the counters.
 * @intel: zeroed, or built
 * @extra: bits of each model-specific register
 * @lbr: the branch records
 */
void pfm_intel_add_banks(struct pfm_intel_pmu *intel, const u64 *extra,
			 const struct pfm_intel_lbr *lbr)
{
	unsigned int n = 0;

	if (memchr_inv(extra, 0, PFM_INTEL_NUM_EXTRA * sizeof(*extra)))
		intel->banks[n++] = &pfm_intel_extra_bank;
	if (lbr->entries)
		intel->banks[n] = &pfm_intel_lbr_bank;
	intel->pmu.banks = intel->banks;
}

/**
 * pfm_intel_choose_ops() - Choose the operations of the counters.
 * @c: the processor
 * @model: its model, which may have an erratum; a hypervisor's registers have no errata
 * @caps: its capabilities
 *
 * Context: boot.
 */
const struct pfm_pmu_ops *pfm_intel_choose_ops(const struct cpuinfo_x86 *c,
					       const struct pfm_intel_model *model,
					       const struct pfm_intel_caps *caps)
{
	const struct pfm_pmu_ops *ops = pfm_intel_has_global(caps) ? &pfm_intel_v2_ops :
								     &pfm_intel_v1_ops;

	if (cpu_has(c, X86_FEATURE_HYPERVISOR))
		return ops;
	if (model->one_enable && caps->num_gp == PFM_P6_NUM)
		return &pfm_core_duo_ops;
	if (!model->resets)
		return ops;
	pfm_intel_nehalem_use(ops);
	return &pfm_intel_nehalem_ops;
}

/* The model's name, which shows when there is more than one type of cores. */
static const char * __init pfm_intel_name(const char *model, bool hybrid)
{
	static char name[48] __ro_after_init;

	snprintf(name, sizeof(name), "%s, hybrid", model);
	return hybrid ? name : model;
}

static void __init pfm_intel_build_common(const struct pfm_core_type *types,
					  const struct pfm_intel_cpu *common)
{
	const struct cpuinfo_x86 *c = &boot_cpu_data;
	const struct pfm_table *table = pfm_intel_find_model(c->x86, c->x86_model);
	u64 extra[PFM_INTEL_NUM_EXTRA] = { };

	pfm_intel_probe_model(c, table->data, common, types, extra);
	pfm_intel_build(&pfm_intel, common->caps, extra, &pfm_intel_lbr);
	pfm_intel.pmu.name = pfm_intel_name(table->model, types);
	pfm_intel.pmu.core_types = types;
	pfm_evtsel_setup((struct pfm_evtsels) {
		pfm_intel.pmcs, pfm_intel.pmds, common->caps.num_gp, PFM_EVTSEL_EN
	});
	pfm_intel_extra_setup(pfm_intel.pmcs);
	pfm_intel_add_banks(&pfm_intel, extra, &pfm_intel_lbr);
	pfm_intel.pmu.ops = pfm_intel_choose_ops(c, table->data, &common->caps);
	if (common->uneven) {
		pfm_intel_uneven_use(pfm_intel.pmu.ops, common->caps.gp_width);
		pfm_intel.pmu.ops = &pfm_intel_uneven_ops;
	}
}

/**
 * pfm_intel_detect() - Is this a processor with the architectural PMU?
 *
 * Return: its description, or NULL. pfm_intel_cpus_forget() undoes it.
 */
const struct pfm_pmu * __init pfm_intel_detect(void)
{
	const struct pfm_core_type *types;
	struct pfm_intel_cpu common = { };

	if (!pfm_intel_is_architectural(&boot_cpu_data))
		return NULL;
	types = pfm_intel_cpus_read(&common);
	if (!pfm_intel_read_caps(&boot_cpu_data, &common.caps)) {
		pfm_intel_cpus_forget();
		return NULL;
	}
	pfm_intel_build_common(types, &common);
	return &pfm_intel.pmu;
}
