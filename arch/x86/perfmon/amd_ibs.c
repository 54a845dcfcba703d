// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: operations on AMD's Instruction-Based Sampling.
 *
 * A unit that has a sample sets a bit in its control register, interrupts, and stops
 * counting until that bit is cleared. A stop takes the sample out of the registers: the
 * counter PMD is incremented, and the buffer PMDs are replaced. The buffer PMDs are copies
 * in memory, so that no context finds values that another context's sample left in the hardware,
 * and no register has to be written that may be read-only.
 *
 * The current count of a stopped unit is part of its control register, and so of its
 * status PMD: it is restored with the set where the hardware accepts it.
 *
 * The interrupt has an entry in the local APIC that is not the counters'. perf_events has
 * unmasked it, on every CPU, for good.
 */
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/perfmon_host.h>
#include <asm/amd-ibs.h>
#include <asm/perf_event.h>
#include "amd.h"
#include "amd_ibs.h"
#include "msr.h"

static_assert(PFM_IBS_MSR_FETCH_CTL == MSR_AMD64_IBSFETCHCTL);
static_assert(PFM_IBS_MSR_OP_CTL == MSR_AMD64_IBSOPCTL);
static_assert(PFM_IBS_FETCH_EN == IBS_FETCH_ENABLE && PFM_IBS_FETCH_VAL == IBS_FETCH_VAL);
static_assert(PFM_IBS_OP_EN == IBS_OP_ENABLE && PFM_IBS_OP_VAL == IBS_OP_VAL);
static_assert(PFM_IBS_OP_CNT_CTL == IBS_OP_CNT_CTL);
static_assert(PFM_IBS_OP_MAX_CNT_EXT == IBS_OP_MAX_CNT_EXT_MASK);
static_assert(PFM_IBS_RDWR_OP_CNT == IBS_CAPS_RDWROPCNT);
static_assert(PFM_IBS_ZEN4 == IBS_CAPS_ZEN4);

#define NUM_UNITS		2

/* Longest delay of an interrupt after its unit was stopped: a virtual CPU may be descheduled. */
#define LATE			(HZ / 10)

/**
 * struct pfm_ibs_unit - Differences between the two units.
 * @msr: the control register
 * @enable: its bit that enables the unit
 * @valid: its bit that is set when there is a sample
 * @count: its bits of the current count
 * @pmds: the unit's PMDs
 * @status: the PMD that shows the control register as the last sample left it
 */
struct pfm_ibs_unit {
	u32		msr;
	u64		enable;
	u64		valid;
	u64		count;
	u64		pmds;
	unsigned int	status;
};

static const struct pfm_ibs_unit units[NUM_UNITS] = {
	{
		.msr = PFM_IBS_MSR_FETCH_CTL, .enable = PFM_IBS_FETCH_EN,
		.valid = PFM_IBS_FETCH_VAL, .count = PFM_IBS_FETCH_CNT,
		.pmds = PFM_IBS_FETCH_PMDS, .status = PFM_IBS_FETCH_STATUS,
	}, {
		.msr = PFM_IBS_MSR_OP_CTL, .enable = PFM_IBS_OP_EN,
		.valid = PFM_IBS_OP_VAL, .count = PFM_IBS_OP_CUR_CNT,
		.pmds = PFM_IBS_OP_PMDS, .status = PFM_IBS_OP_STATUS,
	},
};

/**
 * struct pfm_ibs_cpu - State of IBS on a CPU.
 * @values: the PMDs from PFM_IBS_FETCH on
 * @noted: the control register as an interrupt saw it, if there was a sample
 * @on: the enabled units, a bit each
 * @stopped: jiffies when a unit was last stopped
 */
struct pfm_ibs_cpu {
	u64		values[PFM_IBS_END_PMD - PFM_IBS_FETCH];
	u64		noted[NUM_UNITS];
	unsigned int	on;
	unsigned long	stopped;
};

static DEFINE_PER_CPU(struct pfm_ibs_cpu, pfm_ibs_cpu) = {
	.stopped = INITIAL_JIFFIES,
};

static const struct pfm_amd_pmu *machine;
static u64 present;	/* PMDs that exist */

/**
 * pfm_ibs_setup() - Set the table of the machine.
 * @amd: the machine's table; NULL: there is no IBS
 *
 * Context: boot.
 *
 * Return: the previous table.
 */
