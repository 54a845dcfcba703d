// SPDX-License-Identifier: GPL-2.0
/*
 * A recording into memory, in two passes: first the data of processes, mappings and
 * symbols, which a file has in any order; then the samples, which are handed on one by one
 * (samples.c), so that memory grows with the sampled places, not with the samples.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon.h>
#include <perfmon_default_smpl.h>

#include "data/load.h"
#include "data/origin.h"
#include "data/read.h"
#include "data/samples.h"

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
				!(format->flags & ~PROFILE_HAS_COUNTS);
	profile->has_counts = format->flags & PROFILE_HAS_COUNTS;
	return true;
}

static bool take_event(struct profile *profile, const struct profile_record *record)
{
	const size_t needed = offsetof(struct profile_event, nregisters);
	const struct profile_event *from = profile_fixed(record, needed);
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
	event->hz = from->hz;
	event->nbodies = from->nbodies;
	if (record->fixed >= sizeof(*from) && from->nregisters <= from->nbodies)
		event->nregisters = from->nregisters;
	while (event->bodies.n < event->nbodies && (name = profile_text(&rest)))
		strings_add(&event->bodies, xstrdup(name));
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
	context->tid = from->tid;
	return true;
}

static void note(struct profile *profile, pid_t pid, const struct change *change)
{
	process_note(processes_get(&profile->processes, pid), change);
}

static bool take_id(const struct profile *profile, const struct profile_map *map,
		    struct build_id *id)
{
	static const enum id_kind kinds[] = {
		[PROFILE_ID_LINKED] = ID_LINKED,
		[PROFILE_ID_FILE] = ID_FILE,
		[PROFILE_ID_UNKNOWN] = ID_UNKNOWN,
	};

	memset(id, 0, sizeof(*id));
	if (map->id_kind >= COUNT(kinds) || map->id_size > sizeof(id->id))
		return false;
	id->kind = kinds[map->id_kind];
	id->size = map->id_size;
	memcpy(id->id, map->id, id->size);
	if (id->kind == ID_LINKED && !id->size)
		*id = build_id_before(profile->started);
	return true;
}

static bool take_map(struct profile *profile, const struct profile_record *record)
{
	const struct profile_map *map = profile_fixed(record, sizeof(*map));
	struct profile_rest rest = profile_rest(record);
	const char *name = profile_text(&rest);
	struct change change = { .kind = CHANGE_MAP };
	struct build_id id;

	if (!map || !name || map->start >= map->end || !take_id(profile, map, &id))
		return false;
	change.time = map->time;
	change.range.start = map->start;
	change.range.end = map->end;
	change.range.offset = map->offset;
	change.range.what = profile_find_object(profile, name, &id);
	origin_add_mapping(&id, map->pid, map->start, map->end);
	note(profile, map->pid, &change);
	return true;
}

/* An image without an identity will not be looked for. */
static bool take_image(struct profile *profile, const struct profile_record *record)
{
	const struct profile_image *image = profile_fixed(record, sizeof(*image));
	const struct profile_rest rest = profile_rest(record);

	(void)profile;
	if (!image || image->size > rest.left)
		return false;
	origin_add_image(rest.at, image->size);
	return true;
}

static bool take_unmap(struct profile *profile, const struct profile_record *record)
{
	const struct profile_unmap *unmap = profile_fixed(record, sizeof(*unmap));
	struct change change = { .kind = CHANGE_UNMAP };

	if (!unmap || unmap->start >= unmap->end)
		return false;
	change.time = unmap->time;
	change.range.start = unmap->start;
	change.range.end = unmap->end;
	note(profile, unmap->pid, &change);
	return true;
}

static bool take_exec(struct profile *profile, const struct profile_record *record)
{
	const struct profile_exec *exec = profile_fixed(record, sizeof(*exec));
	struct change change = { .kind = CHANGE_EXEC };

	if (!exec)
		return false;
	change.time = exec->time;
	note(profile, exec->pid, &change);
	process_note(processes_get(&profile->jit, exec->pid), &change);
	return true;
}

static bool take_comm(struct profile *profile, const struct profile_record *record)
{
	const struct profile_comm *comm = profile_fixed(record, sizeof(*comm));
	struct profile_rest rest = profile_rest(record);
	const char *name = profile_text(&rest);
	struct thread *thread;

	if (!comm || !name)
		return false;
	thread = processes_get_thread(&profile->processes, comm->tid);
	thread->pid = comm->pid;
	thread_note(thread, comm->time, name, 0);
	return true;
}

