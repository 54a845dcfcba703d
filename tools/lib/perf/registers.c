// SPDX-License-Identifier: GPL-2.0
/* The values of PMCs and PMDs. */
#include <errno.h>
#include <string.h>

#include "perf/context.h"

static int bad(uint32_t *flags, uint32_t flag, int error)
{
	*flags = (*flags & ~PFM_REG_RETFL_MASK) | flag;
	errno = error;
	return -1;
}

static bool any(const __u64 *vector)
{
	return perfmon_bv_count(vector, PFM_MAX_PMDS) > 0;
}

/* Refuse flags of a PMC that perf_events does not support. */
static int check_pmc(const struct perf_context *ctx, pfarg_pmc_t *pmc)
{
	const uint32_t flags = pmc->reg_flags & ~PFM_REG_RETFL_MASK;

	if (flags & ~(uint32_t)(PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM | PFM_REGFL_NO_64BIT_EMUL))
		return bad(&pmc->reg_flags, PFM_REG_RETFL_EINVAL, EINVAL);
	if (flags & PFM_REGFL_RANDOM)
		perfmon_refuse(ENOSYS, "Leave the randomisation out; a prime number as the period helps as well.",
			       "perf_events cannot randomise periods");
	else if (flags & PFM_REGFL_NO_64BIT_EMUL)
		perfmon_refuse(ENOSYS, NULL, "perf_events has 64-bit counters only");
	else if (flags & PFM_REGFL_OVFL_NOTIFY && !ctx->sampling)
		perfmon_refuse(ENOSYS, "Create the context with the default sampling format.",
			       "with perf_events overflows need a sampling buffer");
	else if (any(pmc->reg_smpl_pmds) || any(pmc->reg_reset_pmds))
		perfmon_refuse(ENOSYS, NULL, "with perf_events a sample has no PMDs in it, and resets none");
	else
		return 0;
	return bad(&pmc->reg_flags, PFM_REG_RETFL_EINVAL, ENOSYS);
}

static int write_pmc(struct perf_context *ctx, const struct perf_pmu *pmu, pfarg_pmc_t *pmc)
{
	struct perf_set *set = perf_find_set(ctx, pmc->reg_set);
	const unsigned int num = pmc->reg_num;
	uint64_t value;

	if (num >= PERF_REGS || !pmu->pmc[num].name)
		return bad(&pmc->reg_flags, PFM_REG_RETFL_NOTAVAIL, EINVAL);
	if (!set)
		return bad(&pmc->reg_flags, PFM_REG_RETFL_NOSET, EINVAL);
	if (check_pmc(ctx, pmc))
		return -1;
	value = (pmc->reg_value & ~pmu->pmc[num].rsvd) | (pmu->pmc[num].def & pmu->pmc[num].rsvd);
	if (value & pmu->pmc[num].kernel_bits && !pmu->kernel) {
		perf_refuse_open(EPERM, "the kernel level", 1);
		return bad(&pmc->reg_flags, PFM_REG_RETFL_EINVAL, EPERM);
	}
	set->used |= 1U << num;
	set->pmc[num] = value;
	set->pmc_flags[num] = pmc->reg_flags & ~PFM_REG_RETFL_MASK;
	pmc->reg_flags &= ~PFM_REG_RETFL_MASK;
	return 0;
}

int perf_write_pmcs(struct perf_context *ctx, pfarg_pmc_t *arg, int narg)
{
	const struct perf_pmu *pmu = perf_pmu();
	int i;

	if (ctx->loaded)
		return perfmon_refuse(ENOSYS, "Unload the context first.",
				      "with perf_events the events of a loaded context cannot be changed");
	for (i = 0; i < narg; i++)
		if (write_pmc(ctx, pmu, &arg[i]))
			return -1;
	return 0;
}

