// SPDX-License-Identifier: GPL-2.0
/*
 * A recording into memory: each record changes what is known of mappings and symbols, and
 * the samples that follow are added up by event, file and address right away. So memory
 * grows with the places that were sampled, not with the samples.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include <perfmon.h>
#include <perfmon_default_smpl.h>

#include "data/load.h"
#include "data/read.h"

static const pfm_uuid_t default_format = PFM_DEFAULT_SMPL_UUID;

static bool take_texts(struct strings *list, const struct profile_record *record,
		       uint64_t n)
{
	struct profile_rest rest = profile_rest(record);
	const char *text;

	for (; n; n--) {
		text = profile_text(&rest);
		if (!text)
			return false;
		strings_add(list, xstrdup(text));
	}
	return true;
}

static bool take_start(struct profile *profile, const struct profile_record *record)
{
	const struct profile_start *start = profile_fixed(record, sizeof(*start));

	if (start)
		profile->started = start->realtime_ns;
	return start != NULL;
}

static bool take_command(struct profile *profile, const struct profile_record *record)
{
	const struct profile_command *command = profile_fixed(record, sizeof(*command));

	return command && take_texts(&profile->command, record, command->argc);
}

static bool take_format(struct profile *profile, const struct profile_record *record)
{
	const struct profile_sample_format *format = profile_fixed(record, sizeof(*format));

	if (!format)
		return false;
	profile->known_format = !memcmp(format->uuid, default_format, sizeof(default_format)) &&
				format->version >> 16 == PFM_DEFAULT_SMPL_VERSION_MAJ &&
				!format->flags;
	return true;
}

static bool take_event(struct profile *profile, const struct profile_record *record)
{
	const struct profile_event *from = profile_fixed(record, sizeof(*from));
	struct profile_rest rest = profile_rest(record);
	const char *name = profile_text(&rest);
	const char *full = name ? profile_text(&rest) : NULL;
	struct sampled_event *event;

	if (!from || !full || from->nbodies > PROFILE_MAX_WORDS)
		return false;
	GROW(profile->event, profile->nevents, profile->event_room);
	event = &profile->event[profile->nevents++];
	memset(event, 0, sizeof(*event));
	event->name = xstrdup(name);
	event->full = xstrdup(full);
	event->pmd = from->pmd;
	event->set = from->set;
	event->levels = from->levels;
	event->period = from->period;
	event->random_mask = from->random_mask;
	event->nbodies = from->nbodies;
	return true;
}

static bool take_context(struct profile *profile, const struct profile_record *record)
{
	const struct profile_context *from = profile_fixed(record, sizeof(*from));
	struct sampled_context *context;

	if (!from || profile_find_context(profile, from->id))
		return false;
	GROW(profile->context, profile->ncontexts, profile->context_room);
	context = &profile->context[profile->ncontexts++];
	memset(context, 0, sizeof(*context));
	context->id = from->id;
	context->thread = from->kind == PROFILE_THREAD;
	context->pid = from->pid;
	return true;
}

static bool take_map(struct profile *profile, const struct profile_record *record)
{
	const struct profile_map *map = profile_fixed(record, sizeof(*map));
	struct profile_rest rest = profile_rest(record);
	const char *name = profile_text(&rest);
	struct build_id id = { .size = 0 };
	struct range range;

	if (!map || !name || map->id_size > sizeof(id.id) || map->start >= map->end)
		return false;
	id.size = map->id_size;
	memcpy(id.id, map->id, id.size);
	range.start = map->start;
	range.end = map->end;
	range.offset = map->offset;
	range.what = profile_find_object(profile, name, &id);
	ranges_set(&profile_find_process(profile, map->pid)->maps, &range);
	return true;
}

static bool take_unmap(struct profile *profile, const struct profile_record *record)
{
	const struct profile_unmap *unmap = profile_fixed(record, sizeof(*unmap));

	if (!unmap || unmap->start >= unmap->end)
		return false;
	ranges_clear(&profile_find_process(profile, unmap->pid)->maps, unmap->start, unmap->end);
	return true;
}

static bool take_exec(struct profile *profile, const struct profile_record *record)
{
	const struct profile_exec *exec = profile_fixed(record, sizeof(*exec));

	if (exec)
		ranges_free(&profile_find_process(profile, exec->pid)->maps);
	return exec != NULL;
}

static bool take_ksymbol(struct profile *profile, const struct profile_record *record)
{
	const struct profile_ksymbol *symbol = profile_fixed(record, sizeof(*symbol));
	struct profile_rest rest = profile_rest(record);
	const char *name = profile_text(&rest);
	const char *module = name ? profile_text(&rest) : NULL;
	struct range range = { .offset = 0 };

	if (!symbol || !module || symbol->start >= symbol->end)
		return false;
	GROW(profile->kernel_name, profile->nkernel_names, profile->kernel_name_room);
	range.start = symbol->start;
	range.end = symbol->end;
	range.what = profile->nkernel_names;
	profile->kernel_name[profile->nkernel_names].name = xstrdup(name);
	profile->kernel_name[profile->nkernel_names++].module = xstrdup(module);
	ranges_set(&profile->kernel, &range);
	return true;
}

/* The sample's place, and the event that it is of. */
static bool take_sample(struct profile *profile, const struct sampled_context *context,
			const pfm_default_smpl_entry_t *sample, uint32_t *nbodies)
{
	const struct range *range;
	const struct process *process;
	struct sampled_event *event;
	size_t i;

	for (i = 0; i < profile->nevents; i++)
		if (profile->event[i].pmd == sample->ovfl_pmd &&
		    profile->event[i].set == sample->set)
			break;
	if (i == profile->nevents)
		return false;
	event = &profile->event[i];
	event->samples++;
	event->occurrences += -sample->last_reset_val;
	*nbodies = event->nbodies;
	if (is_kernel_address(sample->ip)) {
		hits_add(&profile->hits, i, OBJECT_KERNEL, sample->ip);
		return true;
	}
	/* In a namespace, the kernel and pfmon may have different names for a process. */
	process = profile_find_process(profile, context->thread ? context->pid : sample->pid);
	range = ranges_find(&process->maps, sample->ip);
	if (range)
		hits_add(&profile->hits, i, range->what, sample->ip - range->start + range->offset);
	else
		hits_add(&profile->hits, i, OBJECT_UNKNOWN, sample->ip);
	return true;
}

