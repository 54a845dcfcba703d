// SPDX-License-Identifier: GPL-2.0
/* The filters that a sample itself decides. */
#include <inttypes.h>
#include <stdio.h>

#include "report/chosen.h"

static bool number_fits(const struct filter *filter, enum key key, uint64_t number)
{
	char text[24];

	if (!filter_has(filter, key))
		return true;
	snprintf(text, sizeof(text), "%" PRIu64, number);
	return filter_fits(filter, key, text);
}

static bool comm_fits(const struct filter *filter, const struct sample *sample)
{
	char number[TASK_NUMBER];

	return !filter_has(filter, KEY_COMM) ||
	       filter_fits(filter, KEY_COMM, task_name(number, sample->comm, sample->tid));
}

bool sample_is_chosen(const struct filter *filter, const struct profile *profile,
		      const struct sample *sample)
{
	return number_fits(filter, KEY_PID, (uint64_t)sample->pid) &&
	       number_fits(filter, KEY_TID, (uint64_t)sample->tid) &&
	       number_fits(filter, KEY_CPU, sample->cpu) && comm_fits(filter, sample) &&
	       (!filter_has(filter, KEY_EVENT) ||
		filter_fits(filter, KEY_EVENT, profile->event[sample->event].name));
}
