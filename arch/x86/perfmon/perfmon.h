/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: x86: decisions about the PMU and its interrupt, for tests.
 */
#ifndef _X86_PERFMON_PERFMON_H
#define _X86_PERFMON_PERFMON_H

#include <linux/types.h>

struct cpuinfo_x86;
struct pfm_pmu;

bool pfm_x86_masks_entry(const struct cpuinfo_x86 *c, bool intel);
bool pfm_x86_is_pmi(u32 lvtpc, bool lvtpc_masks);
bool pfm_x86_is_traced(void);
const char *pfm_x86_firmware_counter(const struct pfm_pmu *pmu);

#endif /* _X86_PERFMON_PERFMON_H */
