// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the Intel architectural PMU, versions 1 to 5.
 *
 * Facts: Intel SDM volume 3B, chapter "Performance Monitoring": architectural
 * performance monitoring; layouts of IA32_PERFEVTSELx, IA32_FIXED_CTR_CTRL and
 * IA32_PERF_GLOBAL_*; volume 2A, CPUID leaf 0AH.
 */
#include <linux/array_size.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/perf_event.h>
#include <asm/processor.h>
#include "evtsel.h"
#include "intel_arch.h"

#define EVENTSEL_OS		ARCH_PERFMON_EVENTSEL_OS
#define EVENTSEL_INT		ARCH_PERFMON_EVENTSEL_INT
#define EVENTSEL_EN		ARCH_PERFMON_EVENTSEL_ENABLE
/*
 * INT is always on: the 64-bit emulation lives on it. Pin control drives a pin
 * of the package. AnyThread would count what another hardware thread does,
 * whoever runs there.
 */
#define EVENTSEL_RSVD		(EVENTSEL_INT | ARCH_PERFMON_EVENTSEL_PIN_CONTROL | \
				 ARCH_PERFMON_EVENTSEL_ANY | GENMASK_ULL(63, 32))

/* Four bits of IA32_FIXED_CTR_CTRL for each counter. */
#define FIXED_OS		0x1ULL
#define FIXED_USR		0x2ULL
#define FIXED_ANY		0x4ULL
#define FIXED_PMI		0x8ULL

/* What RDPMC wants for a fixed counter, and what tells them apart in GLOBAL_*. */
#define RDPMC_FIXED		BIT(30)
#define GLOBAL_FIXED		32

static struct pfm_intel_pmu pfm_intel __ro_after_init;

static const char * const evtsel_names[PFM_INTEL_MAX_GP] = {
	"IA32_PERFEVTSEL0", "IA32_PERFEVTSEL1", "IA32_PERFEVTSEL2", "IA32_PERFEVTSEL3",
	"IA32_PERFEVTSEL4", "IA32_PERFEVTSEL5", "IA32_PERFEVTSEL6", "IA32_PERFEVTSEL7",
};

static const char * const gp_names[PFM_INTEL_MAX_GP] = {
	"IA32_PMC0", "IA32_PMC1", "IA32_PMC2", "IA32_PMC3",
	"IA32_PMC4", "IA32_PMC5", "IA32_PMC6", "IA32_PMC7",
};

static const char * const fixed_names[PFM_INTEL_MAX_FIXED] = {
	"IA32_FIXED_CTR0", "IA32_FIXED_CTR1", "IA32_FIXED_CTR2", "IA32_FIXED_CTR3",
	"IA32_FIXED_CTR4", "IA32_FIXED_CTR5", "IA32_FIXED_CTR6", "IA32_FIXED_CTR7",
	"IA32_FIXED_CTR8", "IA32_FIXED_CTR9", "IA32_FIXED_CTR10", "IA32_FIXED_CTR11",
	"IA32_FIXED_CTR12", "IA32_FIXED_CTR13", "IA32_FIXED_CTR14", "IA32_FIXED_CTR15",
};

/**
 * pfm_intel_cpuid_caps() - Decode CPUID leaf 0xA.
 * @eax: from CPUID
 * @ecx: from CPUID
 * @edx: from CPUID
 * @hypervisor: a hypervisor answers CPUID: it means what it says
 * @full_width_write: IA32_PERF_CAPABILITIES.FW_WRITE
 */
struct pfm_intel_caps pfm_intel_cpuid_caps(u32 eax, u32 ecx, u32 edx, bool hypervisor,
					   bool full_width_write)
{
	struct pfm_intel_caps caps = {
		.version		= eax & 0xff,
		.num_gp			= min_t(u32, (eax >> 8) & 0xff, PFM_INTEL_MAX_GP),
		.gp_width		= (eax >> 16) & 0xff,
		.full_width_write	= full_width_write,
	};
	unsigned int num_fixed = min_t(u32, edx & 0x1f, PFM_INTEL_MAX_FIXED);

	if (caps.version < 2)
		return caps;
	caps.fixed_width = (edx >> 5) & 0xff;
	/* The first processors of version 2 have three and report none. */
	if (!num_fixed && !hypervisor)
		num_fixed = 3;
	if (!caps.fixed_width)
		caps.fixed_width = caps.gp_width;
	caps.fixed_mask = BIT(num_fixed) - 1;
	/* Version 5 names them one by one. */
	if (caps.version >= 5)
		caps.fixed_mask |= ecx & (BIT(PFM_INTEL_MAX_FIXED) - 1);
	return caps;
}