const struct pfm_amd_pmu *pfm_ibs_setup(const struct pfm_amd_pmu *amd)
{
	const struct pfm_amd_pmu *before = machine;
	unsigned int i;

	machine = amd;
	present = amd ? PFM_IBS_FETCH_PMDS | PFM_IBS_OP_PMDS : 0;
	pfm_for_each_bit(i, present) {
		if (!amd->pmds[i].name)
			present &= ~BIT_ULL(i);
	}
	return before;
}

/* A sample is an interrupt. */
static void pfm_ibs_prepare(struct pfm_regs *regs)
{
	unsigned int i;
	u64 live = 0;

	for (i = 0; i < NUM_UNITS; i++) {
		if (pfm_bv_test(regs->used_pmcs, PFM_IBS_FETCH + i) &&
		    (regs->pmcs[PFM_IBS_FETCH + i] & units[i].enable))
			live |= units[i].pmds;
	}
	regs->live_pmds |= live & present;
	regs->needs_pmi |= live & present;
}

/* The period, in the scale of the current count. */
static u64 pfm_ibs_period(unsigned int unit, u64 ctl)
{
	if (unit)
		return (ctl & PFM_IBS_MAX_CNT) << 4 | (ctl & PFM_IBS_OP_MAX_CNT_EXT);
	return ctl & PFM_IBS_MAX_CNT;
}

/* The current count to start with: 0 when the period is not longer than it. */
static u64 pfm_ibs_count(unsigned int unit, u64 ctl, u64 status)
{
	u64 count = status & units[unit].count;
	unsigned int shift = __ffs64(units[unit].count);

	if (unit && !(machine->caps.ibs & PFM_IBS_RDWR_OP_CNT))
		return 0;
	return count >> shift < pfm_ibs_period(unit, ctl) ? count : 0;
}

static void pfm_ibs_start(const struct pfm_regs *regs)
{
	struct pfm_ibs_cpu *cpu;
	unsigned int i;
	u64 ctl;

	/* Each sample interrupts: there are none on a throttled CPU. */
	if (regs->throttled)
		return;
	cpu = this_cpu_ptr(&pfm_ibs_cpu);
	for (i = 0; i < NUM_UNITS; i++) {
		if (!(regs->live_pmds & BIT_ULL(PFM_IBS_FETCH + i)))
			continue;
		ctl = regs->pmcs[PFM_IBS_FETCH + i];
		ctl |= pfm_ibs_count(i, ctl, cpu->values[units[i].status - PFM_IBS_FETCH]);
		cpu->noted[i] = 0;
		WRITE_ONCE(cpu->on, cpu->on | BIT(i));
		pfm_wrmsr(units[i].msr, ctl);
	}
}

/* True if there is a sample, and not of no fetch: see pfm_ibs_may_sample_nothing(). */
static bool pfm_ibs_sampled(unsigned int unit, u64 ctl)
{
	if (!(ctl & units[unit].valid))
		return false;
	return unit || !machine->caps.ibs_no_fetch ||
	       pfm_rdmsr(machine->pmds[PFM_IBS_FETCH_LINADDR].addr);
}

/* The count after a sample, which the processor may have randomised. */
static u64 pfm_ibs_count_after(unsigned int unit, u64 ctl)
{
	return unit && (ctl & PFM_IBS_OP_CNT_CTL) ? ctl & PFM_IBS_OP_CUR_CNT_RAND : 0;
}

static void pfm_ibs_take_sample(struct pfm_ibs_cpu *cpu, unsigned int unit, u64 ctl)
{
	const struct pfm_ibs_unit *u = &units[unit];
	u64 ours = BIT_ULL(PFM_IBS_FETCH + unit) | BIT_ULL(u->status);
	unsigned int i;

	cpu->values[unit]++;
	pfm_for_each_bit(i, u->pmds & present & ~ours)
		cpu->values[i - PFM_IBS_FETCH] = pfm_rdmsr(machine->pmds[i].addr);
	cpu->values[u->status - PFM_IBS_FETCH] =
		(ctl & ~u->count) | pfm_ibs_count_after(unit, ctl);
}

