/* SPDX-License-Identifier: GPL-2.0 */
/* What is shown while it is counted: the counts of each interval. */
#ifndef PFMON_STAT_LIVE_H
#define PFMON_STAT_LIVE_H

#include "stat/report.h"

struct live {
	FILE			*out;
	const struct report	*report;	/* what intervals have in common with the whole */
	const char		*separator;	/* of -x, or NULL */
	bool			json;
	const char		*openmetrics;	/* a file that is kept as well, or NULL */
	struct tally		last;		/* the sums until the interval before */
	double			time;		/* when that ended */
	bool			headed;
	struct watch		watch;		/* for a run */
};

void live_begin(struct live *live, FILE *out, const struct report *report,
		const char *separator, bool json);

/* Write that file with the counts of @report and @parts. False: it could not be written. */
bool live_keep(const struct live *live, const struct report *report, const struct parts *parts);

/* A run begins, from nothing. */
void live_restart(struct live *live);
void live_free(struct live *live);

#endif /* PFMON_STAT_LIVE_H */
