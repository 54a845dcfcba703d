/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: all tables of x86 PMUs, family by family.
 */
#ifndef _X86_PERFMON_TABLES_H
#define _X86_PERFMON_TABLES_H

#include <linux/perfmon_pmu.h>

extern const struct pfm_table pfm_intel_tables[];
extern const struct pfm_table pfm_p6_tables[];
extern const struct pfm_table pfm_p4_tables[];
extern const struct pfm_table pfm_amd_tables[];

/* The families, up to a NULL. */
extern const struct pfm_table * const pfm_x86_tables[];

#endif /* _X86_PERFMON_TABLES_H */
