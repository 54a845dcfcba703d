/* SPDX-License-Identifier: GPL-2.0 */
/* A recording as its options want it: what `pfmon record` and `pfmon top` have in common. */
#ifndef PFMON_RECORD_JOB_H
#define PFMON_RECORD_JOB_H

#include "record/ibs.h"
#include "record/kernel_events.h"
#include "record/kernel_values.h"
#include "record/options.h"

struct recorder;

/* All that is needed before anything runs. Zeroed, with options, it is to be prepared. */
struct record_job {
	struct record_options	options;
	uint64_t		flush_ns;	/* samples come at least so often; 0: each second */
	struct pmu		pmu;
	struct rights		rights;
	struct events		events;		/* that the PMU counts */
	struct plan		plan;
	uint64_t		*period;	/* of each event that is sampled */
	struct kernel_sampling	kernel;		/* those that the kernel counts */
	unsigned int		*extra;		/* PMDs that come with each sample as well */
	struct kernel_values	values;		/* those of them that the kernel counts */
	struct ibs		ibs;		/* of AMD's Instruction-Based Sampling, if that is it */
};

/* Find the PMU, the events and their registers. Nothing has started when this fails. */
bool record_prepare(struct record_job *job, struct problem *why);

/*
 * Record, until it ends as the options say. @r tells afterwards what there was, to be closed
 * by recorder_close() in any case. False, with the reason: it is not complete, or there is none.
 */
bool record_run(struct record_job *job, struct recorder *r, struct record_result *result,
		struct problem *why);

void record_job_free(struct record_job *job);

#endif /* PFMON_RECORD_JOB_H */
