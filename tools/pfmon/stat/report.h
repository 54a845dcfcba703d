/* SPDX-License-Identifier: GPL-2.0 */
/* The outcome of `pfmon stat`: text, separated fields, JSON. report_classic.h has a fourth form. */
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
	size_t			asked;		/* the requested number of runs */
	const struct plan	*plan;
	const struct metrics	*metrics;
	const struct baseline	*baseline;	/* NULL: nothing to compare with */
	bool			scale;		/* counts of several event sets */
	bool			slice;		/* of a struct slice: rates are by the clock */
	int			status;		/* pfmon's exit status */
	struct strings		notes;
};

/* The counts of one interval, thread or CPU, in each form; @report has these alone. */
struct slice {
	bool			timed;		/* of an interval that ended at @time */
	double			time;
	const struct part	*part;		/* or NULL: all together */
	bool			each;		/* lines name their thread or CPU */
};

void report_text_slice(FILE *out, const struct report *report, const struct slice *slice);
void report_text_heading(FILE *out, const struct slice *slice);
void report_separated_slice(FILE *out, const struct report *report, const struct slice *slice,
			    const char *separator);
void report_json_slice(FILE *out, const struct report *report, const struct slice *slice);

/* "4711 node" or "CPU3"; "" for all together. */
char *slice_name(const struct report *report, const struct slice *slice, char *buf, size_t size);

/*
 * The slice of a run in which @part counted @tally: a report for report_*_slice(). The caller frees
 * it by run_free() of @run.
 */
struct report slice_report(const struct report *whole, struct run *run, const struct tally *tally,
			   double seconds);

/* Call for each thread or CPU of the first run, with a report that has its counts alone. */
void report_each_part(const struct report *report, void *data,
		      void (*print)(void *data, const struct report *one, const struct slice *slice));

void report_text(FILE *out, const struct report *report);
void report_separated(FILE *out, const struct report *report, const char *separator);
void report_json(FILE *out, const struct report *report);

/* Add the notes of all runs to the report's, each sentence once. */
void report_collect_notes(struct report *report);

/* There are event sets that take turns: no event is counted all the time. */
bool report_has_turns(const struct report *report);

/* Part of the time for which an event was counted, 0 to 1. */
double share_of_event(const struct report *report, size_t event);

/* True if its set was active in this run: else its count is unknown. */
bool is_counted(const struct report *report, size_t run, size_t event);

/* True if its count is an estimate from a part of the time. */
bool is_scaled(const struct report *report, size_t event);

/* The count of one run as shown: scaled up if necessary. */
uint64_t count_of_run(const struct report *report, size_t run, size_t event);

/* Mean and spread of a figure over the runs that have it. */
struct figure {
	double	mean;
	double	percent;	/* standard error of the mean, relative; 0 for one run */
	size_t	n;		/* runs; 0: there is no figure */
};

struct figure figure_of_event(const struct report *report, size_t event);
struct figure figure_of_raw_count(const struct report *report, size_t event);

/* The standard error of a scaled count, in percent; 0: it is exact; below 0: unknown. */
double uncertainty(const struct report *report, size_t event);

enum run_time { TIME_ELAPSED, TIME_USER, TIME_SYS };

struct figure figure_of_time(const struct report *report, enum run_time which);

/* True if the command's user and system time are known. */
bool has_cpu_times(const struct report *report);

/* A figure computed from others, which are scaled up if necessary. */
struct derived {
	double		value;
	const char	*unit;		/* NULL: there is none; "/sec" is a rate */
};

struct derived derive(const struct report *report, size_t event);

/* The change against the count before, in percent; not finite: there is none. */
double change_of_event(const struct report *report, size_t event);

/* A metric of scaled counts; not finite if a count is missing, or a divisor is 0. */
double value_of_metric(const struct report *report, size_t metric);

/* "12.3 M/sec" for a rate, "1.90 insn per cycle" for the rest. */
char *derived_text(const struct derived *derived, char *buf, size_t size);

#endif /* PFMON_STAT_REPORT_H */
