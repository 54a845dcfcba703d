/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: counters that each have an event selector with an enable bit.
 *
 * Where no register starts and stops all counters at once, these operations do it counter
 * by counter: Intel's version 1, the Pentium 4, and AMD's processors before PerfMonV2. PMCi is
 * the selector of the counter PMDi.
 */
#ifndef _X86_PERFMON_EVTSEL_H
#define _X86_PERFMON_EVTSEL_H

#include <linux/perfmon_pmu.h>

#define PFM_EVTSEL_USR		BIT_ULL(16)
#define PFM_EVTSEL_OS		BIT_ULL(17)
#define PFM_EVTSEL_INT		BIT_ULL(20)
#define PFM_EVTSEL_EN		BIT_ULL(22)

/**
 * struct pfm_evtsels - The registers that the operations below start, stop and load.
 * @pmcs: the first ones are event selectors
 * @pmds: the first ones are the counters of @pmcs
 * @num: number of pairs
 * @enable: the enable bit of a selector
 */
struct pfm_evtsels {
	const struct pfm_reg_desc	*pmcs;
	const struct pfm_reg_desc	*pmds;
	unsigned int			num;
	u64				enable;
};

struct pfm_evtsels pfm_evtsel_setup(struct pfm_evtsels next);
int pfm_evtsel_acquire(void);
void pfm_evtsel_release(void);
void pfm_evtsel_clear(void);
const char *pfm_evtsel_enabled(void);
void pfm_evtsel_init_cpu(void);
void pfm_evtsel_start(const struct pfm_regs *regs);
void pfm_evtsel_stop(const struct pfm_regs *regs);
void pfm_evtsel_ack(void);
void pfm_evtsel_write_pmc(unsigned int pmc, u64 value);

#endif /* _X86_PERFMON_EVTSEL_H */
