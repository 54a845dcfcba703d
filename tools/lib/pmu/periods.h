/* SPDX-License-Identifier: GPL-2.0 */
/* Sampling periods that x86 processors do not handle correctly. */
#ifndef PFMON_PMU_PERIODS_H
#define PFMON_PMU_PERIODS_H

#include "pmu/pmu.h"

/* The limits of a period of the event @code. */
struct period_limit period_limit_of(const struct pmu *pmu, uint64_t code);

#endif /* PFMON_PMU_PERIODS_H */
