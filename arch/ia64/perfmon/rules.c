// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: features that only the Itanium has: its flags, registers that are not allowed
 * together, and threads that read registers themselves.
 */
#include <linux/errno.h>
#include <linux/string.h>
#include "work.h"

#define ITA_FL		(PFM_ITA_FL_INSECURE | PFM_ITA_FL_PRIV_MONITORS)
#define ITA_SETFL	(PFM_ITA_SETFL_EXCL_INTR | PFM_ITA_SETFL_INTR_ONLY)

/* A system-wide context has privileged monitors, and psr.sp does nothing for them. */
static int ita_check_context(u32 ctx_flags)
{
	return (ctx_flags & PFM_FL_SYSTEM_WIDE) && (ctx_flags & ITA_FL) ? -EINVAL : 0;
}

/* User monitors go by psr.up, which an interruption leaves as it is. */
static int ita_check_set(u32 ctx_flags, u32 set_flags)
{
	if (!(set_flags & ITA_SETFL))
		return 0;
	if (!pfm_ita_privileged(ctx_flags) || (set_flags & ITA_SETFL) == ITA_SETFL)
		return -EINVAL;
	return 0;
}

/* The registers of forbidden combinations all have indices below this. */
#define ITA_CONFLICT_PMCS	64

static int ita_check_pmc(const struct pfm_regs *regs, unsigned int pmc, u64 value)
{
	u64 pmcs[ITA_CONFLICT_PMCS];

	if (pmc >= ITA_CONFLICT_PMCS)
		return 0;
	memcpy(pmcs, regs->pmcs, sizeof(pmcs));
	pmcs[pmc] = value;
	return pfm_ita_model_here()->conflicts(pmcs) ? -EINVAL : 0;
}

const struct pfm_pmu_rules pfm_ita_rules = {
	.ctx_flags	= ITA_FL,
	.set_flags	= ITA_SETFL,
	/* Without it, interrupts that come while the thread runs are still monitored. */
	.excl_flags	= PFM_ITA_SETFL_EXCL_INTR,
	/* A thread that monitors itself has psr.sp clear, and reads the PMDs. */
	.direct		= true,
	.check_context	= ita_check_context,
	.check_set	= ita_check_set,
	.check_pmc	= ita_check_pmc,
	.thread		= pfm_ita_psr_thread,
};
