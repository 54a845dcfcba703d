// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: is there such an MSR?
 */
#include "msr.h"

/**
 * pfm_msr_holds() - Does a register exist, and does it keep this value?
 * @msr: its address
 * @value: one that does no harm in it
 *
 * Under a hypervisor an access may fault, or a write be ignored. What the register held is
 * put back: the NMI watchdog may be using it.
 *
 * Context: interrupts off.
 */
bool pfm_msr_holds(u32 msr, u64 value)
{
	u64 old, got;

	if (pfm_rdmsr_safe(msr, &old) || pfm_wrmsr_safe(msr, value))
		return false;
	got = pfm_rdmsr(msr);
	pfm_wrmsr(msr, old);
	return got == value;
}
