/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reports about processes while they are sampled: mappings, executions, births, ends. They come
 * from perf's dummy event, which counts nothing, needs no PMU, and so works beside a loaded
 * session. Its records have the clock of the samples.
 */
#ifndef PFMON_RECORD_SIDEBAND_H
#define PFMON_RECORD_SIDEBAND_H

#include "record/recording.h"
#include "record/ring.h"
#include "record/sampled.h"

struct sideband_ring {
	int		fd;		/* of an event */
	unsigned int	cpu;
	struct ring	ring;		/* no ring: the event writes to another one's */
};

/* A process has executed another program. */
struct sideband_exec {
	pid_t		pid;		/* 0: an unused place */
	uint64_t	time;
};

#define SIDEBAND_EXECS	256	/* more do not wait to be forgotten at once */

/* Zeroed: no event. */
struct sideband {
	struct sideband_ring *ring;
	size_t		n, room;
	size_t		size;		/* bytes of a ring */
	uint64_t	last;		/* time of the latest record */
	uint64_t	lost;		/* records that found no room */
	void		*record;	/* the record that is being read */
	struct sampled_processes *sampled; /* is notified of executions, births and ends, too */
	struct sideband_exec exec[SIDEBAND_EXECS]; /* the latest ones, in a circle ... */
	size_t		execs;		/* ... of which the next has this place */
};

/* True if this user may have it for threads. */
bool sideband_possible(void);

/*
 * Begin with a thread and all that it creates, on all CPUs; or with all that runs on a CPU. False:
 * this user may not, or the kernel cannot, and nothing has begun; errno is ESRCH when the thread
 * has ended.
 */
bool sideband_add_thread(struct sideband *sideband, pid_t tid);
bool sideband_add_cpu(struct sideband *sideband, unsigned int cpu);

/* Write all reports so far to the file. */
void sideband_take(struct sideband *sideband, struct recording *recording);

/* The time of an exec of the process that was taken and not forgotten; 0: there is none. */
uint64_t sideband_exec(const struct sideband *sideband, pid_t pid);
void sideband_forget_exec(struct sideband *sideband, pid_t pid);
void sideband_close(struct sideband *sideband);

#endif /* PFMON_RECORD_SIDEBAND_H */
