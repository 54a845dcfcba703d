/* SPDX-License-Identifier: GPL-2.0 */
/* The general counters of a model that can count an event. */
#ifndef PFMON_PMU_CONSTRAINTS_H
#define PFMON_PMU_CONSTRAINTS_H

#include <stdbool.h>
#include <stdint.h>

/* True if there are rules for a model. @pmu is libpfm4's name for it, or the kernel's. */
bool constraint_known(const char *pmu);

/*
 * The hardware's numbers of the general counters that count the event @code, as a
 * mask; without a rule for it: all of them.
 *
 * libpfm4 has such masks, but its interface has no call for them.
 */
uint64_t constraint_counters(const char *pmu, uint64_t code);

/* The reason that no counter counts it, as the end of a sentence; NULL: there is no such reason. */
const char *constraint_refusal(const char *pmu, uint64_t code);

#endif /* PFMON_PMU_CONSTRAINTS_H */
