/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events by name on hardware: the short names, libpfm4's, and those of the emulated PMU;
 * and the message for an unknown name.
 */
#ifndef PFMON_PMU_NAMES_H
#define PFMON_PMU_NAMES_H

#include "pmu/pmu.h"

/* The operations of the same names in struct pmu_arch. */
bool names_find(const struct pmu *pmu, struct event_names *names, struct problem *why);
bool names_encode(const struct pmu *pmu, const char *name, unsigned int levels,
		  struct encoding *encoding, struct problem *why);

#endif /* PFMON_PMU_NAMES_H */
