/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of a measurement: threads and CPUs, each with a context of its own, and their sums.
 * Counts run on while there is something to count, and can be read at any time: the counts since
 * the last reading go to the sums and to the estimate.
 */
#ifndef PFMON_STAT_PARTS_H
#define PFMON_STAT_PARTS_H

#include <sys/types.h>

#include "stat/estimate.h"

/* The counts of events as they were read, and the times of event sets. */
struct tally {
	uint64_t	*count;
	struct set_time	*set;
};

struct part {
	pid_t		id;		/* thread id or CPU number */
	char		name[16];	/* the program it runs, as the kernel shortens it */
	int		fd;		/* its context; -1: it has ended */
	int		*software;	/* descriptors of the kernel's events, or NULL */
	size_t		index;		/* among the parts */
	size_t		kind;		/* of the estimate */
	struct tally	last;		/* the last reading */
	struct tally	shown;		/* until the interval shown last, or NULLs */
};

struct parts {
	const struct plan	*plan;
	bool			system_wide;
	bool			keep;		/* ended parts as well, to report each */
	bool			started;	/* new parts count at once */
	bool			births;		/* new parts have executed nothing yet */
	struct part		**part;
	size_t			n, room;
	size_t			live;		/* parts with a context */
	struct tally		sum;
	struct tally		fresh;		/* room for one reading */
	struct estimate		estimate;	/* with several event sets */
	unsigned int		sessions;	/* contexts that were counted and have ended */
	uint64_t		suspended_ns;	/* sum: a privileged user had the PMU */
	unsigned int		missed;		/* tasks that could not be counted */
	struct problem		missed_why;	/* of the first one */
};

struct tally tally_new(const struct plan *plan);
void tally_copy(struct tally *to, const struct tally *from, const struct plan *plan);
void tally_free(struct tally *tally);

void parts_begin(struct parts *parts, const struct plan *plan, bool keep);
void parts_free(struct parts *parts);

/*
 * Add a context for a thread, or for the CPU that pfmon runs on. NULL, with the reason and errno:
 * it failed.
 */
struct part *parts_add(struct parts *parts, pid_t id, struct problem *why);

/* The same, but only note a task that cannot be counted, unless it is gone. */
struct part *parts_try(struct parts *parts, pid_t id);

/* Note a task that could not be counted, unless errno is ESRCH: it is gone. */
void parts_miss(struct parts *parts, const struct problem *why);

/* From now on count, all present parts and new ones. */
bool parts_start(struct parts *parts, struct problem *why);
void parts_stop(struct parts *parts);
void part_stop(const struct part *part);

/* Read all parts that count. */
void parts_read(struct parts *parts);

/* The part executes a program, as the task @id: its next counts may be of another kind. */
void part_exec(struct parts *parts, struct part *part, pid_t id);

/* Read it for the last time. It is freed unless parts are kept. */
void part_end(struct parts *parts, struct part *part);
void parts_end(struct parts *parts);

#endif /* PFMON_STAT_PARTS_H */
