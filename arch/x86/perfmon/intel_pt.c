// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: x86: Intel Processor Trace, which excludes perfmon.
 *
 * Its interrupts come by the PMU's entry of the local APIC. While it traces, the handler of
 * perf_events answers each of these interrupts: it stops and acknowledges all counters, also
 * perfmon's.
 *
 * IA32_RTIT_CTL: Intel SDM volume 3, "Intel Processor Trace".
 */
#include "intel_pt.h"
#include "msr.h"

/**
 * pfm_intel_pt_traces() - Does Intel PT trace on this CPU?
 *
 * Return: true if it traces; false where it does not exist.
 *
 * Context: any, on the CPU in question.
 */
bool pfm_intel_pt_traces(void)
{
	u64 control;

	return !pfm_rdmsr_safe(MSR_IA32_RTIT_CTL, &control) && control & RTIT_CTL_TRACEEN;
}
