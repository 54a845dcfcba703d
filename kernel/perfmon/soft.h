/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: inside the software PMU.
 */
#ifndef _KERNEL_PERFMON_SOFT_H
#define _KERNEL_PERFMON_SOFT_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/perfmon_soft.h>

struct pfm_pmu;
struct pt_regs;

extern const struct pfm_pmu pfm_soft_pmu;

#define PFM_SOFT_TESTS	GENMASK_ULL(PFM_SOFT_TEST + PFM_SOFT_NUM_TESTS - 1, PFM_SOFT_TEST)

u64 pfm_soft_count_many(u64 pmds, u64 n, bool user, struct pt_regs *regs);

#endif /* _KERNEL_PERFMON_SOFT_H */
