// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: features of some PMUs only: flags of their own, rules for several registers
 * together, state of a thread that is not in the PMU.
 */
#include <linux/errno.h>
#include "context.h"
#include "event_set.h"
#include "pmu.h"
#include "rules.h"

/**
 * pfm_rules_check_context() - Check a context's flags of the architecture.
 * @flags: all its flags
 *
 * Return: 0 or -EINVAL.
 */
int pfm_rules_check_context(u32 flags)
{
	const struct pfm_pmu_rules *rules = pfm_pmu->rules;

	if (!rules)
		return flags & PFM_FL_ARCH ? -EINVAL : 0;
	if (flags & PFM_FL_ARCH & ~rules->ctx_flags)
		return -EINVAL;
	return rules->check_context(flags);
}

/**
 * pfm_rules_set_flags() - Flags of event sets that the architecture defines.
 */
u32 pfm_rules_set_flags(void)
{
	return pfm_pmu->rules ? pfm_pmu->rules->set_flags : 0;
}

/**
 * pfm_rules_allow_set() - Check an event set's flags of the architecture.
 * @ctx_flags: its context's flags
 * @set_flags: all its flags, which are defined
 */
bool pfm_rules_allow_set(u32 ctx_flags, u32 set_flags)
{
	const struct pfm_pmu_rules *rules = pfm_pmu->rules;

	return !rules || !rules->check_set(ctx_flags, set_flags);
}

/**
 * pfm_rules_check_pmc() - Check a value for a PMC.
 * @set: the event set
 * @pmc: the PMC, valid
 * @value: the value, reserved bits applied
 *
 * Return: 0; -EINVAL when the set cannot have the value.
 */
int pfm_rules_check_pmc(const struct pfm_event_set *set, unsigned int pmc, u64 value)
{
	const struct pfm_pmu_rules *rules = pfm_pmu->rules;

	return rules ? rules->check_pmc(&set->regs, pmc, value) : 0;
}

/**
 * pfm_rules_stop_excluded() - Is nothing counted at all while an excluded thread runs?
 * @set_flags: the active set's flags, which exclude it
 */
bool pfm_rules_stop_excluded(u32 set_flags)
{
	const struct pfm_pmu_rules *rules = pfm_pmu->rules;

	return !rules || (set_flags & rules->excl_flags) == rules->excl_flags;
}

/**
 * pfm_rules_direct() - Can threads access the registers themselves?
 *
 * If so, another thread must never run with the loaded registers, not even for a moment.
 */
bool pfm_rules_direct(void)
{
	return pfm_pmu->rules && pfm_pmu->rules->direct;
}

/**
 * pfm_rules_thread() - Update the thread's own state after an event of its context.
 * @ctx: the context
 * @task: the thread; NULL: the context is bound to this CPU
 * @event: the event
 *
 * Context: on the target.
 */
void pfm_rules_thread(struct pfm_context *ctx, struct task_struct *task,
		      enum pfm_thread_event event)
{
	if (pfm_pmu->rules)
		pfm_pmu->rules->thread(task, &ctx->set->regs, event);
}
