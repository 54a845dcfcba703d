/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is counted one by one: threads and CPUs, each with a context of its own, and their
 * sums. Counts run on for as long as there is something to count, and can be read at any
 * time: what is new since the last reading goes to the sums and to the estimate.
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
	int		fd;		/* its context; -1: it is over */
	int		*software;	/* descriptors of the kernel's events, or NULL */
	size_t		index;		/* among the parts */
	size_t		kind;		/* of the estimate */
	struct tally	last;		/* as it was read last */
	struct tally	shown;		/* until the interval that was shown last, or NULLs */
};

struct parts {
	const struct plan	*plan;
	bool			system_wide;
	bool			keep;		/* those that are over, for a report of each */
	bool			started;	/* what comes counts at once */
	bool			births;		/* what comes was born now, and has executed nothing */
	struct part		**part;
	size_t			n, room;
	size_t			live;		/* that have a context */
	struct tally		sum;
	struct tally		fresh;		/* room for one reading */
	struct estimate		estimate;	/* with several event sets */
	unsigned int		sessions;	/* that were counted and are over */
	uint64_t		suspended_ns;	/* a privileged user had the PMU: of all of them */
	unsigned int		missed;		/* could not be counted */
	struct problem		missed_why;	/* the first of them */
};

struct tally tally_new(const struct plan *plan);
void tally_copy(struct tally *to, const struct tally *from, const struct plan *plan);
void tally_free(struct tally *tally);

void parts_begin(struct parts *parts, const struct plan *plan, bool keep);
void parts_free(struct parts *parts);

/*
 * A context for a thread, or for the CPU that pfmon runs on. NULL, with the reason and
 * errno: there is none.
 */
struct part *parts_add(struct parts *parts, pid_t id, struct problem *why);

/* As that, but a task that cannot be counted is only noted; one that is gone is not. */
struct part *parts_try(struct parts *parts, pid_t id);

/* A task could not be counted; errno says whether it is only gone. */
void parts_miss(struct parts *parts, const struct problem *why);

/* From now on count, what there is and what comes. */
bool parts_start(struct parts *parts, struct problem *why);
void parts_stop(struct parts *parts);
void part_stop(const struct part *part);

/* Read all that count. */
void parts_read(struct parts *parts);

/* It executes a program, as the task @id: what follows may be of another kind. */
void part_exec(struct parts *parts, struct part *part, pid_t id);

/* Read it for the last time; it is gone unless parts are kept. */
void part_end(struct parts *parts, struct part *part);
void parts_end(struct parts *parts);

#endif /* PFMON_STAT_PARTS_H */
