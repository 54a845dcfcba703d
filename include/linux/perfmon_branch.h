/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a branch record, as a PMU gives it to sampling formats.
 */
#ifndef _LINUX_PERFMON_BRANCH_H
#define _LINUX_PERFMON_BRANCH_H

#include <linux/types.h>

/* flags; without the first two, the result of the prediction is unknown */
#define PFM_BRANCH_MISPREDICTED		0x01
#define PFM_BRANCH_PREDICTED		0x02
#define PFM_BRANCH_IN_TRANSACTION	0x04
#define PFM_BRANCH_ABORT		0x08
#define PFM_BRANCH_CYCLES		0x10	/* the number of cycles is known */

/* Limit of the records of a sample. */
#define PFM_BRANCHES_MAX		32

/**
 * struct pfm_branch - A branch that was taken.
 * @from: address of the branch instruction; 0: the kernel's, which the context may not see
 * @to: address of its target; 0: likewise
 * @flags: PFM_BRANCH_*
 * @cycles: cycles since the branch before, if known; the largest number that the processor has
 *	stands for larger ones
 */
struct pfm_branch {
	u64	from;
	u64	to;
	u32	flags;
	u32	cycles;
};

#endif /* _LINUX_PERFMON_BRANCH_H */
