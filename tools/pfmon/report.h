/* SPDX-License-Identifier: GPL-2.0 */
/* The outcome of `pfmon stat`, in three forms. */
#ifndef PFMON_REPORT_H
#define PFMON_REPORT_H

#include <stdio.h>

#include "run.h"

struct report {
	const struct pmu	*pmu;
	const struct events	*events;
	const struct target	*target;
	const struct run	*runs;		/* those that count */
	size_t			nruns;
	size_t			asked;		/* how many runs were asked for */
	int			status;		/* pfmon's exit status */
	struct strings		notes;
};

void report_text(FILE *out, const struct report *report);
void report_separated(FILE *out, const struct report *report, const char *separator);
void report_json(FILE *out, const struct report *report);

/* Add the notes of all runs to the report's, each sentence once. */
void report_collect_notes(struct report *report);

/* Mean and spread of a figure over the runs. */
struct figure {
	double	mean;
	double	percent;	/* standard error of the mean, relative; 0 for one run */
};

struct figure figure_of_event(const struct report *report, size_t event);

enum run_time { TIME_ELAPSED, TIME_USER, TIME_SYS };

struct figure figure_of_time(const struct report *report, enum run_time which);

/* Whether the command's user and system time are known. */
bool has_cpu_times(const struct report *report);

/* A figure made of others. */
struct derived {
	double		value;
	const char	*unit;		/* NULL: there is none; "/sec" is a rate */
};

struct derived derive(const struct report *report, size_t event);

/* "1,234,567" */
char *with_thousands(uint64_t value, char *buf, size_t size);

/* "12.3 M/sec" for a rate, "1.90 insn per cycle" for the rest. */
char *derived_text(const struct derived *derived, char *buf, size_t size);

#endif /* PFMON_REPORT_H */
