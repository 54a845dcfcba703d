// SPDX-License-Identifier: GPL-2.0
/* A recording in memory: objects, processes and contexts, found by name or id. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "data/profile.h"

size_t profile_find_object(struct profile *profile, const char *name, const struct build_id *id)
{
	struct object *object;
	size_t i;

	for (i = 0; i < profile->nobjects; i++) {
		object = &profile->object[i];
		if (!strcmp(object->name, name) && object->id.size == id->size &&
		    !memcmp(object->id.id, id->id, id->size))
			return i;
	}
	GROW(profile->object, profile->nobjects, profile->object_room);
	object = &profile->object[profile->nobjects];
	object->name = xstrdup(name);
	object->id = *id;
	return profile->nobjects++;
}

struct process *profile_find_process(struct profile *profile, pid_t pid)
{
	struct process *process;
	size_t i;

	for (i = 0; i < profile->nprocesses; i++)
		if (profile->process[i].pid == pid)
			return &profile->process[i];
	GROW(profile->process, profile->nprocesses, profile->process_room);
	process = &profile->process[profile->nprocesses++];
	memset(process, 0, sizeof(*process));
	process->pid = pid;
	return process;
}

struct sampled_context *profile_find_context(struct profile *profile, uint32_t id)
{
	size_t i;

	for (i = 0; i < profile->ncontexts; i++)
		if (profile->context[i].id == id)
			return &profile->context[i];
	return NULL;
}

struct ledger profile_ledger(const struct profile *profile)
{
	struct ledger sum = { 0 };
	size_t i;

	for (i = 0; i < profile->ncontexts; i++) {
		const struct ledger *ledger = &profile->context[i].ledger;

		sum.overflows += ledger->overflows;
		sum.recorded += ledger->recorded;
		sum.full += ledger->full;
		sum.error += ledger->error;
		sum.throttled += ledger->throttled;
		sum.messages += ledger->messages;
	}
	return sum;
}

void profile_free(struct profile *profile)
{
	size_t i;

	for (i = 0; i < profile->nevents; i++) {
		free(profile->event[i].name);
		free(profile->event[i].full);
	}
	for (i = 0; i < profile->nobjects; i++)
		free(profile->object[i].name);
	for (i = 0; i < profile->nprocesses; i++)
		ranges_free(&profile->process[i].maps);
	for (i = 0; i < profile->nkernel_names; i++) {
		free(profile->kernel_name[i].name);
		free(profile->kernel_name[i].module);
	}
	ranges_free(&profile->kernel);
	strings_free(&profile->host);
	strings_free(&profile->command);
	strings_free(&profile->notes);
	free(profile->event);
	free(profile->object);
	free(profile->context);
	free(profile->process);
	free(profile->kernel_name);
	hits_free(&profile->hits);
	memset(profile, 0, sizeof(*profile));
}
