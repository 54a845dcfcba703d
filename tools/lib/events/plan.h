/* SPDX-License-Identifier: GPL-2.0 */
/* The register values that are written to every context of a measurement. */
#ifndef PFMON_EVENTS_PLAN_H
#define PFMON_EVENTS_PLAN_H

#include "events/events.h"

/* An event of the kernel, or NULL. */
struct planned_software {
	const struct software_event	*event;
	unsigned int			levels;
};

/* Register vectors, made once from the assigned events. */
struct plan {
	pfarg_pmc_t	*pmcs;
	int		npmcs;
	pfarg_pmd_t	*pmds;		/* one for each event, in the events' order */
	int		npmds;
	unsigned int	nsoftware;	/* events of the kernel, without a PMD ... */
	struct planned_software *software; /* ... then one for each event, too */
	unsigned int	nsets;		/* event sets, 0 to nsets - 1, that take turns */
	uint64_t	timeout_ns;	/* of each set, if there are several */
};

void plan_make(struct plan *plan, const struct events *events, const struct pmu *pmu);
/* Write this to a PMC that controls no counter, in each event set. */
void plan_add(struct plan *plan, unsigned int num, uint64_t value);
void plan_free(struct plan *plan);

/* The kernel's event that is event @i of the plan; NULL: it is an event of the PMU. */
static inline const struct software_event *plan_software(const struct plan *plan, int i)
{
	return plan->nsoftware ? plan->software[i].event : NULL;
}

#endif /* PFMON_EVENTS_PLAN_H */
