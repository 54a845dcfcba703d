/* SPDX-License-Identifier: GPL-2.0 */
/* The outcome of `pfmon stat`, in three forms. */
#ifndef PFMON_STAT_REPORT_H
#define PFMON_STAT_REPORT_H

#include <stdio.h>

#include "stat/baseline.h"
#include "stat/metrics.h"
#include "stat/run.h"

#define NS_PER_MS	1000000	/* clocks count ns; people and perf's scripts read ms */

struct report {
	const struct pmu	*pmu;
	const struct events	*events;
	const struct target	*target;
	const struct run	*runs;		/* the measurements that count */
	size_t			nruns;
	size_t			asked;		/* how many runs were asked for */
	const struct plan	*plan;
	const struct metrics	*metrics;
	const struct baseline	*baseline;	/* NULL: nothing to compare with */
	bool			scale;		/* counts of several event sets */
	bool			slice;		/* of one interval, thread or CPU: rates are by the clock */
	int			status;		/* pfmon's exit status */
	struct strings		notes;
};

/* What one interval, thread or CPU counted, in each form; @report is of that alone. */
struct slice {
	bool			timed;		/* of an interval that ended at @time */
	double			time;
	const struct part	*part;		/* or NULL: all together */
	bool			each;		/* lines say which thread or CPU they are of */
};

void report_text_slice(FILE *out, const struct report *report, const struct slice *slice);
void report_text_heading(FILE *out, const struct slice *slice);
void report_separated_slice(FILE *out, const struct report *report, const struct slice *slice,
			    const char *separator);
void report_json_slice(FILE *out, const struct report *report, const struct slice *slice);

/* "4711 node" or "CPU3"; of all together, "". */
char *slice_name(const struct report *report, const struct slice *slice, char *buf, size_t size);

/*
 * The slice of a run in which @part counted @tally: a report that report_*_slice() takes.
 * To be freed by run_free() of @run.
 */
struct report slice_report(const struct report *whole, struct run *run, const struct tally *tally,
			   double seconds);

void report_text(FILE *out, const struct report *report);
void report_separated(FILE *out, const struct report *report, const char *separator);
void report_json(FILE *out, const struct report *report);

/* Add the notes of all runs to the report's, each sentence once. */
void report_collect_notes(struct report *report);

/* There are event sets that take turns: no event is counted all the time. */
bool report_has_turns(const struct report *report);

/* Part of the time for which an event was counted, 0 to 1. */
double share_of_event(const struct report *report, size_t event);

/* Whether its set was active in this run at all: else nothing is known of it. */
bool is_counted(const struct report *report, size_t run, size_t event);

/* Whether its count is an estimate from a part of the time. */
bool is_scaled(const struct report *report, size_t event);

/* The count of one run as it is shown, so scaled up if need be. */
uint64_t count_of_run(const struct report *report, size_t run, size_t event);

/* Mean and spread of a figure over the runs that have it. */
struct figure {
	double	mean;
	double	percent;	/* standard error of the mean, relative; 0 for one run */
	size_t	n;		/* runs; 0: there is no figure */
};

struct figure figure_of_event(const struct report *report, size_t event);
struct figure figure_of_raw_count(const struct report *report, size_t event);

/* The standard error of a scaled count, in percent; 0: it is exact; below 0: not known. */
double uncertainty(const struct report *report, size_t event);

enum run_time { TIME_ELAPSED, TIME_USER, TIME_SYS };

struct figure figure_of_time(const struct report *report, enum run_time which);

/* Whether the command's user and system time are known. */
bool has_cpu_times(const struct report *report);

/* A figure made of others, which are scaled up if need be. */
struct derived {
	double		value;
	const char	*unit;		/* NULL: there is none; "/sec" is a rate */
};

struct derived derive(const struct report *report, size_t event);

/* The change against the count before, in percent; not finite: there is none. */
double change_of_event(const struct report *report, size_t event);

/* A metric of scaled counts; not finite when one of them is missing, or is 0 below a line. */
double value_of_metric(const struct report *report, size_t metric);

/* "12.3 M/sec" for a rate, "1.90 insn per cycle" for the rest. */
char *derived_text(const struct derived *derived, char *buf, size_t size);

#endif /* PFMON_STAT_REPORT_H */
