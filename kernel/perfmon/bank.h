/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the banks of the PMU: registers beside its counters.
 */
#ifndef _KERNEL_PERFMON_BANK_H
#define _KERNEL_PERFMON_BANK_H

#include <linux/perfmon_pmu.h>
#include <linux/static_call.h>
#include <linux/types.h>

/* Never NULL; the PMU's banks, and a NULL. */
extern const struct pfm_bank * const *pfm_banks;
extern u64 pfm_bank_pmds;		/* PMDs of all banks */
extern unsigned int pfm_bank_pmc;	/* no bank has a PMC below this */
extern bool pfm_banks_share;		/* a bank has registers that must be claimed */
extern const struct pfm_bank *pfm_branch_bank;	/* has branch records; NULL: there are none */
extern u64 pfm_branch_pmds;		/* PMDs of this bank */

#define pfm_for_each_bank(b)							\
	for (const struct pfm_bank * const *__bank = pfm_banks; ((b) = *__bank); __bank++)

void pfm_banks_set(const struct pfm_pmu *pmu);
int pfm_bank_check_pmc(const struct pfm_regs *regs, unsigned int pmc, u64 value);

/* A set is loaded after another one. NULL if no bank has the operation. */
void pfm_banks_load(const struct pfm_regs *regs);
DECLARE_STATIC_CALL(pfm_banks_load, pfm_banks_load);

#endif /* _KERNEL_PERFMON_BANK_H */