static void pfm_intel_build_gp(struct pfm_intel_pmu *intel, unsigned int i)
{
	struct pfm_reg_desc *pmc = &intel->pmcs[i];
	struct pfm_reg_desc *pmd = &intel->pmds[i];

	pmc->name = evtsel_names[i];
	pmc->type = PFM_REG_TYPE_MSR;
	pmc->cls = PFM_CLASS_CONTROL;
	pmc->width = 64;
	pmc->addr = MSR_ARCH_PERFMON_EVENTSEL0 + i;
	pmc->def = EVENTSEL_INT;
	pmc->rsvd = EVENTSEL_RSVD | intel->caps.evtsel_refused;
	pmc->kernel_bits = EVENTSEL_OS;
	pfm_bv_set(pmc->deps, i);

	pmd->name = gp_names[i];
	pmd->type = PFM_REG_TYPE_MSR;
	pmd->cls = PFM_CLASS_COUNTER;
	pmd->width = intel->caps.gp_width;
	/* The original MSRs take 32 bits and copy the sign into the others. */
	pmd->write_width = intel->caps.full_width_write ? intel->caps.gp_width :
			   min_t(u8, intel->caps.gp_width, 32);
	pmd->addr = MSR_ARCH_PERFMON_PERFCTR0 + i;
	pfm_bv_set(pmd->deps, i);

	intel->counters |= BIT_ULL(i);
}

static void pfm_intel_build_fixed(struct pfm_intel_pmu *intel, unsigned int i)
{
	struct pfm_reg_desc *pmc = &intel->pmcs[PFM_INTEL_FIXED_CTRL];
	struct pfm_reg_desc *pmd = &intel->pmds[PFM_INTEL_FIXED + i];

	/* PMI is always on, AnyThread always off: see EVENTSEL_RSVD. */
	pmc->def |= FIXED_PMI << (4 * i);
	pmc->rsvd &= ~((FIXED_OS | FIXED_USR) << (4 * i));
	pmc->kernel_bits |= FIXED_OS << (4 * i);
	pfm_bv_set(pmc->deps, PFM_INTEL_FIXED + i);

	pmd->name = fixed_names[i];
	pmd->type = PFM_REG_TYPE_MSR;
	pmd->cls = PFM_CLASS_COUNTER;
	pmd->width = intel->caps.fixed_width;
	pmd->write_width = intel->caps.fixed_width;
	pmd->addr = MSR_CORE_PERF_FIXED_CTR0 + i;
	pfm_bv_set(pmd->deps, PFM_INTEL_FIXED_CTRL);

	intel->counters |= BIT_ULL(GLOBAL_FIXED + i);
}

static const struct pfm_pmu_ops pfm_intel_v1_ops;
static const struct pfm_pmu_ops pfm_intel_v2_ops;

/**
 * pfm_intel_build() - Make the table for given capabilities.
 * @intel: zeroed
 * @caps: from pfm_intel_cpuid_caps(), at least version 1 with a general counter
 */
void pfm_intel_build(struct pfm_intel_pmu *intel, struct pfm_intel_caps caps)
{
	struct pfm_reg_desc *ctrl = &intel->pmcs[PFM_INTEL_FIXED_CTRL];
	unsigned int i;

	intel->caps = caps;
	intel->pmu.name = "Intel architectural";
	intel->pmu.counter_width = caps.gp_width;
	intel->pmu.pmcs = intel->pmcs;
	intel->pmu.pmds = intel->pmds;
	intel->pmu.num_pmcs = caps.num_gp;
	intel->pmu.num_pmds = caps.num_gp;
	intel->pmu.ops = caps.version >= 2 ? &pfm_intel_v2_ops : &pfm_intel_v1_ops;
	for (i = 0; i < caps.num_gp; i++)
		pfm_intel_build_gp(intel, i);
	if (!caps.fixed_mask)
		return;

	ctrl->name = "IA32_FIXED_CTR_CTRL";
	ctrl->type = PFM_REG_TYPE_MSR;
	ctrl->cls = PFM_CLASS_CONTROL;
	ctrl->width = 64;
	ctrl->addr = MSR_CORE_PERF_FIXED_CTR_CTRL;
	ctrl->rsvd = ~0ULL;
	for (i = 0; i < PFM_INTEL_MAX_FIXED; i++) {
		if (caps.fixed_mask & BIT(i))
			pfm_intel_build_fixed(intel, i);
	}
	intel->pmu.num_pmcs = PFM_INTEL_NUM_PMCS;
	intel->pmu.num_pmds = PFM_INTEL_FIXED + fls(caps.fixed_mask);
}

