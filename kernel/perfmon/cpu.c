// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: ownership of the PMU of a CPU.
 *
 * A context counts on a CPU from pfm_cpu_in() to pfm_cpu_out(), and only then
 * does pfm_cpu.ctx of that CPU point to it. Everything that must not happen while it counts
 * goes between an out and an in: a context switch, PFM_STOP and PFM_START, a
 * write to a register, the handling of an overflow. After pfm_cpu_out() all
 * values are in software and may be changed there. Changed registers are marked
 * dirty, and pfm_cpu_in() loads only those, as long as the CPU's activation
 * number shows that nothing else was loaded meanwhile.
 *
 * The PMU interrupt is an NMI and may hit between any two instructions here.
 * It touches only the context to which pfm_cpu.ctx points, which is why pfm_cpu_out()
 * clears that pointer first and pfm_cpu_in() sets it last. An overflow whose interrupt
 * comes too late is not lost: the counter's wrap shows in its value.
 */
#include <linux/jiffies.h>
#include <linux/perfmon_host.h>
#include <linux/smp.h>
#include <linux/string.h>
#include "bank.h"
#include "context.h"
#include "cpu.h"
#include "event_set.h"
#include "pmu.h"
#include "stats.h"

/*
 * Longest delay of the interrupt of a wrap that was found in a counter's value before: at most
 * one is pending. The time is long because a virtual CPU may stand still.
 */
#define PFM_LATE_INTERRUPT	(HZ / 10)

DEFINE_PER_CPU(struct pfm_cpu, pfm_cpu) = {
	.wrapped = INITIAL_JIFFIES,
};

DEFINE_PER_CPU(bool, pfm_cpu_excludes);

/*
 * Changes when others may have used the PMUs. 0 before the first session, and not after that, so
 * that it differs from the epoch of a CPU that was never initialised.
 */
static u64 pfm_cpu_epoch;

/**
 * pfm_cpu_new_epoch() - Distrust the contents of every CPU's PMU.
 *
 * Context: any; no context counts.
 */
void pfm_cpu_new_epoch(void)
{
	WRITE_ONCE(pfm_cpu_epoch, pfm_cpu_epoch + 1);
}

bool pfm_pmu_held;

/**
 * pfm_pmu_take() - Take the PMU of every CPU from the rest of the kernel.
 *
 * The contents of their registers are not trusted from now on.
 *
 * Return: 0, or -EBUSY.
 *
 * Context: may sleep; under pfm_sessions.lock, no context counts.
 */
int pfm_pmu_take(void)
{
	int err = pfm_pmu_op(acquire)();

	if (err)
		return err;
	pfm_cpu_new_epoch();
	WRITE_ONCE(pfm_pmu_held, true);
	return 0;
}

/**
 * pfm_pmu_let_go() - Give the PMU of every CPU back.
 *
 * Context: as pfm_pmu_take().
 */
void pfm_pmu_let_go(void)
{
	WRITE_ONCE(pfm_pmu_held, false);
	if (!PFM_HOST_HANDS_OVER)
		pfm_pmu_hand_over();
	pfm_pmu_op(release)();
}

/* pfm_cpu_epoch at the last hand-over, when the PMUs were quiet. */
static u64 pfm_cpu_quiet_epoch;

/**
 * pfm_cpu_quiesce() - Clear the registers of this CPU for their next owner.
 * @unused: for smp_call_function_single()
 *
 * Context: interrupts off, no context counts here.
 */
void pfm_cpu_quiesce(void *unused)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpu);

	if (!cpu->epoch)
		return;
	pfm_pmu_op(init_cpu)();
	cpu->epoch = 0;
	/* From now on an interrupt is the next owner's. */
	cpu->wrapped = jiffies - PFM_LATE_INTERRUPT;
}

static bool pfm_cpu_was_used(int cpu, void *unused)
{
	return READ_ONCE(per_cpu(pfm_cpu.epoch, cpu));
}

/**
 * pfm_pmu_hand_over() - Clear the PMUs for another part of the kernel that is about to use them.
 *
 * The end of the last session leaves the registers as they are: to clear them, every CPU that
 * was used must be called, and most often perfmon is the next to count again.
 *
 * Context: may sleep; there is no session, nor will be one until that owner has
 * given the PMU back. Calls do not overlap.
 */
void pfm_pmu_hand_over(void)
{
	u64 epoch = READ_ONCE(pfm_cpu_epoch);

	if (pfm_cpu_quiet_epoch == epoch)
		return;
	on_each_cpu_cond(pfm_cpu_was_used, pfm_cpu_quiesce, NULL, true);
	pfm_cpu_quiet_epoch = epoch;
}

/*
 * Counters that must interrupt at their overflow: on a throttled CPU only the counters
 * that mask, because they need a restart before their next interrupt.
 */
static u64 pfm_cpu_interrupting(const struct pfm_context *ctx)
{
	if (likely(!ctx->throttled))
		return ~0ULL;
	return ctx->fmt ? 0 : ctx->set->notify_pmds;
}

/**
 * pfm_cpu_load_pmds() - Load PMDs of the active set.
 * @ctx: the context, with counting stopped
 * @which: the PMDs; those that are not live are left out
 *
 * Context: as pfm_cpu_in().
 */
void pfm_cpu_load_pmds(struct pfm_context *ctx, u64 which)
{
	struct pfm_event_set *set = ctx->set;
	u64 interrupting = pfm_cpu_interrupting(ctx);
	struct pfm_pmd *pmd;
	unsigned int i;

	pfm_for_each_bit(i, which & set->regs.live_pmds) {
		pmd = pfm_pmd_of(set, i);
		pmd->hw = pfm_cpu_arm(pmd, interrupting & BIT_ULL(i));
		pfm_pmu_op(write_pmd)(i, pmd->hw);
	}
	set->dirty_pmds = 0;
}

