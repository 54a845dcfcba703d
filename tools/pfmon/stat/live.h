/* SPDX-License-Identifier: GPL-2.0 */
/* The output during the measurement: the counts of each interval. */
#ifndef PFMON_STAT_LIVE_H
#define PFMON_STAT_LIVE_H

#include "stat/report.h"

struct live {
	FILE			*out;
	const struct report	*report;	/* the part that intervals share with the whole */
	const char		*separator;	/* of -x, or NULL */
	bool			json;
	const char		*openmetrics;	/* a file to keep up to date, or NULL */
	struct tally		last;		/* the sums until the last interval */
	double			time;		/* its end */
	bool			headed;
	struct watch		watch;		/* for a run */
};

void live_begin(struct live *live, FILE *out, const struct report *report,
		const char *separator, bool json);

/* Write the file for OpenMetrics with the counts of @report and @parts. False: it failed. */
bool live_keep(const struct live *live, const struct report *report, const struct parts *parts);

/* A new run begins, with counts of 0. */
void live_restart(struct live *live);
void live_free(struct live *live);

#endif /* PFMON_STAT_LIVE_H */
