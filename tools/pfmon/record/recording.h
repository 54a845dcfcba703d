/* SPDX-License-Identifier: GPL-2.0 */
/* A recording that is being made: what goes into the file, and when. */
#ifndef PFMON_RECORD_RECORDING_H
#define PFMON_RECORD_RECORDING_H

#include "data/write.h"
#include "ledger.h"
#include "record/proc.h"
#include "run/sampler.h"

struct recording {
	struct profile_writer	file;
	uint32_t		context;	/* the one that is recorded now */
	pid_t			pid;		/* the process whose mappings are followed */
	struct mappings		maps;		/* as they are in the file */
	bool			executing;	/* its mappings are another program's already */
	struct kernel_symbols	kernel;
	bool			kernel_known;	/* ... was read */
	uint64_t		samples;
	struct ledger		ledger;
	bool			has_ledger;
	double			started;
};

/* What is known before the first sample. */
struct recording_about {
	const char		*output;
	char			**command;
	const struct pmu	*pmu;
	const struct event	*event;
	const struct sampling	*sampling;
};

/* Begin the file. */
bool recording_begin(struct recording *recording, const struct recording_about *about,
		     struct problem *why);

/* From here on, samples are those of a thread, in a new context. */
void recording_thread(struct recording *recording, pid_t pid, pid_t tid);

/*
 * Append the mappings as they are now and samples, in the order that makes each sample
 * find its mapping. The samples were taken since the last call.
 */
void recording_add(struct recording *recording, const struct batch *batch);

/* The process has executed another program: what was recorded of mappings is over. */
void recording_exec(struct recording *recording);

/* The context is about to be closed: keep its ledger. */
void recording_leave(struct recording *recording, int fd);

void recording_note(struct recording *recording, const char *note);

/* Finish the file. False: it is not complete; @why. */
bool recording_end(struct recording *recording, int status, bool interrupted,
		   struct problem *why);

#endif /* PFMON_RECORD_RECORDING_H */
