/* SPDX-License-Identifier: GPL-2.0 */
/* A recording according to its options: the common part of `pfmon record` and `pfmon top`. */
#ifndef PFMON_RECORD_JOB_H
#define PFMON_RECORD_JOB_H

#include "record/ibs.h"
#include "record/kernel_events.h"
#include "record/kernel_values.h"
#include "record/options.h"

struct recorder;

/* All data needed before anything runs. The caller zeroes it, sets @options, and prepares it. */
struct record_job {
	struct record_options	options;
	uint64_t		flush_ns;	/* the longest time between flushes; 0: a second */
	struct pmu		pmu;
	struct rights		rights;
	struct events		events;		/* that the PMU counts */
	struct plan		plan;
	uint64_t		*period;	/* of each event that is sampled */
	struct kernel_sampling	kernel;		/* the events that the kernel counts */
	unsigned int		*extra;		/* further PMDs that come with each sample */
	struct kernel_values	values;		/* the PMDs in @extra that the kernel counts */
	struct ibs		ibs;		/* AMD's Instruction-Based Sampling, if requested */
};

/* Find the PMU, the events and their registers. Nothing has started when this fails. */
bool record_prepare(struct record_job *job, struct problem *why);

/*
 * Record until the recording ends according to the options. @r has the results afterwards; close
 * it with recorder_close() in any case. False, with the reason: the file is incomplete or missing.
 */
bool record_run(struct record_job *job, struct recorder *r, struct record_result *result,
		struct problem *why);

void record_job_free(struct record_job *job);

#endif /* PFMON_RECORD_JOB_H */
