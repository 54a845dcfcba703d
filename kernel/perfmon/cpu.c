// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: who owns the PMU of a CPU.
 *
 * A context counts on a CPU from pfm_cpu_in() to pfm_cpu_out(), and only then
 * is it that CPU's pfm_cpu.ctx. Everything that must not happen while it counts
 * goes between an out and an in: a context switch, PFM_STOP and PFM_START, a
 * write to a register, the handling of an overflow. After pfm_cpu_out() all
 * values are in software and may be changed there; what was changed is marked
 * dirty, and pfm_cpu_in() loads just that, as long as the CPU's activation
 * number says that nobody else's registers were loaded meanwhile.
 *
 * The PMU interrupt is an NMI and may hit between any two instructions here.
 * It touches a context only while that is pfm_cpu.ctx, which is why out clears
 * that first and in sets it last. An overflow whose interrupt comes too late
 * for that is not lost: the counter's wrap shows in its value.
 */
#include <linux/smp.h>
#include <linux/string.h>
#include "perfmon.h"

DEFINE_PER_CPU(struct pfm_cpu, pfm_cpu);

/*
 * Changes when the PMUs may have been in other hands: never 0, so that a CPU
 * that was never initialised differs.
 */
static u64 pfm_cpu_epoch = 1;

/**
 * pfm_cpu_new_epoch() - Distrust what is in the PMU of every CPU.
 *
 * Context: any; no context counts.
 */
void pfm_cpu_new_epoch(void)
{
	WRITE_ONCE(pfm_cpu_epoch, pfm_cpu_epoch + 1);
}

static void pfm_cpu_load_pmds(struct pfm_event_set *set, const u64 *which)
{
	const struct pfm_pmu *pmu = pfm_pmu;
	const struct pfm_reg_desc *desc;
	struct pfm_pmd *pmd;
	unsigned int i;

	pfm_for_each_reg(i, which, pmu->num_pmds) {
		if (!pfm_bv_test(set->regs.live_pmds, i))
			continue;
		desc = &pmu->pmds[i];
		pmd = &set->pmds[i];
		pmd->hw = desc->cls == PFM_CLASS_COUNTER ?
			pfm_counter_arm(desc, pmd->value) : pmd->value;
		pmu->ops->write_pmd(i, pmd->hw);
	}
}

static void pfm_cpu_load_pmcs(struct pfm_event_set *set, const u64 *which)
{
	const struct pfm_pmu *pmu = pfm_pmu;
	unsigned int i;

	pfm_for_each_reg(i, which, pmu->num_pmcs)
		pmu->ops->write_pmc(i, set->regs.pmcs[i]);
}

/* The registers are still there but for those that were written since. */
static void pfm_cpu_load_dirty(struct pfm_event_set *set)
{
	pfm_stat_inc(activations_lazy);
	if (!set->dirty)
		return;
	pfm_cpu_load_pmcs(set, set->dirty_pmcs);
	pfm_cpu_load_pmds(set, set->dirty_pmds);
	memset(set->dirty_pmcs, 0, sizeof(set->dirty_pmcs));
	memset(set->dirty_pmds, 0, sizeof(set->dirty_pmds));
	set->dirty = false;
}

static void pfm_cpu_load_all(struct pfm_cpu *cpu, struct pfm_context *ctx)
{
	struct pfm_event_set *set = ctx->set;
	u64 epoch = READ_ONCE(pfm_cpu_epoch);

	pfm_stat_inc(activations);
	if (cpu->epoch != epoch) {
		pfm_pmu->ops->init_cpu();
		cpu->epoch = epoch;
	}
	ctx->last_cpu = smp_processor_id();
	ctx->last_activation = ++cpu->activation;
	pfm_cpu_load_pmcs(set, set->regs.used_pmcs);
	pfm_cpu_load_pmds(set, set->regs.live_pmds);
	memset(set->dirty_pmcs, 0, sizeof(set->dirty_pmcs));
	memset(set->dirty_pmds, 0, sizeof(set->dirty_pmds));
	set->dirty = false;
}

/**
 * pfm_cpu_in() - Count with a context's registers on this CPU.
 * @ctx: loaded and started context
 *
 * Context: interrupts off; on the target (see struct pfm_context), or NMI that
 * interrupted @ctx. This CPU counts for nobody.
 */
