/* SPDX-License-Identifier: GPL-2.0 */
/* The report of a program's regions, as it exits. */
#ifndef PERFMON_PROGRAM_REGION_REPORT_H
#define PERFMON_PROGRAM_REGION_REPORT_H

#include <sys/types.h>

#include "perfmon_events.h"
#include "program/error.h"
#include "program/tree.h"

/* The regions of one thread, if each thread is shown. */
struct region_thread {
	struct region_thread *next;
	pid_t		tid;
	char		comm[16];	/* its last name */
	struct region	root;
};

struct region_report {
	const struct perfmon_event_list *events;
	struct region	root;		/* the sum */
	bool		per_thread;	/* each thread is shown, too: */
	struct region_thread *first, *last; /* in the order of their ends */
	uint64_t	threads;
	uint64_t	uncounted;	/* threads that had no counters */
	uint64_t	open;		/* regions without an end */
	uint64_t	stray;		/* ends without a begin */
	bool		complained;	/* about the first thread without counters */
};

/* Keep the figures of a thread of this process for a line of its own. @n: events. */
void region_report_keep(struct region_report *report, pid_t tid, const struct region *root,
			size_t n);

/* Free the content of a report. */
void region_report_clear(struct region_report *report);

/*
 * Write it to the file of PERFMON_REGIONS, in the format of its name. @forked: the file's name
 * gets the process's number at its end, unless %p in it has it already.
 */
void region_report_write(const struct region_report *report, const char *name, bool forked);

/* On the standard error: no regions are counted, or not those of a thread, for this reason. */
void region_complain(const struct problem *why);

#endif /* PERFMON_PROGRAM_REGION_REPORT_H */
