// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the virtual PMDs' table. pfmon compiles this file, too.
 */
#include <linux/perfmon_pmu.h>

#define PFM_VIRTUAL(_index, _name)						\
	[(_index) - PFM_VIRTUAL_PMD] = {					\
		.name = (_name), .type = PFM_REG_TYPE_SOFT,			\
		.cls = PFM_CLASS_VIRTUAL, .width = 64,				\
		.addr = PFM_REG_IDX_NONE, .rsvd = ~0ULL,			\
	}

const struct pfm_reg_desc pfm_virtual_pmds[PFM_NUM_VIRTUAL_PMDS] = {
	PFM_VIRTUAL(PFM_PMD_CPU_CLOCK, "cpu-clock"),
	PFM_VIRTUAL(PFM_PMD_TASK_CLOCK, "task-clock"),
	PFM_VIRTUAL(PFM_PMD_CTX_SWITCHES, "context-switches"),
	PFM_VIRTUAL(PFM_PMD_MIGRATIONS, "cpu-migrations"),
	PFM_VIRTUAL(PFM_PMD_MIN_FAULTS, "minor-faults"),
	PFM_VIRTUAL(PFM_PMD_MAJ_FAULTS, "major-faults"),
	PFM_VIRTUAL(PFM_PMD_FREE_PAGES, "free-pages"),
	PFM_VIRTUAL(PFM_PMD_CPU, "cpu"),
	PFM_VIRTUAL(PFM_PMD_PID, "pid"),
	PFM_VIRTUAL(PFM_PMD_TID, "tid"),
};