static uint64_t counted(struct perf_context *ctx, const struct perf_counter *counter)
{
	struct perf_count count;

	if (counter->fd < 0)
		return 0;
	if (!perf_read_event(counter->fd, &count)) {
		ctx->short_of = true;
		return 0;
	}
	return counter->period ? count.value % counter->period : count.value;
}

static int write_pmd(struct perf_context *ctx, const struct perf_pmu *pmu, pfarg_pmd_t *pmd)
{
	struct perf_set *set = perf_find_set(ctx, pmd->reg_set);
	const unsigned int num = pmd->reg_num;
	struct perf_counter *counter;

	if (num >= PERF_REGS || !pmu->pmd[num].name)
		return bad(&pmd->reg_flags, PFM_REG_RETFL_NOTAVAIL, EINVAL);
	if (!set)
		return bad(&pmd->reg_flags, PFM_REG_RETFL_NOSET, EINVAL);
	if (pmd->reg_ovflsw_thres || pmd->reg_random_mask) {
		perfmon_refuse(ENOSYS, NULL, "perf_events cannot %s",
			       pmd->reg_random_mask ? "randomise periods" :
						      "switch event sets by overflows");
		return bad(&pmd->reg_flags, PFM_REG_RETFL_EINVAL, ENOSYS);
	}
	counter = &set->pmd[num];
	if (counter->period && counter->fd >= 0) {
		perfmon_refuse(ENOSYS, "Unload the context first.",
			       "with perf_events the period of a loaded context cannot be changed");
		return bad(&pmd->reg_flags, PFM_REG_RETFL_EINVAL, ENOSYS);
	}
	counter->value = pmd->reg_value - counted(ctx, counter);
	counter->long_reset = pmd->reg_long_reset;
	counter->short_reset = pmd->reg_short_reset;
	counter->last_reset = pmd->reg_value;
	pmd->reg_flags &= ~PFM_REG_RETFL_MASK;
	return 0;
}

int perf_write_pmds(struct perf_context *ctx, pfarg_pmd_t *arg, int narg)
{
	const struct perf_pmu *pmu = perf_pmu();
	int i;

	for (i = 0; i < narg; i++)
		if (write_pmd(ctx, pmu, &arg[i]))
			return -1;
	return 0;
}

static int read_pmd(struct perf_context *ctx, const struct perf_pmu *pmu, pfarg_pmd_t *pmd)
{
	struct perf_set *set = perf_find_set(ctx, pmd->reg_set);
	const unsigned int num = pmd->reg_num;
	struct perf_counter *counter;
	uint64_t events;

	if (num >= PERF_REGS || !pmu->pmd[num].name)
		return bad(&pmd->reg_flags, PFM_REG_RETFL_NOTAVAIL, EINVAL);
	if (!set)
		return bad(&pmd->reg_flags, PFM_REG_RETFL_NOSET, EINVAL);
	counter = &set->pmd[num];
	events = counted(ctx, counter);
	pmd->reg_value = counter->value + events;
	pmd->reg_ovflsw_thres = 0;
	pmd->reg_last_reset_val = counter->last_reset;
	if (pmd->reg_flags & PFM_REGFL_READ_RESET && !counter->period) {
		counter->value = counter->long_reset - events;
		counter->last_reset = counter->long_reset;
	}
	pmd->reg_flags &= ~PFM_REG_RETFL_MASK;
	return 0;
}

int perf_read_pmds(struct perf_context *ctx, pfarg_pmd_t *arg, int narg)
{
	const struct perf_pmu *pmu = perf_pmu();
	int i;

	for (i = 0; i < narg; i++)
		if (read_pmd(ctx, pmu, &arg[i]))
			return -1;
	if (!ctx->short_of)
		return 0;
	return perfmon_refuse(EBUSY, "Another user of perf_events has pinned counters meanwhile: the NMI watchdog\n"
			      "(sysctl kernel.nmi_watchdog=0), or perf. A count would not be whole, so there is none.",
			      "perf_events had too few counters for all events at the same time");
}
