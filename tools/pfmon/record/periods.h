/* SPDX-License-Identifier: GPL-2.0 */
/* Whether the processor can sample with the periods that are asked for. */
#ifndef PFMON_RECORD_PERIODS_H
#define PFMON_RECORD_PERIODS_H

#include "events/events.h"
#include "session/sampler.h"

/* False: says which of @sampling's periods is too short for its event, or no multiple. */
bool periods_check(const struct sampling *sampling, const struct events *events,
		   const struct pmu *pmu, struct problem *why);

#endif /* PFMON_RECORD_PERIODS_H */
