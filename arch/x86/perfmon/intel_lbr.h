/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: operations on Intel's last branch records.
 */
#ifndef _X86_PERFMON_INTEL_LBR_H
#define _X86_PERFMON_INTEL_LBR_H

#include "intel_arch.h"

/* The PMD that is live whenever branch records are: the latest record's source. */
#define PFM_INTEL_LBR_LIVE	BIT_ULL(PFM_INTEL_LBR_FROM)

/* The records of this processor. */
extern struct pfm_intel_lbr pfm_intel_lbr;

bool pfm_intel_probe_lbr(const struct pfm_intel_lbr *lbr, u64 perf_caps, bool pt);
bool pfm_intel_probe_arch_lbr(struct pfm_intel_lbr *lbr, u32 depths);
void pfm_intel_lbr_init_cpu(void);
void pfm_intel_lbr_prepare(struct pfm_regs *regs);
void pfm_intel_lbr_start(const struct pfm_regs *regs);
void pfm_intel_lbr_stop(void);
void pfm_intel_lbr_write(unsigned int pmd, u64 value);
u64 pfm_intel_lbr_read(unsigned int pmd);

#endif /* _X86_PERFMON_INTEL_LBR_H */
