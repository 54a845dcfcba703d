/* SPDX-License-Identifier: GPL-2.0 */
/* Which general counters of a model can count an event. */
#ifndef PFMON_PMU_CONSTRAINTS_H
#define PFMON_PMU_CONSTRAINTS_H

#include <stdint.h>

/*
 * The hardware's numbers of the general counters that count the event @code, as a
 * mask. @pmu is libpfm4's name for the model; without a rule for it: all of them.
 *
 * libpfm4 keeps such masks to itself: its interface has no call for them.
 */
uint64_t constraint_counters(const char *pmu, uint64_t code);

#endif /* PFMON_PMU_CONSTRAINTS_H */
