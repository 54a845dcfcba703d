/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: operations on Intel's last branch records.
 */
#ifndef _X86_PERFMON_INTEL_LBR_H
#define _X86_PERFMON_INTEL_LBR_H

#include "intel_arch.h"

/* The records of this processor. */
extern struct pfm_intel_lbr pfm_intel_lbr;

extern const struct pfm_bank pfm_intel_lbr_bank;

bool pfm_intel_probe_lbr(const struct pfm_intel_lbr *lbr, u64 perf_caps, bool pt);
void pfm_intel_probe_lbr_flags(struct pfm_intel_lbr *lbr, u64 perf_caps, u32 parts);
bool pfm_intel_probe_arch_lbr(struct pfm_intel_lbr *lbr, u32 depths);

#endif /* _X86_PERFMON_INTEL_LBR_H */
