// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: all tables of x86 PMUs. pfmon compiles this file, too.
 */
#include "tables.h"

const struct pfm_table * const pfm_x86_tables[] = {
	pfm_intel_tables,
	pfm_p6_tables,
	pfm_p4_tables,
	pfm_amd_tables,
	NULL
};
