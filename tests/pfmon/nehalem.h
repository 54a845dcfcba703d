/* SPDX-License-Identifier: GPL-2.0 */
/* PMU descriptions for tests, in the form of the kernel's reports. */
#ifndef TESTS_PFMON_NEHALEM_H
#define TESTS_PFMON_NEHALEM_H

#include "../../tools/lib/pmu/pmu.h"

/*
 * A Nehalem: four general and three fixed counters, and libpfm4's events for it. The kernel does
 * not use these logical indices: no code may depend on them.
 */
void nehalem_pmu(struct pmu *pmu);

/* The same with @general counters and no fixed counters. */
void small_pmu(struct pmu *pmu, unsigned int general);

/* AMD's six counters. */
void amd_pmu(struct pmu *pmu);

/* The kernel's table @table, and libpfm4's events for @model. */
void table_pmu(struct pmu *pmu, const char *table, const char *model);

/* Logical indices of nehalem_pmu(). */
#define NHM_PMC(i)	(10 + 3 * (i))
#define NHM_PMD(i)	(40 - (i))
#define NHM_FIXED_CTRL	7
#define NHM_FIXED_PMD(i) (5 + (i))

#endif /* TESTS_PFMON_NEHALEM_H */
