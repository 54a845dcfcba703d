// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: counters that each have an event selector with an enable bit.
 *
 * That bit is kept off from a stop to the next start, so loading a control register
 * must not switch its counter on.
 */
#include <linux/bits.h>
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/perfmon_host.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include "evtsel.h"
#include "msr.h"

static const struct pfm_reg_desc *evtsels __ro_after_init;
static const struct pfm_reg_desc *perfctrs __ro_after_init;
static unsigned int num_evtsels __ro_after_init;
static u64 counters __ro_after_init;

/**
 * pfm_evtsel_setup() - Set the registers for the operations.
 * @pmu: its first registers are event selectors and their counters
 * @num: number of pairs
 */
void __init pfm_evtsel_setup(const struct pfm_pmu *pmu, unsigned int num)
{
	evtsels = pmu->pmcs;
	perfctrs = pmu->pmds;
	num_evtsels = num;
	counters = GENMASK_ULL(num - 1, 0);
}

static void pfm_evtsel_release_regs(unsigned int ctrs, unsigned int sels)
{
	while (ctrs--)
		release_perfctr_nmi(perfctrs[ctrs].addr);
	while (sels--)
		release_evntsel_nmi(evtsels[sels].addr);
}

/**
 * pfm_evtsel_acquire() - Reserve the registers, as perf_events does.
 *
 * Return: 0, or -EBUSY when one is reserved already.
 */
int pfm_evtsel_acquire(void)
{
	unsigned int i;

	for (i = 0; i < num_evtsels; i++) {
		if (!reserve_perfctr_nmi(perfctrs[i].addr)) {
			pfm_evtsel_release_regs(i, 0);
			return -EBUSY;
		}
	}
	for (i = 0; i < num_evtsels; i++) {
		if (!reserve_evntsel_nmi(evtsels[i].addr)) {
			pfm_evtsel_release_regs(num_evtsels, i);
			return -EBUSY;
		}
	}
	return 0;
}

/**
 * pfm_evtsel_release() - Undo pfm_evtsel_acquire().
 */
void pfm_evtsel_release(void)
{
	pfm_evtsel_release_regs(num_evtsels, num_evtsels);
}

/**
 * pfm_evtsel_ack() - Unmask the interrupt: there is no overflow status to clear.
 */
void pfm_evtsel_ack(void)
{
	apic_write(APIC_LVTPC, APIC_DM_NMI);
}

/**
 * pfm_evtsel_clear() - Clear every event selector, its enable bit included.
 */
void pfm_evtsel_clear(void)
{
	unsigned int i;

	for (i = 0; i < num_evtsels; i++)
		pfm_wrmsr(evtsels[i].addr, 0);
}

/**
 * pfm_evtsel_init_cpu() - Stop all counters, and unmask the interrupt.
 */
void pfm_evtsel_init_cpu(void)
{
	pfm_evtsel_clear();
	pfm_evtsel_ack();
}

/**
 * pfm_evtsel_start() - Start the counters of a set.
 * @regs: the set's registers, as loaded
 */
void pfm_evtsel_start(const struct pfm_regs *regs)
{
	unsigned int i;

	pfm_for_each_bit(i, regs->live_pmds & counters)
		pfm_wrmsr(evtsels[i].addr, regs->pmcs[i]);
}

/**
 * pfm_evtsel_stop() - Stop them.
 * @regs: the set's registers
 */
void pfm_evtsel_stop(const struct pfm_regs *regs)
{
	unsigned int i;

	pfm_for_each_bit(i, regs->live_pmds & counters)
		pfm_wrmsr(evtsels[i].addr, regs->pmcs[i] & ~PFM_EVTSEL_EN);
}

/**
 * pfm_evtsel_write_pmc() - Load an event selector, its counter stays off.
 * @pmc: the register
 * @value: its value while the counter counts
 */
void pfm_evtsel_write_pmc(unsigned int pmc, u64 value)
{
	pfm_wrmsr(evtsels[pmc].addr, value & ~PFM_EVTSEL_EN);
}
