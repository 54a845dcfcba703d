// SPDX-License-Identifier: GPL-2.0
/* All samples of a recording, in the order of time over all contexts. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "data/load.h"
#include "places/ordered.h"

static void take(void *data, const struct profile *profile, const struct sample *sample)
{
	const uint32_t n = profile->event[sample->event].nbodies;
	struct ordered *ordered = data;
	size_t i;

	for (i = 0; i < n; i++) {
		GROW(ordered->value, ordered->nvalues, ordered->value_room);
		ordered->value[ordered->nvalues++] = sample->values[i];
	}
	for (i = 0; i < sample->nbranches; i++) {
		GROW(ordered->branch, ordered->nbranches, ordered->branch_room);
		ordered->branch[ordered->nbranches++] = sample->branch[i];
	}
	for (i = 0; i < sample->chain.kernel + sample->chain.user; i++) {
		GROW(ordered->address, ordered->naddresses, ordered->address_room);
		ordered->address[ordered->naddresses++] = sample->chain.address[i];
	}
	GROW(ordered->sample, ordered->n, ordered->room);
	ordered->sample[ordered->n] = *sample;
	/* The arrays may still move. */
	ordered->sample[ordered->n].branch = NULL;
	ordered->sample[ordered->n].chain.address = NULL;
	ordered->sample[ordered->n++].values = NULL;
}

static void point_to_values(struct ordered *ordered)
{
	const struct branch *branch = ordered->branch;
	const uint64_t *value = ordered->value, *address = ordered->address;
	struct chain *chain;
	size_t i;

	for (i = 0; i < ordered->n; i++) {
		ordered->sample[i].branch = branch;
		if (ordered->sample[i].nbranches)
			branch += ordered->sample[i].nbranches;
		chain = &ordered->sample[i].chain;
		chain->address = address;
		if (chain->kernel + chain->user)
			address += chain->kernel + chain->user;
		ordered->sample[i].values = value;
		value += ordered->profile.event[ordered->sample[i].event].nbodies;
	}
}

static bool in_order(const struct sample *a, const struct sample *b)
{
	return a->time <= b->time;
}

/* Merge sort, as it is stable: samples of the same time stay as they were. */
static void sort(struct sample *sample, size_t n, struct sample *scratch)
{
	const size_t half = n / 2;
	size_t left = 0, right = half, i;

	if (n < 2)
		return;
	sort(sample, half, scratch);
	sort(sample + half, n - half, scratch);
	if (in_order(&sample[half - 1], &sample[half]))
		return;
	memcpy(scratch, sample, n * sizeof(*sample));
	for (i = 0; i < n; i++) {
		if (right == n || (left < half && in_order(&scratch[left], &scratch[right])))
			sample[i] = scratch[left++];
		else
			sample[i] = scratch[right++];
	}
}

bool ordered_load(struct ordered *ordered, const char *file, struct problem *why)
{
	const struct load_options load = { .visit = take, .data = ordered };
	struct sample *scratch;

	memset(ordered, 0, sizeof(*ordered));
	if (!profile_load(&ordered->profile, file, &load, why)) {
		free(ordered->sample);
		free(ordered->value);
		free(ordered->branch);
		free(ordered->address);
		return false;
	}
	point_to_values(ordered);
	scratch = xcalloc(ordered->n, sizeof(*scratch));
	sort(ordered->sample, ordered->n, scratch);
	free(scratch);
	return true;
}

static bool is_event(const struct sampled_event *event, size_t number, const char *name)
{
	uint64_t wanted;

	return !strcmp(event->name, name) || !strcmp(event->full, name) ||
	       (parse_u64(name, &wanted) && wanted == number);
}

bool ordered_find_event(const struct ordered *ordered, const char *name, size_t *event,
			struct problem *why)
{
	const struct profile *profile = &ordered->profile;
	char names[512] = "";
	size_t i;

	for (i = 0; i < profile->nevents; i++) {
		*event = i;
		if (is_event(&profile->event[i], i + 1, name))
			return true;
		append(names, sizeof(names), "%s%s", i ? ", " : "", profile->event[i].name);
	}
	problem(why, "the recording has no event '%s'", name);
	return problem_hint(why, "Its events are: %s.", names);
}

void ordered_select(struct ordered *ordered, size_t event)
{
	size_t kept = 0, i;

	for (i = 0; i < ordered->n; i++)
		if (ordered->sample[i].event == event)
			ordered->sample[kept++] = ordered->sample[i];
	ordered->n = kept;
}

void ordered_free(struct ordered *ordered)
{
	profile_free(&ordered->profile);
	free(ordered->sample);
	free(ordered->value);
	free(ordered->branch);
	free(ordered->address);
	memset(ordered, 0, sizeof(*ordered));
}
