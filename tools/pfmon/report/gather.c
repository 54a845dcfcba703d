// SPDX-License-Identifier: GPL-2.0
/*
 * The samples of several recordings together. One recording is in memory at a time. The names
 * that only it has, of its kernel and of code made at run time, are looked up at once.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "data/load.h"
#include "report/gather.h"

/* True if both recordings sample the event with the same period or frequency. */
static bool same_period(const struct gathered_event *event, const struct sampled_event *from)
{
	if (event->hz || from->hz)
		return event->hz == from->hz;
	return event->period == from->period && event->random_mask == from->random_mask;
}

static unsigned int add_event(struct gathered *gathered, const struct sampled_event *from,
			      bool any_period)
{
	struct gathered_event *event;
	size_t i;

	for (i = 0; i < gathered->nevents; i++) {
		event = &gathered->event[i];
		if (!strcmp(event->name, from->name) &&
		    (any_period || same_period(event, from)))
			break;
	}
	if (i == gathered->nevents) {
		GROW(gathered->event, gathered->nevents, gathered->event_room);
		gathered->event[gathered->nevents++] = (struct gathered_event){
			.name = names_keep(&gathered->names, from->name),
			.full = names_keep(&gathered->names, from->full),
			.pmd = from->pmd, .set = from->set,
			.period = from->period, .random_mask = from->random_mask,
			.hz = from->hz,
		};
	}
	gathered->event[i].samples += from->samples;
	gathered->event[i].occurrences += from->occurrences;
	return (unsigned int)i;
}

static unsigned int add_object(struct gathered *gathered, const struct object *from)
{
	const char *name = names_keep(&gathered->names, from->name);
	size_t i;

	for (i = 0; i < gathered->nobjects; i++)
		if (gathered->object[i].name == name &&
		    build_id_equal(&gathered->object[i].id, &from->id))
			return (unsigned int)i;
	GROW(gathered->object, gathered->nobjects, gathered->object_room);
	gathered->object[i].name = name;
	gathered->object[i].id = from->id;
	return (unsigned int)gathered->nobjects++;
}

static void add_source(struct gathered *gathered, const char *input, struct profile *profile)
{
	struct source *source;

	GROW(gathered->source, gathered->nsources, gathered->source_room);
	source = &gathered->source[gathered->nsources++];
	*source = (struct source){
		.input = names_keep(&gathered->names, input),
		.host = names_keep(&gathered->names, profile->host.n ? profile->host.text[0] : ""),
		.command = profile->command,
		.started = profile->started, .duration = profile->duration,
		.finished = profile->finished, .interrupted = profile->interrupted,
		.has_ledger = profile->has_ledger, .status = profile->status,
		.ledger = profile_ledger(profile),
	};
	memset(&profile->command, 0, sizeof(profile->command)); /* the source owns it now */
}

/* The number of each of the profile's events, objects and tasks among all. */
struct numbers {
	unsigned int	*event, *object, task;
};

static void number(struct gathered *gathered, const struct profile *profile, bool any_period,
		   struct numbers *numbers)
{
	size_t i;

	numbers->event = xcalloc(profile->nevents, sizeof(*numbers->event));
	numbers->object = xcalloc(profile->nobjects, sizeof(*numbers->object));
	numbers->task = (unsigned int)gathered->ntasks;
	for (i = 0; i < profile->nevents; i++)
		numbers->event[i] = add_event(gathered, &profile->event[i], any_period);
	for (i = 0; i < profile->nobjects; i++)
		numbers->object[i] = add_object(gathered, &profile->object[i]);
	for (i = 0; i < profile->ntasks; i++) {
		const struct sampled_task *task = &profile->task[i];
		char number[TASK_NUMBER];

		GROW(gathered->task, gathered->ntasks, gathered->task_room);
		gathered->task[gathered->ntasks++] = (struct gathered_task){
			.pid = task->pid, .tid = task->tid,
			.comm = names_keep(&gathered->names, task_name(number, task->comm, task->tid)),
		};
	}
}

