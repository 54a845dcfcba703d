// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: PMU operations of the Pentium 4.
 *
 * No register starts all counters: the CCCRs are handled as other processors' event selectors,
 * see evtsel.c. The kernel's reservations cover the counters only. Values that other contexts leave
 * in ESCRs must have no effect: an ESCR that tags instructions would change the events that this
 * set's counters count, and one that selects the kernel would make a CCCR alone count it. So a
 * start clears every loaded ESCR that the set does not use.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/perfmon_compat.h>
#include <linux/printk.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>
#include <asm/smp.h>
#include "evtsel.h"
#include "msr.h"
#include "p4.h"

static_assert(PFM_P4_CTR0 == MSR_P4_BPU_PERFCTR0);
static_assert(PFM_P4_CCCR0 == MSR_P4_BPU_CCCR0);
static_assert(PFM_P4_CCCR0 + PFM_P4_NUM - 1 == MSR_P4_IQ_CCCR5);
static_assert(PFM_P4_ESCR0 == MSR_P4_BSU_ESCR0);

/* ESCRs of this CPU, by PMC, that do not hold zero. */
static DEFINE_PER_CPU(unsigned long [BITS_TO_LONGS(PFM_P4_NUM_PMCS)], pfm_p4_loaded);

static struct pfm_p4_pmu p4 __ro_after_init;
static const struct pfm_p4_pmu *p4_table __ro_after_init = &p4;

/*
 * The overflow flags first: while one is set, the local APIC's entry does not
 * stay unmasked.
 */
static void p4_ack(void)
{
	unsigned int i;
	u64 cccr;

	for (i = 0; i < PFM_P4_NUM; i++) {
		cccr = pfm_rdmsr(PFM_P4_CCCR0 + i);
		if (cccr & PFM_P4_CCCR_OVF)
			pfm_wrmsr(PFM_P4_CCCR0 + i, cccr & ~PFM_P4_CCCR_OVF);
	}
	pfm_evtsel_ack();
}

static u32 p4_escr_msr(unsigned int pmc)
{
	return PFM_P4_ESCR0 + pmc - PFM_P4_ESCR;
}

static void p4_write_escr(unsigned int pmc, u64 value)
{
	pfm_wrmsr(p4_escr_msr(pmc), value);
	__assign_bit(pmc, *this_cpu_ptr(&pfm_p4_loaded), value);
}

static void p4_init_cpu(void)
{
	unsigned int i;

	for (i = 0; i < PFM_P4_NUM; i++)
		pfm_wrmsr(PFM_P4_CCCR0 + i, p4_table->pmcs[i].def);
	for (i = PFM_P4_ESCR; i < p4_table->pmu.num_pmcs; i++) {
		if (p4_table->pmcs[i].name)
			p4_write_escr(i, 0);
	}
	p4_ack();
}

static void p4_prepare(struct pfm_regs *regs)
{
	unsigned int i;

	regs->live_pmds = 0;
	pfm_for_each_reg(i, regs->used_pmcs, PFM_P4_NUM) {
		if (regs->pmcs[i] & PFM_P4_CCCR_ENABLE)
			regs->live_pmds |= BIT_ULL(i);
	}
	regs->enable = regs->live_pmds;
}

static void p4_write_pmc(unsigned int pmc, u64 value)
{
	if (pmc < PFM_P4_ESCR)
		pfm_evtsel_write_pmc(pmc, value);
	else
		p4_write_escr(pmc, value);
}

/* Erratum N15: a write may have no effect. The second one has, as perf_events found. */
static void p4_write_pmd(unsigned int pmd, u64 value)
{
	pfm_wrmsr(PFM_P4_CTR0 + pmd, value);
	pfm_wrmsr(PFM_P4_CTR0 + pmd, value);
}

static u64 p4_read_pmd(unsigned int pmd)
{
	return pfm_rdmsr(PFM_P4_CTR0 + pmd) & GENMASK_ULL(PFM_P4_WIDTH - 1, 0);
}

