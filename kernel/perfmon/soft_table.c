// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the software PMU's registers. pfmon compiles this file, too.
 */
#include "soft.h"

#define SOFT_LEVELS	(PFM_SOFT_USER | PFM_SOFT_KERNEL)

#define SOFT_PMC(_index, _name, _bits)						\
	[_index] = {								\
		.name = (_name), .type = PFM_REG_TYPE_SOFT,			\
		.cls = PFM_CLASS_CONTROL, .width = 64,				\
		.addr = PFM_REG_IDX_NONE,					\
		.rsvd = ~(u64)(PFM_SOFT_ENABLE | (_bits)),			\
		.kernel_bits = (_bits) & PFM_SOFT_KERNEL,			\
		.deps = { BIT_ULL(_index) },					\
	}

#define SOFT_PMD(_index, _name, _bits)						\
	[_index] = {								\
		.name = (_name), .type = PFM_REG_TYPE_SOFT,			\
		.cls = PFM_CLASS_COUNTER, .width = 64, .write_width = 64,	\
		.addr = PFM_REG_IDX_NONE,					\
		.deps = { BIT_ULL(_index) },					\
	}

#ifdef CONFIG_PERFMON_SOFT_INJECT
#define SOFT_TESTS(X)								\
	X(PFM_SOFT_TEST,		"test0",		SOFT_LEVELS),	\
	X(PFM_SOFT_TEST + 1,		"test1",		SOFT_LEVELS),	\
	X(PFM_SOFT_TEST + 2,		"test2",		SOFT_LEVELS),	\
	X(PFM_SOFT_TEST + 3,		"test3",		SOFT_LEVELS),
#else
#define SOFT_TESTS(X)
#endif

#ifdef CONFIG_GENERIC_ENTRY
#define SOFT_SYSCALLS(X) X(PFM_SOFT_SYSCALLS, "system-calls", 0),
#else
#define SOFT_SYSCALLS(X)
#endif

/* X(index, name, bits of the PMC besides the one that enables) */
#define SOFT_EVENTS(X)								\
	SOFT_TESTS(X)								\
	X(PFM_SOFT_TASK_CLOCK,		"task-clock",		PFM_SOFT_KERNEL), \
	X(PFM_SOFT_CPU_CLOCK,		"cpu-clock",		PFM_SOFT_KERNEL), \
	X(PFM_SOFT_FAULTS,		"page-faults",		SOFT_LEVELS),	\
	X(PFM_SOFT_MIN_FAULTS,		"minor-faults",		SOFT_LEVELS),	\
	X(PFM_SOFT_MAJ_FAULTS,		"major-faults",		SOFT_LEVELS),	\
	X(PFM_SOFT_CTX_SWITCHES,	"context-switches",	0),		\
	X(PFM_SOFT_MIGRATIONS,		"cpu-migrations",	0),		\
	SOFT_SYSCALLS(X)

const struct pfm_reg_desc pfm_soft_pmcs[PFM_SOFT_NUM] = { SOFT_EVENTS(SOFT_PMC) };
const struct pfm_reg_desc pfm_soft_pmds[PFM_SOFT_NUM] = { SOFT_EVENTS(SOFT_PMD) };

static const struct pfm_pmu *pfm_soft_build(const struct pfm_table *table, void *space)
{
	static const struct pfm_pmu soft = { PFM_SOFT_DESCRIPTION };

	return &soft;
}

const struct pfm_table pfm_soft_tables[] = {
	{ .name = "software", .model = PFM_SOFT_MODEL, .build = pfm_soft_build },
	{ }
};
