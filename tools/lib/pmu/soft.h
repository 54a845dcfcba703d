/* SPDX-License-Identifier: GPL-2.0 */
/* The events of the kernel's software PMU: libpfm4 has no names for them. */
#ifndef PFMON_PMU_SOFT_H
#define PFMON_PMU_SOFT_H

#include "pmu/pmu.h"

struct soft_event {
	const char	*name, *desc;
	unsigned int	reg;		/* its PMC and its PMD */
};

/* Ended by a NULL name. */
extern const struct soft_event soft_events[];

/* The PMU of this machine is the software PMU: asked before it is read. */
bool soft_machine(void);

/* True if root injects the event: for tests of perfmon itself. */
bool soft_is_test(const struct soft_event *event);

/* True if this kernel counts the event. */
bool soft_has(const struct pmu *pmu, const struct soft_event *event);

#endif /* PFMON_PMU_SOFT_H */