static bool take_fork(struct profile *profile, const struct profile_record *record)
{
	const struct profile_fork *fork = profile_fixed(record, sizeof(*fork));
	struct change change = { .kind = CHANGE_FORK };
	struct thread *thread;

	if (!fork)
		return false;
	thread = processes_get_thread(&profile->processes, fork->tid);
	thread->pid = fork->pid;
	thread_note(thread, fork->time, NULL, fork->parent_tid);
	if (fork->pid == fork->parent_pid)
		return true;
	change.time = fork->time;
	change.parent = fork->parent_pid;
	note(profile, fork->pid, &change);
	process_note(processes_get(&profile->jit, fork->pid), &change);
	return true;
}

/* Without a time, a later symbol replaces an earlier one. */
static bool take_symbol(struct profile *profile, const struct profile_record *record)
{
	const struct profile_symbol *symbol = profile_fixed(record, sizeof(*symbol));
	struct profile_rest rest = profile_rest(record);
	const char *name = profile_text(&rest);
	struct range range = { .what = profile->jit_names.n };
	struct change change = { .kind = CHANGE_MAP };

	if (!symbol || !name || symbol->start >= symbol->end)
		return false;
	range.start = symbol->start;
	range.end = symbol->end;
	strings_add(&profile->jit_names, xstrdup(name));
	ranges_set(&processes_get(&profile->processes, symbol->pid)->symbols, &range);
	change.time = symbol->time;
	change.range = range;
	if (symbol->time)
		process_note(processes_get(&profile->jit, symbol->pid), &change);
	profile->jit_timed |= symbol->time;
	return true;
}

