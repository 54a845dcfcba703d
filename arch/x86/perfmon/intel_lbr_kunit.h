/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: common parts of the tests of a model's branch records and of architectural ones.
 */
#ifndef _X86_PERFMON_INTEL_LBR_KUNIT_H
#define _X86_PERFMON_INTEL_LBR_KUNIT_H

#include <kunit/test.h>
#include "intel_lbr.h"
#include "msr_kunit.h"

#define PFM_LBR_FIXED_CELLS	3

/**
 * struct pfm_lbr_state - State of one test.
 * @before: this processor's records
 * @pmcs: the registers of @regs
 * @regs: a set that records
 * @cells: control registers, as many records with flags as there can be, and an end
 */
struct pfm_lbr_state {
	struct pfm_intel_lbr	before;
	u64			pmcs[PFM_INTEL_NUM_PMCS];
	struct pfm_regs		regs;
	struct pfm_msr_cell	cells[PFM_LBR_FIXED_CELLS + 3 * 32 + 1];
};

/* As the core does it. */
static inline void pfm_lbr_prepare(struct pfm_regs *regs)
{
	pfm_intel_prepare(regs);
	pfm_intel_lbr_bank.prepare(regs);
}

int pfm_lbr_test_init(struct kunit *test);
void pfm_lbr_test_exit(struct kunit *test);

/* Add @entries records, which begin at these MSRs, to the register file. */
void pfm_lbr_add_records(struct pfm_msr_cell *cell, u32 from, u32 to, unsigned int entries);

/* ... and their flags, behind them */
void pfm_lbr_add_info(struct pfm_msr_cell *cells, u32 info, unsigned int entries);

static inline u64 pfm_lbr_msr(u32 number)
{
	return pfm_msr_cell(number)->value;
}

static inline void pfm_lbr_set_msr(u32 number, u64 value)
{
	pfm_msr_cell(number)->value = value;
}

#endif /* _X86_PERFMON_INTEL_LBR_KUNIT_H */
