/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: operations on Intel's model-specific control registers.
 */
#ifndef _X86_PERFMON_INTEL_EXTRA_H
#define _X86_PERFMON_INTEL_EXTRA_H

#include "intel_arch.h"

extern const struct pfm_bank pfm_intel_extra_bank;

void pfm_intel_probe_extra(const struct pfm_intel_model *model, unsigned int threads, bool pebs,
			   u64 *bits);
u64 pfm_intel_probe_bits(u32 msr, u64 bits);
const struct pfm_reg_desc *pfm_intel_extra_setup(const struct pfm_reg_desc *pmcs);

#endif /* _X86_PERFMON_INTEL_EXTRA_H */
