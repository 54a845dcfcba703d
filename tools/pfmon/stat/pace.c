// SPDX-License-Identifier: GPL-2.0
/*
 * Times of counting: each kind of event has a next time. An interval that pfmon missed, without a
 * CPU, is left out: the next one is as long as the two.
 */
#include <math.h>
#include <string.h>

#include "run/loop.h"
#include "stat/pace.h"

enum { START, INTERVAL, SAMPLE, LOOK };

/* A sample takes some turns of all sets. After each SAMPLES of them it takes twice as many. */
#define SAMPLE_ROUNDS	4
#define SAMPLES		32

/* Reading costs some microseconds for each task. */
#define MIN_SAMPLE	0.005

static void start_at(struct pace *pace, double time)
{
	int i;

	pace->started = time;
	for (i = INTERVAL; i <= SAMPLE; i++)
		if (pace->every[i] > 0)
			pace->at[i] = time + pace->every[i];
}

void pace_begin(struct pace *pace, const struct target *target, const struct plan *plan,
		unsigned int look_ms)
{
	const double time = now();

	memset(pace, 0, sizeof(*pace));
	pace->every[INTERVAL] = (double)target->interval_ms * 1e-3;
	if (plan->nsets > 1)
		pace->every[SAMPLE] = fmax(SAMPLE_ROUNDS * plan->nsets *
					   (double)plan->timeout_ns * 1e-9, MIN_SAMPLE);
	pace->every[LOOK] = look_ms * 1e-3;
	if (target->delay_ms)
		pace->at[START] = time + (double)target->delay_ms * 1e-3;
	else
		start_at(pace, time);
	if (look_ms)
		pace->at[LOOK] = time + pace->every[LOOK];
}

double pace_next(const struct pace *pace)
{
	double next = 0;
	int i;

	for (i = START; i <= LOOK; i++)
		if (pace->at[i] > 0 && (next <= 0 || pace->at[i] < next))
			next = pace->at[i];
	return next;
}

/* Returns the actions due by @time, as a mask, and sets their next times. */
static unsigned int take_due(struct pace *pace, double time)
{
	unsigned int due = 0;
	int i;

	for (i = START; i <= LOOK; i++) {
		if (pace->at[i] <= 0 || pace->at[i] > time)
			continue;
		due |= 1U << i;
		if (i == SAMPLE && ++pace->samples % SAMPLES == 0)
			pace->every[i] *= 2;
		if (pace->every[i] > 0)
			pace->at[i] += (floor((time - pace->at[i]) / pace->every[i]) + 1) *
				       pace->every[i];
		else
			pace->at[i] = 0;
	}
	return due;
}

unsigned int pace_tick(struct pace *pace, struct run *run)
{
	const unsigned int due = take_due(pace, now());
	struct problem why;

	if (due & DUE_START) {
		if (!parts_start(&run->parts, &why))
			strings_add(&run->notes, xasprintf("not all could be started: %s", why.what));
		start_at(pace, now());
	}
	if (due & (DUE_INTERVAL | DUE_SAMPLE))
		parts_read(&run->parts);
	if (due & DUE_INTERVAL && run->watch)
		run->watch->interval(run->watch->data, run, pace_elapsed(pace));
	return due;
}

double pace_elapsed(const struct pace *pace)
{
	return pace->started > 0 ? now() - pace->started : 0;
}
