/* SPDX-License-Identifier: GPL-2.0 */
/* AMD's Instruction-Based Sampling: its registers, and their values. */
#ifndef PFMON_PMU_IBS_H
#define PFMON_PMU_IBS_H

#include "pmu/pmu.h"

#define IBS_BUFFERS	9
#define IBS_VALUES	13	/* of a sample: buffers, or fields decoded from them */

struct ibs {
	const char	*full;		/* "IBS_OP: ops" */
	unsigned int	pmc, pmd;	/* the control register, and the counter of samples */
	uint64_t	control;	/* the value of pmc ... */
	uint64_t	every;		/* ... for a sample after this number of ops ... */
	uint64_t	of;		/* ... of which each @of-th is recorded */
	unsigned int	buffer[IBS_VALUES];	/* PMDs that a sample fills, ascending */
	const char	*name[IBS_VALUES];
	size_t		n;
	size_t		ncounts;	/* so many first values are counts, the others bits */
	size_t		address;	/* index of the sample's address in buffer */
};

/*
 * The unit of the event @name, for about @period of its events. False, with the reason:
 * there is no such event, this PMU has none, or the period is too short.
 */
bool ibs_find(const struct pmu *pmu, const char *name, uint64_t period, struct ibs *ibs,
	      struct problem *why);

#endif /* PFMON_PMU_IBS_H */