static void p4_clear_escrs(const struct pfm_regs *regs)
{
	const unsigned long *loaded = *this_cpu_ptr(&pfm_p4_loaded);
	unsigned int pmc;

	for_each_set_bit(pmc, loaded, PFM_P4_NUM_PMCS) {
		if (!pfm_bv_test(regs->used_pmcs, pmc))
			p4_write_escr(pmc, 0);
	}
}

static void p4_start(const struct pfm_regs *regs)
{
	p4_clear_escrs(regs);
	pfm_evtsel_start(regs);
}

const struct pfm_pmu_ops pfm_p4_ops = {
	.acquire	= pfm_evtsel_acquire,
	.release	= pfm_evtsel_release,
	.init_cpu	= p4_init_cpu,
	.prepare	= p4_prepare,
	.start		= p4_start,
	.stop		= pfm_evtsel_stop,
	.ack		= p4_ack,
	.write_pmc	= p4_write_pmc,
	.write_pmd	= p4_write_pmd,
	.read_pmd	= p4_read_pmd,
};

/**
 * pfm_p4_use() - Set the registers for the operations.
 * @table: the table; NULL: the machine's own
 *
 * Context: boot.
 */
void pfm_p4_use(const struct pfm_p4_pmu *table)
{
	p4_table = table ?: &p4;
	pfm_evtsel_setup((struct pfm_evtsels) {
		p4_table->pmcs, p4_table->pmds, PFM_P4_NUM, PFM_P4_CCCR_ENABLE
	});
}

/**
 * pfm_p4_have() - Does an ESCR exist?
 * @msr: its address
 *
 * Later models have no IQ_ESCR, and hypervisors none at all. The value that is tried
 * is an event that counts at no privilege level.
 *
 * Context: interrupts off.
 */
bool pfm_p4_have(unsigned int msr)
{
	return pfm_msr_holds(msr, PFM_P4_PROBE);
}

/* Hyper-threads share the counters of a core: a processor with hyper-threading is refused. */
static bool p4_is_usable(const struct cpuinfo_x86 *c, unsigned int siblings)
{
	u64 misc_enable;

	if (c->x86_vendor != X86_VENDOR_INTEL || c->x86 != 15 ||
	    cpu_has(c, X86_FEATURE_ARCH_PERFMON) ||
	    pfm_rdmsr_safe(MSR_IA32_MISC_ENABLE, &misc_enable) ||
	    !(misc_enable & MSR_IA32_MISC_ENABLE_EMON))
		return false;
	if (siblings > 1) {
		pr_info("Pentium 4: hyper-threads share the PMU, it is not used: the firmware can switch them off\n");
		return false;
	}
	return true;
}

/**
 * pfm_p4_find() - Is a processor a Pentium 4?
 * @table: zeroed; gets the registers
 * @c: the processor
 * @siblings: number of its hyper-threads on a core
 *
 * Context: boot.
 *
 * Return: its description, in @table, or NULL.
 */
const struct pfm_pmu *pfm_p4_find(struct pfm_p4_pmu *table, const struct cpuinfo_x86 *c,
				  unsigned int siblings)
{
	unsigned long flags;

	if (!p4_is_usable(c, siblings))
		return NULL;
	local_irq_save(flags);
	pfm_p4_build(table, pfm_p4_have);
	local_irq_restore(flags);
	/* Without an ESCR nothing can be counted. */
	if (!table->pmu.num_pmcs)
		return NULL;
	table->pmu.ops = &pfm_p4_ops;
	pfm_p4_use(table);
	return &table->pmu;
}

/**
 * pfm_p4_detect() - Is this a Pentium 4?
 *
 * Return: its description, or NULL.
 */
const struct pfm_pmu * __init pfm_p4_detect(void)
{
	return pfm_p4_find(&p4, &boot_cpu_data, smp_num_siblings);
}