/* The throttle of the CPU has begun or ended: all counters must be armed again. */
static void pfm_cpu_set_throttled(struct pfm_context *ctx, bool throttled)
{
	struct pfm_event_set *set = ctx->set;
	unsigned int i;

	ctx->throttled = throttled;
	ctx->throttle_notified &= throttled;
	pfm_for_each_bit(i, set->regs.live_pmds) {
		if (pfm_pmd_of(set, i)->mask)
			set->dirty_pmds |= BIT_ULL(i);
	}
}

static void pfm_cpu_load_pmcs(struct pfm_event_set *set, const u64 *which)
{
	unsigned int word, bit, i;

	for (word = 0; word < PFM_MAX_PMC_BITVECTOR; word++) {
		pfm_for_each_bit(bit, which[word]) {
			i = word * 64 + bit;
			pfm_pmu_op(write_pmc)(i, set->regs.pmcs[i]);
		}
	}
	memset(set->dirty_pmcs, 0, sizeof(set->dirty_pmcs));
	set->dirty = false;
}

static void pfm_cpu_load_all(struct pfm_cpu *cpu, struct pfm_context *ctx)
{
	u64 epoch = READ_ONCE(pfm_cpu_epoch);

	pfm_stat_inc(activations);
	if (cpu->epoch != epoch) {
		pfm_pmu_op(init_cpu)();
		cpu->epoch = epoch;
	}
	ctx->last_cpu = smp_processor_id();
	ctx->last_activation = ++cpu->activation;
	ctx->loaded_set = ctx->set;
	static_call_cond(pfm_banks_load)(&ctx->set->regs);
	pfm_cpu_load_pmcs(ctx->set, ctx->set->regs.used_pmcs);
	pfm_cpu_load_pmds(ctx, ctx->set->regs.live_pmds);
}

/**
 * pfm_cpu_in() - Count with a context's registers on this CPU.
 * @ctx: loaded and started context
 *
 * Context: interrupts off; on the target (see struct pfm_context), or NMI that
 * interrupted @ctx. pfm_cpu.ctx is NULL.
 */
void pfm_cpu_in(struct pfm_context *ctx)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpu);
	struct pfm_event_set *set = ctx->set;
	bool throttled = pfm_throttled();

	if (unlikely(ctx->throttled != throttled))
		pfm_cpu_set_throttled(ctx, throttled);
	set->regs.throttled = throttled;
	if (ctx->last_activation != cpu->activation ||
	    ctx->last_cpu != smp_processor_id() || ctx->loaded_set != set ||
	    cpu->epoch != READ_ONCE(pfm_cpu_epoch)) {
		pfm_cpu_load_all(cpu, ctx);
	} else {
		/* The registers still hold everything but the changes since. */
		pfm_stat_inc(activations_lazy);
		if (set->dirty)
			pfm_cpu_load_pmcs(set, set->dirty_pmcs);
		if (set->dirty_pmds)
			pfm_cpu_load_pmds(ctx, set->dirty_pmds);
	}
	pfm_cpu_start(cpu, ctx, set);
}

/**
 * pfm_cpu_out() - Stop counting with a context's registers on this CPU.
 * @ctx: this CPU's pfm_cpu.ctx
 *
 * On return all its values are in software. The registers stay as they are.
 *
 * Return: the counters that overflowed since they were last brought up to date.
 *
 * Context: as pfm_cpu_in().
 */
u64 pfm_cpu_out(struct pfm_context *ctx)
{
	return pfm_cpu_count_out(ctx);
}

/**
 * pfm_pmu_enabled() - Counters that must be enabled on this CPU now.
 *
 * For hardware that others may stop. Just before a start the counters are not enabled yet.
 *
 * Return: &pfm_regs.enable of the context that counts; 0 when none does.
 *
 * Context: as pfm_pmu_overflowed().
 */
u64 pfm_pmu_enabled(void)
{
	struct pfm_context *ctx = __this_cpu_read(pfm_cpu.ctx);

	return ctx ? ctx->set->regs.enable : 0;
}

/**
 * pfm_pmu_wrapped() - Has a counter of this CPU wrapped without having been handled?
 *
 * The counters' values show it, also when their interrupt was lost.
 *
 * Context: as pfm_pmu_overflowed().
 */
bool pfm_pmu_wrapped(void)
{
	struct pfm_context *ctx = __this_cpu_read(pfm_cpu.ctx);
	struct pfm_event_set *set;
	struct pfm_pmd *pmd;
	unsigned int i;

	if (!ctx)
		return false;
	set = ctx->set;
	pfm_for_each_bit(i, set->regs.live_pmds) {
		pmd = pfm_pmd_of(set, i);
		if (pmd->mask && pfm_pmu_op(read_pmd)(i) < pmd->hw)
			return true;
	}
	return false;
}

/**
 * pfm_pmu_overflowed() - Can an interrupt of this CPU have come from the PMU?
 *
 * For interrupt vectors that several drivers share, when the hardware names no source:
 * it is the PMU's when a counter has wrapped, or when a wrap was handled lately, before its
 * interrupt arrived. pfm_pmu_interrupt() decides if the PMU is perfmon's.
 *
 * Context: NMI, or an interrupt with interrupts off.
 */
bool pfm_pmu_overflowed(void)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpu);

	if (time_before(jiffies, cpu->wrapped + PFM_LATE_INTERRUPT))
		return true;
	/* Counters that are stopped but not read yet do not show a wrap in software. */
	return READ_ONCE(cpu->ctx) ? pfm_pmu_wrapped() : READ_ONCE(cpu->running);
}
