// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: x86: Intel Processor Trace, which perfmon cannot be beside.
 *
 * Its interrupts come by the PMU's entry of the local APIC. While it traces, the handler of
 * perf_events answers each of them: it stops all counters and acknowledges them, also those
 * that are perfmon's.
 *
 * IA32_RTIT_CTL: Intel SDM volume 3, "Intel Processor Trace".
 */
#include "intel_pt.h"
#include "msr.h"

/**
 * pfm_intel_pt_traces() - Does Intel PT trace on this CPU?
 *
 * Return: whether it does; not where there is none.
 *
 * Context: any, on the CPU that is meant.
 */
bool pfm_intel_pt_traces(void)
{
	u64 control;

	return !pfm_rdmsr_safe(MSR_IA32_RTIT_CTL, &control) && control & RTIT_CTL_TRACEEN;
}
