/* SPDX-License-Identifier: GPL-2.0 */
/* The registers that hold the last branches, and the registers that switch them on. */
#ifndef PFMON_PMU_BRANCHES_H
#define PFMON_PMU_BRANCHES_H

#include "pmu/pmu.h"

#define MAX_BRANCHES	32

struct branch_registers {
	struct {
		unsigned int	num;
		uint64_t	value;
	} pmc[2];
	size_t		npmcs;
	unsigned int	from[MAX_BRANCHES], to[MAX_BRANCHES]; /* PMDs, the newest first */
	size_t		n;
};

/* Find the registers to record branches into these levels. False, with the reason: none. */
bool branches_find(const struct pmu *pmu, unsigned int levels, struct branch_registers *found,
		   struct problem *why);

#endif /* PFMON_PMU_BRANCHES_H */
