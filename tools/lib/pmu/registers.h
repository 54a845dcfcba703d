/* SPDX-License-Identifier: GPL-2.0 */
/* Finding registers and counters of a PMU. */
#ifndef PFMON_PMU_REGISTERS_H
#define PFMON_PMU_REGISTERS_H

#include "pmu/pmu.h"

const struct reg *pmu_find_pmc(const struct pmu *pmu, unsigned int num);
const struct reg *pmu_find_pmd(const struct pmu *pmu, unsigned int num);

/* The register at this address, or NULL. */
const struct reg *reg_at(const struct reg *regs, size_t n, unsigned int type,
			 uint64_t index);

/* "PMD0 PMD1 PMD16" for a mask of counters; at least "(none)". */
char *pmu_counter_names(const struct pmu *pmu, uint64_t counters, char *buf, size_t size);

#endif /* PFMON_PMU_REGISTERS_H */