void pfm_cpu_in(struct pfm_context *ctx)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpu);

	if (ctx->last_activation == cpu->activation &&
	    ctx->last_cpu == smp_processor_id() &&
	    cpu->epoch == READ_ONCE(pfm_cpu_epoch))
		pfm_cpu_load_dirty(ctx->set);
	else
		pfm_cpu_load_all(cpu, ctx);
	WRITE_ONCE(cpu->ctx, ctx);
	barrier();
	pfm_pmu->ops->start(&ctx->set->regs);
}

/* Bring the software values up to date; the PMU is stopped. */
static void pfm_cpu_save(struct pfm_context *ctx)
{
	struct pfm_event_set *set = ctx->set;
	const struct pfm_pmu *pmu = pfm_pmu;
	const struct pfm_reg_desc *desc;
	struct pfm_pmd *pmd;
	unsigned int i;
	u64 hw;

	pfm_for_each_reg(i, set->regs.live_pmds, pmu->num_pmds) {
		desc = &pmu->pmds[i];
		pmd = &set->pmds[i];
		hw = pmu->ops->read_pmd(i);
		if (desc->cls != PFM_CLASS_COUNTER) {
			pmd->value = hw;
			continue;
		}
		pmd->value += pfm_counter_delta(desc, pmd->hw, hw);
		/* A step is complete: the next one starts elsewhere, perhaps. */
		if (hw < pmd->hw && pfm_counter_arm(desc, pmd->value) != hw) {
			pfm_bv_set(set->dirty_pmds, i);
			set->dirty = true;
		}
		pmd->hw = hw;
	}
	ctx->seq++;
}

/**
 * pfm_cpu_out() - Stop counting with a context's registers on this CPU.
 * @ctx: this CPU's pfm_cpu.ctx
 *
 * On return all its values are in software. The registers stay as they are.
 *
 * Context: as pfm_cpu_in().
 */
void pfm_cpu_out(struct pfm_context *ctx)
{
	WRITE_ONCE(this_cpu_ptr(&pfm_cpu)->ctx, NULL);
	barrier();
	pfm_pmu->ops->stop(&ctx->set->regs);
	pfm_cpu_save(ctx);
}

/**
 * pfm_cpu_pause() - Stop a context in order to change it.
 * @ctx: any context
 *
 * Return: true when it counted on this CPU: pfm_cpu_in() must follow.
 *
 * Context: interrupts off, on the target.
 */
bool pfm_cpu_pause(struct pfm_context *ctx)
{
	if (__this_cpu_read(pfm_cpu.ctx) != ctx)
		return false;
	pfm_cpu_out(ctx);
	return true;
}

/**
 * pfm_cpu_read_pmd() - Present 64-bit value of a PMD, without stopping it.
 * @ctx: any context
 * @set: one of its sets
 * @pmd: index, valid
 *
 * Context: interrupts off, on the target.
 */
u64 pfm_cpu_read_pmd(struct pfm_context *ctx, struct pfm_event_set *set, unsigned int pmd)
{
	const struct pfm_reg_desc *desc = &pfm_pmu->pmds[pmd];
	struct pfm_pmd *p = &set->pmds[pmd];
	unsigned int seq;
	u64 value, hw;

	if (__this_cpu_read(pfm_cpu.ctx) != ctx || ctx->set != set ||
	    !pfm_bv_test(set->regs.live_pmds, pmd))
		return p->value;
	/* The PMU interrupt brings value and hw up to date under our feet. */
	do {
		seq = READ_ONCE(ctx->seq);
		barrier();
		hw = pfm_pmu->ops->read_pmd(pmd);
		value = desc->cls == PFM_CLASS_COUNTER ?
			p->value + pfm_counter_delta(desc, p->hw, hw) : hw;
		barrier();
	} while (seq != READ_ONCE(ctx->seq));
	return value;
}

/**
 * pfm_pmu_suspend() - Take the context off this CPU, the PMU will lose power.
 *
 * Context: interrupts off, nothing else runs. pfm_pmu_resume() follows.
 */
void pfm_pmu_suspend(void)
{
	struct pfm_context *ctx = __this_cpu_read(pfm_cpu.ctx);

	__this_cpu_write(pfm_cpu.suspended, ctx);
	if (ctx)
		pfm_cpu_out(ctx);
}

/**
 * pfm_pmu_resume() - The PMU of this CPU was reset: carry on.
 *
 * Context: as pfm_pmu_suspend().
 */
void pfm_pmu_resume(void)
{
	struct pfm_context *ctx = __this_cpu_read(pfm_cpu.suspended);

	__this_cpu_write(pfm_cpu.suspended, NULL);
	__this_cpu_write(pfm_cpu.epoch, 0);
	if (ctx)
		pfm_cpu_in(ctx);
}
