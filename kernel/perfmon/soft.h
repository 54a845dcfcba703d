/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: inside the software PMU.
 */
#ifndef _KERNEL_PERFMON_SOFT_H
#define _KERNEL_PERFMON_SOFT_H

#include <linux/bits.h>
#include <linux/perfmon_pmu.h>
#include <linux/types.h>
#include <uapi/perfmon_soft.h>

struct pt_regs;

#ifdef CONFIG_GENERIC_ENTRY
#define PFM_SOFT_NUM	(PFM_SOFT_SYSCALLS + 1)
#else
#define PFM_SOFT_NUM	(PFM_SOFT_MIGRATIONS + 1)
#endif

/* The tables, which pfmon has, too. */
extern const struct pfm_reg_desc pfm_soft_pmcs[PFM_SOFT_NUM];
extern const struct pfm_reg_desc pfm_soft_pmds[PFM_SOFT_NUM];
extern const struct pfm_table pfm_soft_tables[];

/* All members of struct pfm_pmu but the operations. */
#define PFM_SOFT_DESCRIPTION						\
	.name = PFM_SOFT_MODEL, .software = true, .counter_width = 64,	\
	.num_pmcs = PFM_SOFT_NUM, .num_pmds = PFM_SOFT_NUM,		\
	.pmcs = pfm_soft_pmcs, .pmds = pfm_soft_pmds

extern const struct pfm_pmu pfm_soft_pmu;

#define PFM_SOFT_TESTS	GENMASK_ULL(PFM_SOFT_TEST + PFM_SOFT_NUM_TESTS - 1, PFM_SOFT_TEST)

u64 pfm_soft_count_many(u64 pmds, u64 n, bool user, struct pt_regs *regs);

#endif /* _KERNEL_PERFMON_SOFT_H */
