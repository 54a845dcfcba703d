/* SPDX-License-Identifier: GPL-2.0 */
/* -d: more events than the usual ones, as far as this PMU has them. */
#ifndef PFMON_STAT_DETAIL_H
#define PFMON_STAT_DETAIL_H

#include "events/events.h"

/* Add the events of @level and below. Omit events that the PMU lacks, or that are in @events. */
void detail_add(struct events *events, const struct pmu *pmu, const struct rights *rights,
		unsigned int level);

#endif /* PFMON_STAT_DETAIL_H */
