// SPDX-License-Identifier: GPL-2.0
/*
 * Intervals are differences of counts that run on: so they add up to the sums exactly, however
 * late an interval is shown.
 */
#include <errno.h>
#include <string.h>

#include "stat/live.h"
#include "stat/openmetrics.h"

/* Returns the difference, allocated; *@last becomes @now. */
static struct tally difference(const struct plan *plan, const struct tally *now,
			       struct tally *last)
{
	struct tally fresh = tally_new(plan);
	unsigned int k;
	int i;

	if (!last->count)
		*last = tally_new(plan);
	for (i = 0; i < plan->npmds; i++)
		fresh.count[i] = now->count[i] - last->count[i];
	for (k = 0; k < plan->nsets; k++) {
		fresh.set[k].active_ns = now->set[k].active_ns - last->set[k].active_ns;
		fresh.set[k].turns = now->set[k].turns - last->set[k].turns;
	}
	tally_copy(last, now, plan);
	return fresh;
}

static bool is_empty(const struct plan *plan, const struct tally *tally)
{
	int i;

	for (i = 0; i < plan->npmds; i++)
		if (tally->count[i])
			return false;
	return true;
}

static void show(struct live *live, const struct tally *fresh, const struct slice *slice,
		 double seconds)
{
	struct run run;
	const struct report report = slice_report(live->report, &run, fresh, seconds);

	if (live->json)
		report_json_slice(live->out, &report, slice);
	else if (live->separator)
		report_separated_slice(live->out, &report, slice, live->separator);
	else
		report_text_slice(live->out, &report, slice);
	run_free(&run);
}

/* Show each thread or CPU, except ended ones without new counts. */
static void show_parts(struct live *live, struct parts *parts, struct slice *slice,
		       double seconds)
{
	struct tally fresh;
	size_t i;

	for (i = 0; i < parts->n; i++) {
		struct part *part = parts->part[i];

		fresh = difference(parts->plan, &part->last, &part->shown);
		slice->part = part;
		if (part->fd >= 0 || !is_empty(parts->plan, &fresh))
			show(live, &fresh, slice, seconds);
		tally_free(&fresh);
	}
}

bool live_keep(const struct live *live, const struct report *report, const struct parts *parts)
{
	if (!live->openmetrics || openmetrics_write(live->openmetrics, report, parts))
		return true;
	complain("cannot write %s: %s", live->openmetrics, strerror(errno));
	return false;
}

/* The counts until now, for a collector. */
static void keep(struct live *live, const struct parts *parts, double time)
{
	struct run run;
	const struct report report = slice_report(live->report, &run, &parts->sum, time);

	live_keep(live, &report, parts);
	run_free(&run);
}

static void show_interval(void *data, struct run *run, double time)
{
	struct live *live = data;
	struct slice slice = { .timed = true, .time = time, .each = live->report->target->each };
	const double seconds = time - live->time;
	struct tally fresh;

	if (!live->headed && !live->json && !live->separator)
		report_text_heading(live->out, &slice);
	live->headed = true;
	if (slice.each) {
		show_parts(live, &run->parts, &slice, seconds);
	} else {
		fresh = difference(run->parts.plan, &run->parts.sum, &live->last);
		show(live, &fresh, &slice, seconds);
		tally_free(&fresh);
	}
	live->time = time;
	if (live->openmetrics)
		keep(live, &run->parts, time);
	fflush(live->out);
}

void live_begin(struct live *live, FILE *out, const struct report *report,
		const char *separator, bool json)
{
	memset(live, 0, sizeof(*live));
	live->out = out;
	live->report = report;
	live->separator = separator;
	live->json = json;
	live->watch.interval = show_interval;
	live->watch.data = live;
}

void live_restart(struct live *live)
{
	tally_free(&live->last);
	live->time = 0;
}

void live_free(struct live *live)
{
	tally_free(&live->last);
}
