/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: registers of banks that the rest of the kernel uses, too.
 */
#ifndef _KERNEL_PERFMON_BANK_CLAIM_H
#define _KERNEL_PERFMON_BANK_CLAIM_H

#include <linux/types.h>

struct pfm_context;

int pfm_banks_claim(struct pfm_context *ctx);
int pfm_banks_claim_for(struct pfm_context *ctx, unsigned int pmc, u64 value);
void pfm_banks_unclaim(struct pfm_context *ctx);

#endif /* _KERNEL_PERFMON_BANK_CLAIM_H */