/**
 * pfm_intel_prepare() - Which counters does a set of control values enable?
 * @regs: see struct pfm_pmu_ops
 *
 * @regs->enable is the value for IA32_PERF_GLOBAL_CTRL.
 */
void pfm_intel_prepare(struct pfm_regs *regs)
{
	u64 used = regs->used_pmcs[0];
	u64 enable = 0;
	u64 fixed;
	unsigned int i;

	pfm_for_each_reg(i, regs->used_pmcs, PFM_INTEL_MAX_GP) {
		if (regs->pmcs[i] & EVENTSEL_EN)
			enable |= BIT_ULL(i);
	}
	if (used & BIT_ULL(PFM_INTEL_FIXED_CTRL)) {
		fixed = regs->pmcs[PFM_INTEL_FIXED_CTRL];
		for (i = 0; i < PFM_INTEL_MAX_FIXED; i++, fixed >>= 4) {
			if (fixed & (FIXED_OS | FIXED_USR))
				enable |= BIT_ULL(GLOBAL_FIXED + i);
		}
	}
	regs->enable = enable;
	regs->live_pmds = (enable & (BIT_ULL(PFM_INTEL_MAX_GP) - 1)) |
			  (enable >> GLOBAL_FIXED) << PFM_INTEL_FIXED;
}

static void pfm_intel_write_pmc(unsigned int pmc, u64 value)
{
	wrmsrl(pfm_intel.pmcs[pmc].addr, value);
}

static void pfm_intel_write_pmd(unsigned int pmd, u64 value)
{
	if (pmd < PFM_INTEL_FIXED && pfm_intel.caps.full_width_write)
		wrmsrl(MSR_IA32_PMC0 + pmd, value);
	else
		wrmsrl(pfm_intel.pmds[pmd].addr, value);
}

static u64 pfm_intel_read_pmd(unsigned int pmd)
{
	u64 value;

	if (pmd < PFM_INTEL_FIXED)
		rdpmcl(pmd, value);
	else
		rdpmcl(RDPMC_FIXED | (pmd - PFM_INTEL_FIXED), value);
	return value;
}

/* Version 2 and up: one register starts and stops all counters. */

static void pfm_intel_v2_ack(void)
{
	wrmsrl(MSR_CORE_PERF_GLOBAL_OVF_CTRL, pfm_intel.counters);
	apic_write(APIC_LVTPC, APIC_DM_NMI);
}

static void pfm_intel_v2_init_cpu(void)
{
	wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	pfm_intel_v2_ack();
}

static void pfm_intel_v2_start(const struct pfm_regs *regs)
{
	wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL, regs->enable);
}

static void pfm_intel_v2_stop(const struct pfm_regs *regs)
{
	wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL, 0);
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

/*
 * Virtual machines may offer counters without all that an event selector can
 * say: they fault on the rest. Such bits are reserved here.
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
	rdmsrl(msr, old);
	for (i = 0; i < ARRAY_SIZE(features); i++) {
		if (wrmsrl_safe(msr, features[i]))
			refused |= features[i];
	}
	wrmsrl(msr, old);
	local_irq_restore(flags);
	return refused;
}

/**
 * pfm_intel_detect() - Is this a processor with the architectural PMU?
 *
 * Return: its description, or NULL.
 */
const struct pfm_pmu * __init pfm_intel_detect(void)
{
	bool full_width = false;
	struct pfm_intel_caps caps;
	u32 eax, ebx, ecx, edx;
	u64 perf_caps;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    !boot_cpu_has(X86_FEATURE_ARCH_PERFMON) || boot_cpu_data.cpuid_level < 0xa)
		return NULL;
	cpuid(0xa, &eax, &ebx, &ecx, &edx);
	if (boot_cpu_has(X86_FEATURE_PDCM) && !rdmsrl_safe(MSR_IA32_PERF_CAPABILITIES, &perf_caps))
		full_width = perf_caps & BIT(13);
	caps = pfm_intel_cpuid_caps(eax, ecx, edx, boot_cpu_has(X86_FEATURE_HYPERVISOR),
				    full_width);
	if (!caps.version || !caps.num_gp || !caps.gp_width)
		return NULL;
	caps.evtsel_refused = pfm_intel_probe_evtsel(caps.num_gp);
	pfm_intel_build(&pfm_intel, caps);
	pfm_evtsel_setup(&pfm_intel.pmu, caps.num_gp);
	return &pfm_intel.pmu;
}