static bool take_symbol_end(struct profile *profile, const struct profile_record *record)
{
	const struct profile_symbol_end *symbol = profile_fixed(record, sizeof(*symbol));
	struct change change = { .kind = CHANGE_MAP, .range = { .what = JIT_ENDED } };

	if (!symbol || symbol->start >= symbol->end)
		return false;
	change.time = symbol->time;
	change.range.start = symbol->start;
	change.range.end = symbol->end;
	process_note(processes_get(&profile->jit, symbol->pid), &change);
	profile->jit_timed = true;
	return true;
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

static bool take_lost(struct profile *profile, const struct profile_record *record)
{
	const struct profile_lost *from = profile_fixed(record, offsetof(struct profile_lost, late));
	struct profile_lost lost = { .late = 0 };
	struct sampled_context *context = from ? profile_find_context(profile, from->context) : NULL;

	if (!context)
		return false;
	memcpy(&lost, from, record->fixed < sizeof(lost) ? record->fixed : sizeof(lost));
	context->ledger = (struct ledger){
		.overflows = lost.overflows, .recorded = lost.recorded, .full = lost.full,
		.error = lost.error, .throttled = lost.throttled, .late = lost.late,
		.messages = lost.messages, .unplaced = lost.unplaced,
		.masked_ns = lost.masked_ns, .suspended_ns = lost.suspended_ns,
	};
	context->over = true;
	profile->has_ledger = true;
	return true;
}

static bool take_end(struct profile *profile, const struct profile_record *record)
{
	const struct profile_end *end = profile_fixed(record, sizeof(*end));

	if (!end)
		return false;
	profile->duration = end->duration_ns;
	profile->status = end->status;
	profile->interrupted = end->flags & PROFILE_INTERRUPTED;
	profile->samples = end->samples;
	profile->finished = true;
	return true;
}

bool profile_take(struct profile *profile, const struct profile_record *record)
{
	static const struct {
		uint32_t	type;
		bool		(*take)(struct profile *profile,
					const struct profile_record *record);
	} kinds[] = {
		{ PROFILE_COMMAND, take_command },
		{ PROFILE_START, take_start },
		{ PROFILE_FORMAT, take_format },
		{ PROFILE_EVENT, take_event },
		{ PROFILE_CONTEXT, take_context },
		{ PROFILE_MAP, take_map },
		{ PROFILE_IMAGE, take_image },
		{ PROFILE_UNMAP, take_unmap },
		{ PROFILE_EXEC, take_exec },
		{ PROFILE_COMM, take_comm },
		{ PROFILE_FORK, take_fork },
		{ PROFILE_SYMBOL, take_symbol },
		{ PROFILE_SYMBOL_END, take_symbol_end },
		{ PROFILE_KSYMBOL, take_ksymbol },
		{ PROFILE_LOST, take_lost },
		{ PROFILE_END, take_end },
	};
	size_t i;

	if (record->type == PROFILE_HOST)
		return take_texts(&profile->host, record, 5);
	if (record->type == PROFILE_NOTE)
		return take_texts(&profile->notes, record, 1);
	for (i = 0; i < COUNT(kinds); i++)
		if (kinds[i].type == record->type)
			return kinds[i].take(profile, record);
	return true; /* samples, or of a later version */
}

static bool take_all(struct profile *profile, struct profile_reader *reader,
		     struct problem *why)
{
	const struct profile_record *record;
	enum profile_found found;

	while ((found = profile_next(reader, &record, why)) == FOUND_RECORD) {
		if (profile->finished)
			return profile_damaged(reader, why);
		if (record->type == PROFILE_SAMPLES && !profile->known_format)
			return problem(why, "%s: its samples are in a format that this pfmon does not know",
				       reader->name);
		if (!profile_take(profile, record))
			return profile_damaged(reader, why);
	}
	if (found == FOUND_DAMAGE)
		return false;
	if (!profile->finished || found == FOUND_CUT)
		strings_add(&profile->notes,
			    xasprintf("the recording was not finished, or %s is cut off: samples are missing",
				      reader->name));
	return true;
}

static bool take_all_samples(struct profile *profile, struct profile_reader *reader,
			     const struct load_options *options, struct problem *why)
{
	const struct profile_record *record;
	uint64_t samples = 0;
	size_t i;

	profile_again(reader);
	while (profile_next(reader, &record, why) == FOUND_RECORD) {
		if ((record->type == PROFILE_BRANCHES && !beside_keep(&profile->branches, record)) ||
		    (record->type == PROFILE_BRANCH_DETAILS &&
		     !beside_keep(&profile->branch_details, record)) ||
		    (record->type == PROFILE_CHAINS && !beside_keep(&profile->chains, record)) ||
		    (record->type == PROFILE_COUNTS && !beside_keep(&profile->counts, record)) ||
		    (record->type == PROFILE_SAMPLES && !samples_take(profile, record, options)))
			return profile_damaged(reader, why);
		profile->has_branches |= record->type == PROFILE_BRANCHES;
		profile->has_chains |= record->type == PROFILE_CHAINS;
		for (i = 0, samples = 0; i < profile->nevents; i++)
			samples += profile->event[i].samples;
		if (record->type == PROFILE_END && samples != profile->samples)
			return profile_damaged(reader, why);
		if (options->most && samples >= options->most)
			break;
	}
	return true;
}

void profile_begin(struct profile *profile)
{
	static const struct build_id none = { .size = 0 };

	memset(profile, 0, sizeof(*profile));
	profile_find_object(profile, "[unknown]", &none);
	profile_find_object(profile, "[kernel]", &none);
	profile_find_object(profile, "[jit]", &none);
}

bool profile_load(struct profile *profile, const char *name, const struct load_options *options,
		  struct problem *why)
{
	struct profile_reader reader;
	bool ok;

	profile_begin(profile);
	if (!profile_open(&reader, name, why)) {
		profile_free(profile);
		return false;
	}
	ok = take_all(profile, &reader, why) && take_all_samples(profile, &reader, options, why);
	profile_done(&reader);
	if (!ok)
		profile_free(profile);
	return ok;
}

static void see_time(void *data, const struct profile *profile, const struct sample *sample)
{
	uint64_t *first = data;

	(void)profile;
	if (sample->time < *first)
		*first = sample->time;
}

bool profile_choose_time(const char *name, double from, double to, struct load_options *options,
			 struct problem *why)
{
	uint64_t first = UINT64_MAX;
	const struct load_options look = { .visit = see_time, .data = &first };
	struct profile profile;

	if (from <= 0 && to < 0)
		return true;
	if (!profile_load(&profile, name, &look, why))
		return false;
	profile_free(&profile);
	options->from = first + (uint64_t)(from * 1e9);
	if (to >= 0)
		options->to = first + (uint64_t)(to * 1e9);
	return true;
}
