/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the samples come from: a process of its own records, as `pfmon record` does, into a
 * pipe. So nothing that the display does delays what is sampled, and nothing grows: what the
 * pipe does not hold waits in the kernel's buffers, and is lost there, and counted, if it must.
 */
#ifndef PFMON_TOP_FEED_H
#define PFMON_TOP_FEED_H

#include "data/stream.h"
#include "record/job.h"

struct feed {
	pid_t		pid;		/* of the process */
	int		fd;		/* of the pipe; -1: it has ended */
	struct stream	stream;
	int		status;		/* the exit status, once it has ended */
	bool		broken;		/* @why of feed_read() was said */
};

/* Begin. The job has its options. False, with the reason: there is no such process. */
bool feed_begin(struct feed *feed, struct record_job *job, struct problem *why);

/* What has come since; it does not wait. False: what came makes no sense. */
bool feed_read(struct feed *feed, struct problem *why);

/* Have it end, and wait until it has. */
void feed_end(struct feed *feed);

#endif /* PFMON_TOP_FEED_H */
