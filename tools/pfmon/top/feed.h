/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The source of the samples: a process of its own records, as `pfmon record` does, into a pipe. So
 * the display never delays the sampling, and no memory grows: samples that the pipe cannot hold
 * wait in the kernel's buffers. If these are full, samples are lost there, and counted.
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
	bool		broken;		/* feed_read() has reported @why */
};

/* Begin. The job has its options. False, with the reason: the process could not start. */
bool feed_begin(struct feed *feed, struct record_job *job, struct problem *why);

/* Read the new data without waiting. False: the data are damaged. */
bool feed_read(struct feed *feed, struct problem *why);

/* End the process, and wait for its end. */
void feed_end(struct feed *feed);

#endif /* PFMON_TOP_FEED_H */
