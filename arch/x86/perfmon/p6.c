// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: PMU operations of the P6 family.
 *
 * The only enable bit, that of PERFEVTSEL0, is written last by a start and cleared
 * by a stop. It would also start the second counter as another context left it: so
 * a start clears PERFEVTSEL1 unless the set uses it. The Core Duo is handled alike.
 */
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/irqflags.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include "evtsel.h"
#include "msr.h"
#include "p6.h"

static_assert(PFM_P6_EVTSEL0 == MSR_P6_EVNTSEL0);
static_assert(PFM_P6_PERFCTR0 == MSR_P6_PERFCTR0);

static void p6_init_cpu(void)
{
	pfm_wrmsr(PFM_P6_EVTSEL0, 0);
	pfm_wrmsr(PFM_P6_EVTSEL0 + 1, 0);
	pfm_evtsel_ack();
}

/* @enabled: bits without which the counter of a selector stands still */
static void p6_prepare_enabled(struct pfm_regs *regs, u64 enabled)
{
	u64 live = 0;
	unsigned int i;

	pfm_for_each_reg(i, regs->used_pmcs, PFM_P6_NUM) {
		if ((regs->pmcs[i] & (PFM_P6_USR | PFM_P6_OS)) &&
		    (regs->pmcs[i] & enabled) == enabled)
			live |= BIT_ULL(i);
	}
	regs->live_pmds = live;
	regs->enable = live ? PFM_P6_EN : 0;
}

static void p6_prepare(struct pfm_regs *regs)
{
	p6_prepare_enabled(regs, 0);
}

static void core_duo_prepare(struct pfm_regs *regs)
{
	p6_prepare_enabled(regs, PFM_P6_EN);
}

static u64 p6_read_pmd(unsigned int pmd)
{
	return pfm_rdmsr(PFM_P6_PERFCTR0 + pmd) & GENMASK_ULL(PFM_P6_WIDTH - 1, 0);
}

static void p6_write_pmd(unsigned int pmd, u64 value)
{
	pfm_wrmsr(PFM_P6_PERFCTR0 + pmd, value & GENMASK_ULL(31, 0));
}

/* Without the enable bit: a start sets it in PERFEVTSEL0, in PERFEVTSEL1 it is reserved. */
static void p6_write_pmc(unsigned int pmc, u64 value)
{
	pfm_wrmsr(PFM_P6_EVTSEL0 + pmc, value & ~PFM_P6_EN);
}

static u64 p6_evtsel0(const struct pfm_regs *regs)
{
	return regs->live_pmds & BIT_ULL(0) ? regs->pmcs[0] & ~PFM_P6_EN : 0;
}

static void p6_start(const struct pfm_regs *regs)
{
	if (!(regs->live_pmds & BIT_ULL(1)))
		pfm_wrmsr(PFM_P6_EVTSEL0 + 1, 0);
	pfm_wrmsr(PFM_P6_EVTSEL0, p6_evtsel0(regs) | regs->enable);
}

static void p6_stop(const struct pfm_regs *regs)
{
	pfm_wrmsr(PFM_P6_EVTSEL0, p6_evtsel0(regs));
}

const struct pfm_pmu_ops pfm_p6_ops = {
	.acquire	= pfm_evtsel_acquire,
	.release	= pfm_evtsel_release,
	.init_cpu	= p6_init_cpu,
	.prepare	= p6_prepare,
	.start		= p6_start,
	.stop		= p6_stop,
	.ack		= pfm_evtsel_ack,
	.write_pmc	= p6_write_pmc,
	.write_pmd	= p6_write_pmd,
	.read_pmd	= p6_read_pmd,
};

/*
 * The Core Duo has the architectural PMU, with an enable bit in each selector, and an erratum
 * by which only the first enable bit has an effect, on both counters: AE49, in other processors
 * of the kind AN49 and AF49. Programs see the bits as on other processors.
 */
const struct pfm_pmu_ops pfm_core_duo_ops = {
	.acquire	= pfm_evtsel_acquire,
	.release	= pfm_evtsel_release,
	.init_cpu	= p6_init_cpu,
	.prepare	= core_duo_prepare,
	.start		= p6_start,
	.stop		= p6_stop,
	.ack		= pfm_evtsel_ack,
	.write_pmc	= p6_write_pmc,
	.write_pmd	= p6_write_pmd,
	.read_pmd	= p6_read_pmd,
};

/**
 * pfm_p6_probe() - Do the registers exist?
 *
 * A hypervisor may leave them out. The value that is tried is an event that counts
 * at no privilege level, in the register that the NMI watchdog does not use.
 *
 * Context: interrupts off.
 */
bool pfm_p6_probe(void)
{
	u64 count;

	return pfm_msr_holds(PFM_P6_EVTSEL0 + 1, PFM_P6_PROBE) &&
	       !pfm_rdmsr_safe(PFM_P6_PERFCTR0 + 1, &count);
}

static struct pfm_pmu p6 __ro_after_init;

/**
 * pfm_p6_detect() - Is this a processor of the P6 family?
 * @c: the processor
 *
 * Later processors have the architectural PMU.
 *
 * Context: boot.
 *
 * Return: its description, or NULL.
 */
const struct pfm_pmu *pfm_p6_detect(const struct cpuinfo_x86 *c)
{
	static const u8 models[] = { 1, 3, 5, 6, 7, 8, 9, 10, 11, 13 };
	unsigned long flags;
	bool there;

	if (c->x86_vendor != X86_VENDOR_INTEL || c->x86 != 6 ||
	    cpu_has(c, X86_FEATURE_ARCH_PERFMON) ||
	    !memchr(models, c->x86_model, sizeof(models)))
		return NULL;
	local_irq_save(flags);
	there = pfm_p6_probe();
	local_irq_restore(flags);
	if (!there)
		return NULL;
	p6 = pfm_p6_registers;
	p6.ops = &pfm_p6_ops;
	pfm_evtsel_setup((struct pfm_evtsels) { p6.pmcs, p6.pmds, PFM_P6_NUM, PFM_P6_EN });
	return &p6;
}
