// SPDX-License-Identifier: GPL-2.0
/* The place of an address in a process at a time. */
#include "data/locate.h"

/*
 * Code that the process made at run time. Some of it has a time; code without one, or from a
 * moment before its time, because runtimes report code when it is ready, is found at any time.
 */
static const struct range *find_made(struct profile *profile, const struct sample *sample)
{
	const struct range *range = NULL;

	if (profile->jit_timed)
		range = processes_find(&profile->jit, sample->pid, sample->ip, sample->time);
	if (range)
		return range->what == JIT_ENDED ? NULL : range;
	return ranges_find(&processes_get(&profile->processes, sample->pid)->symbols, sample->ip);
}

/* Such code, or a mapping, or nothing known. */
void locate_sample(struct profile *profile, struct sample *sample)
{
	const struct range *range;

	sample->object = OBJECT_KERNEL;
	sample->address = sample->ip;
	if (is_kernel_address(sample->ip))
		return;
	range = find_made(profile, sample);
	if (range) {
		sample->object = OBJECT_JIT;
		sample->address = range->what;
		return;
	}
	range = processes_find(&profile->processes, sample->pid, sample->ip, sample->time);
	sample->object = range ? range->what : OBJECT_UNKNOWN;
	if (range)
		sample->address = sample->ip - range->start + range->offset;
}

void locate_address(struct profile *profile, struct sample *sample, uint64_t address)
{
	sample->ip = address;
	locate_sample(profile, sample);
}