static void pfm_ibs_stop_unit(struct pfm_ibs_cpu *cpu, unsigned int unit)
{
	const struct pfm_ibs_unit *u = &units[unit];
	u64 *status = &cpu->values[u->status - PFM_IBS_FETCH];
	u64 ctl = pfm_rdmsr(u->msr);

	/* A sample between the read and this write is noted by its interrupt. */
	pfm_wrmsr(u->msr, 0);
	WRITE_ONCE(cpu->on, cpu->on & ~BIT(unit));
	ctl = READ_ONCE(cpu->noted[unit]) ?: ctl;
	if (pfm_ibs_sampled(unit, ctl))
		pfm_ibs_take_sample(cpu, unit, ctl);
	else
		*status = (*status & ~u->count) | (ctl & u->count);
}

/* Takes the sample if there is one. */
static void pfm_ibs_stop(const struct pfm_regs *regs)
{
	struct pfm_ibs_cpu *cpu = this_cpu_ptr(&pfm_ibs_cpu);
	unsigned int i;

	WRITE_ONCE(cpu->stopped, jiffies);
	pfm_for_each_bit(i, cpu->on)
		pfm_ibs_stop_unit(cpu, i);
}

static void pfm_ibs_write_pmd(unsigned int pmd, u64 value)
{
	__this_cpu_write(pfm_ibs_cpu.values[pmd - PFM_IBS_FETCH], value);
}

/* A sample that is still in the hardware's registers counts. */
static u64 pfm_ibs_read_pmd(unsigned int pmd)
{
	unsigned int unit = pmd - PFM_IBS_FETCH;
	u64 value = __this_cpu_read(pfm_ibs_cpu.values[unit]);

	if (unit >= NUM_UNITS)
		return value;
	if (__this_cpu_read(pfm_ibs_cpu.on) & BIT(unit))
		value += pfm_ibs_sampled(unit, pfm_rdmsr(units[unit].msr));
	return value & GENMASK_ULL(machine->pmds[pmd].width - 1, 0);
}

/**
 * pfm_ibs_interrupted() - Can an interrupt of this CPU have come from IBS?
 *
 * True when there is a sample, or when a unit was stopped lately: the interrupt may
 * have been on its way, and the processor may even send one without a sample then.
 *
 * Context: NMI.
 */
bool pfm_ibs_interrupted(void)
{
	struct pfm_ibs_cpu *cpu = this_cpu_ptr(&pfm_ibs_cpu);
	bool sampled = false;
	unsigned int i;
	u64 ctl;

	pfm_for_each_bit(i, READ_ONCE(cpu->on)) {
		ctl = pfm_rdmsr(units[i].msr);
		if (ctl & units[i].valid) {
			WRITE_ONCE(cpu->noted[i], ctl);
			sampled = true;
		}
	}
	return sampled || time_before(jiffies, cpu->stopped + LATE);
}

/* Either perf_events or perfmon uses IBS: each unit exists once. */

static bool pfm_ibs_shares(unsigned int pmc, u64 value)
{
	return pmc >= PFM_IBS_FETCH && (value & units[pmc - PFM_IBS_FETCH].enable);
}

static int pfm_ibs_check_pmc(const struct pfm_regs *regs, unsigned int pmc, u64 value)
{
	const u64 shortest = PFM_IBS_MIN_CNT << (pmc == PFM_IBS_OP ? 4 : 0);

	if (pfm_ibs_shares(pmc, value) && pfm_ibs_period(pmc - PFM_IBS_FETCH, value) < shortest)
		return -EINVAL;
	return 0;
}

static int pfm_ibs_claim(void)
{
	return amd_ibs_claim() ? 0 : -EBUSY;
}

const struct pfm_bank pfm_ibs_bank = {
	.name		= "IBS",
	.pmc		= PFM_IBS_FETCH,
	.end_pmc	= PFM_IBS_END_PMC,
	.pmd		= PFM_IBS_FETCH,
	.end_pmd	= PFM_IBS_END_PMD,
	.prepare	= pfm_ibs_prepare,
	.start		= pfm_ibs_start,
	.stop		= pfm_ibs_stop,
	.write_pmd	= pfm_ibs_write_pmd,
	.read_pmd	= pfm_ibs_read_pmd,
	.check_pmc	= pfm_ibs_check_pmc,
	.shares		= pfm_ibs_shares,
	.claim		= pfm_ibs_claim,
	.unclaim	= amd_ibs_unclaim,
};
