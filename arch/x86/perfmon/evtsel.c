// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: counters that each have an event selector with an enable bit.
 *
 * The enable bit is kept off from a stop to the next start, so loading a control register
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

static struct pfm_evtsels evtsels __ro_after_init;

/**
 * pfm_evtsel_setup() - Set the registers for the operations.
 * @next: the registers
 *
 * Context: boot.
 *
 * Return: the previous registers, for tests.
 */
struct pfm_evtsels pfm_evtsel_setup(struct pfm_evtsels next)
{
	struct pfm_evtsels before = evtsels;

	evtsels = next;
	return before;
}

/* A counter that the processor uses itself has no address in the tables. */
static bool pfm_evtsel_is_hole(unsigned int i)
{
	return !evtsels.pmcs[i].addr;
}

static void pfm_evtsel_release_regs(unsigned int ctrs, unsigned int sels)
{
	while (ctrs--) {
		if (!pfm_evtsel_is_hole(ctrs))
			release_perfctr_nmi(evtsels.pmds[ctrs].addr);
	}
	while (sels--) {
		if (!pfm_evtsel_is_hole(sels))
			release_evntsel_nmi(evtsels.pmcs[sels].addr);
	}
}

/**
 * pfm_evtsel_acquire() - Reserve the registers, as perf_events does.
 *
 * Return: 0, or -EBUSY when one is reserved already.
 */
int pfm_evtsel_acquire(void)
{
	unsigned int i;

	for (i = 0; i < evtsels.num; i++) {
		if (!pfm_evtsel_is_hole(i) && !reserve_perfctr_nmi(evtsels.pmds[i].addr)) {
			pfm_evtsel_release_regs(i, 0);
			return -EBUSY;
		}
	}
	for (i = 0; i < evtsels.num; i++) {
		if (!pfm_evtsel_is_hole(i) && !reserve_evntsel_nmi(evtsels.pmcs[i].addr)) {
			pfm_evtsel_release_regs(evtsels.num, i);
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
	pfm_evtsel_release_regs(evtsels.num, evtsels.num);
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

	for (i = 0; i < evtsels.num; i++) {
		if (!pfm_evtsel_is_hole(i))
			pfm_wrmsr(evtsels.pmcs[i].addr, 0);
	}
}

/**
 * pfm_evtsel_enabled() - Find an event selector that is enabled.
 *
 * Context: on the CPU.
 *
 * Return: its name; NULL when none is.
 */
const char *pfm_evtsel_enabled(void)
{
	unsigned int i;
	u64 value;

	for (i = 0; i < evtsels.num; i++) {
		if (!pfm_evtsel_is_hole(i) && !pfm_rdmsr_safe(evtsels.pmcs[i].addr, &value) &&
		    (value & evtsels.enable))
			return evtsels.pmcs[i].name;
	}
	return NULL;
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

	pfm_for_each_bit(i, regs->live_pmds & GENMASK_ULL(evtsels.num - 1, 0))
		pfm_wrmsr(evtsels.pmcs[i].addr, regs->pmcs[i]);
}

/**
 * pfm_evtsel_stop() - Stop the counters of a set.
 * @regs: the set's registers
 */
void pfm_evtsel_stop(const struct pfm_regs *regs)
{
	unsigned int i;

	pfm_for_each_bit(i, regs->live_pmds & GENMASK_ULL(evtsels.num - 1, 0))
		pfm_wrmsr(evtsels.pmcs[i].addr, regs->pmcs[i] & ~evtsels.enable);
}

/**
 * pfm_evtsel_write_pmc() - Load an event selector, its counter stays off.
 * @pmc: the register
 * @value: its value while the counter counts
 */
void pfm_evtsel_write_pmc(unsigned int pmc, u64 value)
{
	pfm_wrmsr(evtsels.pmcs[pmc].addr, value & ~evtsels.enable);
}
