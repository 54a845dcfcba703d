// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: tests for the existence of an MSR.
 */
#include "msr.h"

/**
 * pfm_msr_holds() - Does a register exist, and does it keep this value?
 * @msr: its address
 * @value: a value that does no harm in it
 *
 * Under a hypervisor an access may fault, or a write be ignored. The old value is restored:
 * the NMI watchdog may be using the register.
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
