/* SPDX-License-Identifier: GPL-2.0 */
/* The register tables of all PMUs that perfmon knows, whatever this machine is. */
#ifndef PFMON_INFO_TABLES_H
#define PFMON_INFO_TABLES_H

#include <stdbool.h>

#include "pmu/pmu.h"

/* A table's name, for users to type, and the kernel's name for the PMU. */
struct table_name {
	const char	*name;
	const char	*model;
};

/* All names, up to one that is NULL; to be freed. */
struct table_name *tables_names(void);

/* Fill in @pmu from the table @name. */
bool table_read(struct pmu *pmu, const char *name, struct problem *why);

#endif /* PFMON_INFO_TABLES_H */
