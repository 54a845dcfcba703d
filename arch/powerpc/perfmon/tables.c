// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: all tables of PowerPC PMUs. pfmon compiles this file, too.
 */
#include "tables.h"

const struct pfm_table * const pfm_powerpc_tables[] = {
	pfm_power_tables,
	NULL
};
