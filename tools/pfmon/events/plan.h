/* SPDX-License-Identifier: GPL-2.0 */
/* What is written to every context of a measurement. */
#ifndef PFMON_EVENTS_PLAN_H
#define PFMON_EVENTS_PLAN_H

#include "events/events.h"

/* Register vectors, made once from the assigned events. */
struct plan {
	pfarg_pmc_t	*pmcs;
	int		npmcs;
	pfarg_pmd_t	*pmds;		/* one for each event, in the events' order */
	int		npmds;
	unsigned int	nsets;		/* event sets, 0 to nsets - 1, that take turns */
	uint64_t	timeout_ns;	/* after which the next one is active; for several */
};

void plan_make(struct plan *plan, const struct events *events, const struct pmu *pmu);
void plan_free(struct plan *plan);

#endif /* PFMON_EVENTS_PLAN_H */
