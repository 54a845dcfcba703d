/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a model of MSRs, for tests of the code that uses them.
 */
#ifndef _X86_PERFMON_MSR_KUNIT_H
#define _X86_PERFMON_MSR_KUNIT_H

#include <linux/types.h>

/**
 * struct pfm_msr_cell - One MSR of the model.
 * @msr: its number; 0 ends an array of them
 * @value: its content
 * @takes: bits that can be written; any other one faults
 * @counter: RDPMC reads it by this number less 1; 0: RDPMC does not read it
 * @ignores_writes: writes change nothing, as under some hypervisors
 * @wrote: called after each write that did not fault
 * @writes: number of writes that did not fault
 */
struct pfm_msr_cell {
	u32		msr;
	u64		value;
	u64		takes;
	u32		counter;
	bool		ignores_writes;
	void		(*wrote)(u64 value);
	unsigned int	writes;
};

/* Replace the MSRs by these; NULL: the processor's own. */
void pfm_msr_use(struct pfm_msr_cell *cells);

struct pfm_msr_cell *pfm_msr_cell(u32 msr);

/* Accesses that faulted since pfm_msr_use(). */
unsigned int pfm_msr_faults(void);

#endif /* _X86_PERFMON_MSR_KUNIT_H */
