/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a model of a PMU with one counter, and a control register whose value selects the
 * event; 0: none. A test has the operations.
 */
#ifndef _KERNEL_PERFMON_TESTS_MODEL_H
#define _KERNEL_PERFMON_TESTS_MODEL_H

#include "../pmu.h"

static inline int pfm_model_acquire(void)
{
	return 0;
}

/* For release, init_cpu and ack, if the test looks at none of them. */
static inline void pfm_model_nothing(void)
{
}

/* For registers of which the test looks at none. */
static inline void pfm_model_ignore(unsigned int reg, u64 value)
{
}

static inline u64 pfm_model_zero(unsigned int pmd)
{
	return 0;
}

static const struct pfm_reg_desc pfm_model_pmc __maybe_unused = {
	.name = "control", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_CONTROL, .width = 64,
	.addr = 0, .deps = { 1 },
};

static const struct pfm_reg_desc pfm_model_pmd __maybe_unused = {
	.name = "counter", .type = PFM_REG_TYPE_SOFT, .cls = PFM_CLASS_COUNTER, .width = 32,
	.write_width = 32, .addr = 1, .deps = { 1 },
};

#define PFM_MODEL(operations) {								\
	.name = "model", .software = true, .counter_width = 32, .num_pmcs = 1, .num_pmds = 1,	\
	.pmcs = &pfm_model_pmc, .pmds = &pfm_model_pmd, .ops = (operations),			\
}

#endif /* _KERNEL_PERFMON_TESTS_MODEL_H */
