/* SPDX-License-Identifier: GPL-2.0 */
/* Events of x86 that need a value in a second register. */
#ifndef PFMON_PMU_EXTRA_REGS_H
#define PFMON_PMU_EXTRA_REGS_H

#include "pmu/pmu.h"

/*
 * Fill in encoding->extra of the event @name, with @value, which is libpfm4's second word or
 * NULL, for its register; the code as well, where libpfm4 has a wrong one. False: no
 * PMC of this PMU can hold the value, or the event would count nothing.
 */
bool extra_regs_find(const struct pmu *pmu, const char *name, const uint64_t *value,
		     struct encoding *encoding, struct problem *why);

/* The MSR of the second register of the event @code, 0: none. For tests. */
uint64_t extra_regs_msr(const char *model, uint64_t code);

#endif /* PFMON_PMU_EXTRA_REGS_H */
