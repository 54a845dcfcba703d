/* SPDX-License-Identifier: GPL-2.0 */
/* -e ibs_op and ibs_fetch: a unit of its own in a plan. */
#ifndef PFMON_RECORD_IBS_H
#define PFMON_RECORD_IBS_H

#include "pmu/ibs.h"
#include "session/sampler.h"

/*
 * The unit becomes the first event of @events, and of their plan: the only sampled one. The
 * other events, if any, are counted, and their values come with its samples.
 */
void ibs_event(struct events *events, const struct ibs *ibs, const char *name);
void ibs_plan(struct plan *plan, struct sampling *sampling, const struct ibs *ibs);

/* The kernel decodes the samples: the values are fields, each of the register it comes from. */
void ibs_decode(struct ibs *ibs);

#endif /* PFMON_RECORD_IBS_H */
