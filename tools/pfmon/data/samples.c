// SPDX-License-Identifier: GPL-2.0
/* The samples of a recording, each with its place at its time. */
#define _GNU_SOURCE
#include <string.h>

#include <perfmon.h>
#include <perfmon_default_smpl.h>

#include "data/format.h"
#include "data/frames.h"
#include "data/locate.h"
#include "data/read.h"
#include "data/samples.h"

static bool find_event(const struct profile *profile, const pfm_default_smpl_entry_t *entry,
		       size_t *event)
{
	size_t i;

	for (i = 0; i < profile->nevents; i++) {
		*event = i;
		if (profile->event[i].pmd == entry->ovfl_pmd && profile->event[i].set == entry->set)
			return true;
	}
	return false;
}

/* The thread with its name at that time; most likely the thread of the sample before. */
static size_t find_task(struct profile *profile, const struct sample *sample)
{
	struct thread *thread = processes_get_thread(&profile->processes, sample->tid);

	if (!thread->task_name || thread->task_name != sample->comm || thread->pid != sample->pid)
		thread->task = profile_find_task(profile, sample->pid, sample->tid, sample->comm);
	thread->pid = sample->pid;
	thread->task_name = sample->comm;
	return thread->task;
}

static uint32_t find_path(struct profile *profile, const struct sample *sample)
{
	struct frames frames = { .n = 0 };
	struct path path = { .parent = 0 };
	size_t i;

	frames_of(&frames, profile, sample);
	for (i = frames.n - 1; i; i--) {
		path.object = (uint32_t)frames.frame[i].object;
		path.address = frames.frame[i].address;
		path.parent = paths_find(&profile->paths, &path);
	}
	frames_free(&frames);
	return path.parent;
}

static void hand_on(struct profile *profile, const struct sample *sample,
		    const struct load_options *options)
{
	struct sampled_event *event = &profile->event[sample->event];
	struct hit hit = { .event = (uint32_t)sample->event,
			   .object = (uint32_t)sample->object, .address = sample->address };

	event->samples += sample->count;
	event->occurrences += sample->period;
	if (sample->time < options->from || (options->to && sample->time > options->to))
		return;
	if (options->tasks)
		hit.task = (uint32_t)find_task(profile, sample);
	if (options->cpus)
		hit.cpu = sample->cpu;
	if (options->paths)
		hit.path = find_path(profile, sample);
	if (options->hits)
		hits_add(&profile->hits, &hit, sample->count);
	if (options->visit)
		options->visit(options->data, profile, sample);
}

/* Returns the size of the sample at @from, or 0: it is none. */
static size_t take_sample(struct profile *profile, const struct sampled_context *context,
			  const struct profile_rest *from, const struct load_options *options)
{
	uint64_t values[PROFILE_MAX_WORDS];
	pfm_default_smpl_entry_t entry;
	struct sample sample;
	size_t size;

	if (from->left < sizeof(entry))
		return 0;
	memcpy(&entry, from->at, sizeof(entry));
	if (!find_event(profile, &entry, &sample.event))
		return 0;
	size = profile->event[sample.event].nbodies * sizeof(*values);
	if (from->left - sizeof(entry) < size)
		return 0;
	memcpy(values, from->at + sizeof(entry), size);
	/* In a namespace, the kernel and pfmon may have different names for a process. */
	sample.pid = context->thread ? context->pid : entry.pid;
	sample.tid = context->thread ? context->tid : entry.tid;
	sample.cpu = entry.cpu;
	sample.time = entry.tstamp;
	sample.period = -entry.last_reset_val;
	sample.ip = entry.ip;
	sample.values = values;
	sample.comm = options->tasks || options->visit ?
			      processes_name(&profile->processes, sample.tid, sample.time) : "";
	if (!beside_branches(&profile->branches, &profile->branch_details, &sample.branch,
			     &sample.nbranches) ||
	    !beside_chain(&profile->chains, &sample.chain) ||
	    !beside_count(&profile->counts, &sample.count, &sample.period))
		return 0;
	locate_sample(profile, &sample);
	hand_on(profile, &sample, options);
	return sizeof(entry) + size;
}

bool samples_take(struct profile *profile, const struct profile_record *record,
		  const struct load_options *options)
{
	const struct profile_samples *samples = profile_fixed(record, sizeof(*samples));
	struct profile_rest rest = profile_rest(record);
	const struct sampled_context *context;
	uint64_t i;
	size_t size;

	context = samples ? profile_find_context(profile, samples->context) : NULL;
	if (!context || !beside_match(&profile->branches, samples->context, samples->count) ||
	    !beside_match(&profile->branch_details, samples->context, samples->count) ||
	    !beside_match(&profile->chains, samples->context, samples->count) ||
	    !beside_match(&profile->counts, samples->context, samples->count))
		return false;
	for (i = 0; i < samples->count; i++) {
		size = take_sample(profile, context, &rest, options);
		if (!size)
			return false;
		rest.at += size;
		rest.left -= size;
	}
	beside_done(&profile->branches);
	beside_done(&profile->branch_details);
	beside_done(&profile->chains);
	beside_done(&profile->counts);
	return !rest.left;
}