static bool take_samples(struct profile *profile, const struct profile_record *record)
{
	const struct profile_samples *samples = profile_fixed(record, sizeof(*samples));
	struct profile_rest rest = profile_rest(record);
	const struct sampled_context *context;
	pfm_default_smpl_entry_t sample;
	uint32_t nbodies;
	uint64_t i;
	size_t size;

	context = samples ? profile_find_context(profile, samples->context) : NULL;
	if (!context)
		return false;
	for (i = 0; i < samples->count; i++) {
		if (rest.left < sizeof(sample))
			return false;
		memcpy(&sample, rest.at, sizeof(sample));
		if (!take_sample(profile, context, &sample, &nbodies))
			return false;
		size = sizeof(sample) + nbodies * sizeof(uint64_t);
		if (rest.left < size)
			return false;
		rest.at += size;
		rest.left -= size;
	}
	return !rest.left;
}

static bool take_lost(struct profile *profile, const struct profile_record *record)
{
	const struct profile_lost *lost = profile_fixed(record, sizeof(*lost));
	struct sampled_context *context = lost ? profile_find_context(profile, lost->context) : NULL;

	if (!context)
		return false;
	context->ledger = (struct ledger){
		.overflows = lost->overflows, .recorded = lost->recorded, .full = lost->full,
		.error = lost->error, .throttled = lost->throttled, .messages = lost->messages,
	};
	profile->has_ledger = true;
	return true;
}

static bool take_end(struct profile *profile, const struct profile_record *record)
{
	const struct profile_end *end = profile_fixed(record, sizeof(*end));
	uint64_t samples = 0;
	size_t i;

	if (!end)
		return false;
	for (i = 0; i < profile->nevents; i++)
		samples += profile->event[i].samples;
	profile->duration = end->duration_ns;
	profile->status = end->status;
	profile->interrupted = end->flags & PROFILE_INTERRUPTED;
	profile->finished = true;
	return samples == end->samples;
}

/* False: the record is damaged. */
static bool take_record(struct profile *profile, const struct profile_record *record)
{
	switch (record->type) {
	case PROFILE_HOST:
		return take_texts(&profile->host, record, 5);
	case PROFILE_COMMAND:
		return take_command(profile, record);
	case PROFILE_START:
		return take_start(profile, record);
	case PROFILE_FORMAT:
		return take_format(profile, record);
	case PROFILE_EVENT:
		return take_event(profile, record);
	case PROFILE_CONTEXT:
		return take_context(profile, record);
	case PROFILE_MAP:
		return take_map(profile, record);
	case PROFILE_UNMAP:
		return take_unmap(profile, record);
	case PROFILE_EXEC:
		return take_exec(profile, record);
	case PROFILE_KSYMBOL:
		return take_ksymbol(profile, record);
	case PROFILE_SAMPLES:
		return take_samples(profile, record);
	case PROFILE_LOST:
		return take_lost(profile, record);
	case PROFILE_NOTE:
		return take_texts(&profile->notes, record, 1);
	case PROFILE_END:
		return take_end(profile, record);
	default:
		return true; /* of a later version */
	}
}

static bool take_all(struct profile *profile, struct profile_reader *reader,
		     struct problem *why)
{
	const struct profile_record *record;
	enum profile_found found;

	while ((found = profile_next(reader, &record, why)) == FOUND_RECORD) {
		if (profile->finished)
			return profile_damaged(reader, record, why);
		if (record->type == PROFILE_SAMPLES && !profile->known_format)
			return problem(why, "%s: its samples are in a format that this pfmon does not know",
				       reader->name);
		if (!take_record(profile, record))
			return profile_damaged(reader, record, why);
	}
	if (found == FOUND_DAMAGE)
		return false;
	if (!profile->finished || found == FOUND_CUT)
		strings_add(&profile->notes,
			    xasprintf("the recording was not finished, or %s is cut off: samples are missing",
				      reader->name));
	return true;
}

bool profile_load(struct profile *profile, const char *name, struct problem *why)
{
	static const struct build_id none = { .size = 0 };
	struct profile_reader reader;
	bool ok;

	memset(profile, 0, sizeof(*profile));
	if (!profile_open(&reader, name, why))
		return false;
	profile_find_object(profile, "[unknown]", &none);
	profile_find_object(profile, "[kernel]", &none);
	ok = take_all(profile, &reader, why);
	profile_done(&reader);
	if (!ok)
		profile_free(profile);
	return ok;
}
