/* SPDX-License-Identifier: GPL-2.0 */
/* Events of x86 that need a value in a second register: which one, and is it there? */
#ifndef PFMON_PMU_EXTRA_REGS_H
#define PFMON_PMU_EXTRA_REGS_H

#include "pmu/pmu.h"

/*
 * Fill in encoding->extra of the event @name, as @value, which is libpfm4's second word or
 * NULL, is for its register; the code as well, where libpfm4 has a wrong one. False: no
 * PMC of this PMU can hold the value, or the event would count nothing.
 */
bool extra_regs_find(const struct pmu *pmu, const char *name, const uint64_t *value,
		     struct encoding *encoding, struct problem *why);

/* The MSR that the event @code has for a second register, 0: none. For tests. */
uint64_t extra_regs_msr(const char *model, uint64_t code);

#endif /* PFMON_PMU_EXTRA_REGS_H */
