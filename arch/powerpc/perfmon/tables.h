/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: all tables of PowerPC PMUs, family by family.
 */
#ifndef _POWERPC_PERFMON_TABLES_H
#define _POWERPC_PERFMON_TABLES_H

#include <linux/perfmon_pmu.h>

extern const struct pfm_table pfm_power_tables[];

/* The families, up to a NULL. */
extern const struct pfm_table * const pfm_powerpc_tables[];

#endif /* _POWERPC_PERFMON_TABLES_H */
