/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: x86: Intel Processor Trace, which excludes perfmon.
 */
#ifndef _X86_PERFMON_INTEL_PT_H
#define _X86_PERFMON_INTEL_PT_H

#include <linux/types.h>

bool pfm_intel_pt_traces(void);

#endif /* _X86_PERFMON_INTEL_PT_H */
