// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates by ratios. For each kind of task the estimate is the count of an event in the time in
 * which its set was active, times all time over that time. The error is that of the ratio
 * estimator: from the deviations of the samples from their common rate.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/estimate.h"

/* A kind with fewer samples in some set is scaled together with all such kinds. */
#define MIN_SAMPLES	4

/* Sums over samples of an event's count. */
struct moments {
	double	c, cc, ct;
};

/* Sums over samples of a set's time. */
struct span {
	double		t, tt;
	unsigned int	n;
};

struct kind {
	char		*name;
	unsigned int	next;		/* first set of the next task */
	struct moments	*event;
	struct span	*set;
};

void estimate_free(struct estimate *estimate)
{
	size_t i;

	for (i = 0; i < estimate->n; i++) {
		free(estimate->kind[i].name);
		free(estimate->kind[i].event);
		free(estimate->kind[i].set);
	}
	free(estimate->kind);
	memset(estimate, 0, sizeof(*estimate));
}

size_t estimate_kind(struct estimate *estimate, const char *name)
{
	const struct plan *plan = estimate->plan;
	struct kind *kind;
	size_t i;

	for (i = 0; i < estimate->n; i++)
		if (!strcmp(estimate->kind[i].name, name))
			return i;
	GROW(estimate->kind, estimate->n, estimate->room);
	kind = &estimate->kind[estimate->n];
	kind->name = xstrdup(name);
	kind->next = estimate->first + (unsigned int)estimate->n;
	kind->event = xcalloc((size_t)plan->npmds, sizeof(*kind->event));
	kind->set = xcalloc(plan->nsets, sizeof(*kind->set));
	return estimate->n++;
}

unsigned int estimate_first_set(struct estimate *estimate, size_t kind)
{
	return estimate->kind[kind].next++ % estimate->plan->nsets;
}

void estimate_add(struct estimate *estimate, size_t index, const uint64_t *count,
		  const struct set_time *set)
{
	const struct plan *plan = estimate->plan;
	struct kind *kind = &estimate->kind[index];
	unsigned int k;
	int i;

	for (k = 0; k < plan->nsets; k++) {
		const double t = (double)set[k].active_ns;

		kind->set[k].t += t;
		kind->set[k].tt += t * t;
		kind->set[k].n += t > 0;
	}
	for (i = 0; i < plan->npmds; i++) {
		const double c = (double)count[i];

		kind->event[i].c += c;
		kind->event[i].cc += c * c;
		kind->event[i].ct += c * (double)set[plan->pmds[i].reg_set].active_ns;
	}
}

static double time_of(const struct estimate *estimate, const struct kind *kind)
{
	double all = 0;
	unsigned int k;

	for (k = 0; k < estimate->plan->nsets; k++)
		all += kind->set[k].t;
	return all;
}

static bool stands_alone(const struct estimate *estimate, const struct kind *kind)
{
	unsigned int k;

	for (k = 0; k < estimate->plan->nsets; k++)
		if (kind->set[k].n < MIN_SAMPLES)
			return false;
	return true;
}

/* An event and its set, of one kind or of several together. */
struct sample {
	struct moments	event;
	struct span	set;
	double		all;		/* the time of all sets */
};

static void sample_add(struct sample *sample, const struct estimate *estimate,
		       const struct kind *kind, size_t event)
{
	const struct moments *m = &kind->event[event];
	const struct span *s = &kind->set[estimate->plan->pmds[event].reg_set];

	sample->event.c += m->c;
	sample->event.cc += m->cc;
	sample->event.ct += m->ct;
	sample->set.t += s->t;
	sample->set.tt += s->tt;
	sample->set.n += s->n;
	sample->all += time_of(estimate, kind);
}

/* The square of the error of an estimate by this ratio; below 0: not known. */
static double square_error(const struct sample *sample)
{
	const struct moments *m = &sample->event;
	const struct span *s = &sample->set;
	const double ratio = m->c / s->t, share = s->t / sample->all;
	double squares;

	if (share >= 1)
		return 0;
	if (s->n < 2)
		return -1;
	squares = m->cc - 2 * ratio * m->ct + ratio * ratio * s->tt;
	squares = squares > 0 ? squares * s->n / (s->n - 1) : 0;
	return (1 - share) / (share * share) * squares;
}

static void add_ratio(struct estimated *sum, const struct sample *sample)
{
	const double square = square_error(sample);

	sum->value += sample->event.c * (sample->all / sample->set.t);
	sum->error = square < 0 || sum->error < 0 ? -1 : sum->error + square;
}

struct estimated estimate_event(const struct estimate *estimate, size_t event)
{
	struct estimated sum = { 0, 0 };
	struct sample rest = { .all = 0 }, every = { .all = 0 };
	size_t i;

	for (i = 0; i < estimate->n; i++) {
		const struct kind *kind = &estimate->kind[i];
		struct sample one = { .all = 0 };

		sample_add(&every, estimate, kind, event);
		if (stands_alone(estimate, kind)) {
			sample_add(&one, estimate, kind, event);
			add_ratio(&sum, &one);
		} else {
			sample_add(&rest, estimate, kind, event);
		}
	}
	if (rest.all > 0 && rest.set.t > 0) {
		add_ratio(&sum, &rest);
	} else if (rest.all > 0 && every.set.t > 0) { /* at the rate of all kinds together */
		sum.value += every.event.c / every.set.t * rest.all;
		sum.error = -1;
	}
	if (sum.error > 0)
		sum.error = sqrt(sum.error);
	return sum;
}