/* Set the names that only this recording has. @object is the place's object in the recording. */
static void name(struct gathered *gathered, const struct profile *profile, size_t object,
		 struct cell *cell)
{
	const struct range *range;
	const char *module;

	cell->file = gathered->object[cell->object].name;
	if (object == OBJECT_JIT)
		cell->symbol = names_keep(&gathered->names, profile->jit_names.text[cell->address]);
	if (object != OBJECT_KERNEL)
		return;
	range = ranges_find(&profile->kernel, cell->address);
	if (!range)
		return;
	cell->symbol = names_keep(&gathered->names, profile->kernel_name[range->what].name);
	module = profile->kernel_name[range->what].module;
	if (*module)
		cell->file = names_keep(&gathered->names, module);
}

/* Add them behind those of other recordings; number 0, no path, is common to all. */
static void add_paths(struct gathered *gathered, const struct profile *profile,
		      const struct numbers *numbers)
{
	const struct paths *paths = &profile->paths;
	const size_t before = gathered->npaths ? gathered->npaths - 1 : 0;
	size_t i;

	if (!paths->n)
		return;
	gathered->npaths = before + paths->n;
	gathered->path = xrealloc(gathered->path, gathered->npaths, sizeof(*gathered->path));
	for (i = 1; i < paths->n; i++) {
		const struct path *from = &paths->path[i];
		struct gathered_path *path = &gathered->path[before + i];

		*path = (struct gathered_path){
			.parent = from->parent ? before + from->parent : 0,
			.cell = { .object = numbers->object[from->object], .address = from->address },
		};
		name(gathered, profile, from->object, &path->cell);
	}
}

static void add_cells(struct gathered *gathered, const struct profile *profile, bool any_period)
{
	const size_t before = gathered->npaths ? gathered->npaths - 1 : 0;
	struct numbers numbers;
	size_t i;

	number(gathered, profile, any_period, &numbers);
	add_paths(gathered, profile, &numbers);
	gathered->cell = xrealloc(gathered->cell, gathered->ncells + profile->hits.n + 1,
				  sizeof(*gathered->cell));
	for (i = 0; i < profile->hits.room; i++) {
		const struct hit *hit = &profile->hits.hit[i];
		struct cell *cell = &gathered->cell[gathered->ncells];

		if (!hit->count)
			continue;
		*cell = (struct cell){
			.event = numbers.event[hit->event], .object = numbers.object[hit->object],
			.source = (unsigned int)gathered->nsources - 1,
			.task = numbers.task + (unsigned int)hit->task, .cpu = hit->cpu,
			.address = hit->address, .count = hit->count,
			.path = hit->path ? before + hit->path : 0,
		};
		name(gathered, profile, hit->object, cell);
		gathered->ncells++;
	}
	free(numbers.event);
	free(numbers.object);
}

void gather_profile(struct gathered *gathered, const char *input, struct profile *profile,
		    const struct gather_options *options)
{
	size_t i;

	add_source(gathered, input, profile);
	add_cells(gathered, profile, options->any_period);
	for (i = 0; i < profile->notes.n; i++)
		strings_add(&gathered->notes, xasprintf("%s%s%s", options->named ? input : "",
							options->named ? ": " : "",
							profile->notes.text[i]));
}

bool gather(struct gathered *gathered, const char *input, const struct gather_options *options,
	    struct problem *why)
{
	struct load_options load = {
		.hits = true, .tasks = options->tasks, .cpus = options->cpus, .paths = options->paths,
	};
	struct profile profile;

	if (!profile_choose_time(input, options->from, options->to, &load, why) ||
	    !profile_load(&profile, input, &load, why))
		return false;
	gather_profile(gathered, input, &profile, options);
	profile_free(&profile);
	return true;
}

void gathered_free(struct gathered *gathered)
{
	size_t i;

	for (i = 0; i < gathered->nsources; i++)
		strings_free(&gathered->source[i].command);
	free(gathered->source);
	free(gathered->event);
	free(gathered->object);
	free(gathered->task);
	free(gathered->cell);
	free(gathered->path);
	strings_free(&gathered->notes);
	names_free(&gathered->names);
	memset(gathered, 0, sizeof(*gathered));
}
