/* SPDX-License-Identifier: GPL-2.0 */
/* The check that the processor can sample with the requested periods. */
#ifndef PFMON_RECORD_PERIODS_H
#define PFMON_RECORD_PERIODS_H

#include "events/events.h"
#include "session/sampler.h"

/* False: @why names the period of @sampling that is too short for its event, or no multiple. */
bool periods_check(const struct sampling *sampling, const struct events *events,
		   const struct pmu *pmu, struct problem *why);

#endif /* PFMON_RECORD_PERIODS_H */
