// SPDX-License-Identifier: GPL-2.0
/* A recording in memory: objects, tasks and contexts, found by name or id. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/profile.h"

size_t profile_find_object(struct profile *profile, const char *name, const struct build_id *id)
{
	struct object *object;
	size_t i;

	for (i = 0; i < profile->nobjects; i++) {
		object = &profile->object[i];
		if (!strcmp(object->name, name) && build_id_equal(&object->id, id))
			return i;
	}
	GROW(profile->object, profile->nobjects, profile->object_room);
	object = &profile->object[profile->nobjects];
	object->name = xstrdup(name);
	object->id = *id;
	return profile->nobjects++;
}

const char *task_name(char *number, const char *comm, pid_t tid)
{
	if (*comm)
		return comm;
	snprintf(number, TASK_NUMBER, ":%d", (int)tid);
	return number;
}

size_t profile_find_task(struct profile *profile, pid_t pid, pid_t tid, const char *comm)
{
	struct sampled_task *task;
	size_t i;

	for (i = profile->ntasks; i; i--) { /* most likely the one of the sample before */
		task = &profile->task[i - 1];
		if (task->tid == tid && task->pid == pid && !strcmp(task->comm, comm))
			return i - 1;
	}
	GROW(profile->task, profile->ntasks, profile->task_room);
	task = &profile->task[profile->ntasks];
	task->pid = pid;
	task->tid = tid;
	task->comm = xstrdup(comm);
	return profile->ntasks++;
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

	for (i = 0; i < profile->ncontexts; i++)
		ledger_sum(&sum, &profile->context[i].ledger);
	return sum;
}

void profile_free(struct profile *profile)
{
	size_t i;

	for (i = 0; i < profile->nevents; i++) {
		free(profile->event[i].name);
		free(profile->event[i].full);
		strings_free(&profile->event[i].bodies);
	}
	for (i = 0; i < profile->nobjects; i++)
		free(profile->object[i].name);
	for (i = 0; i < profile->ntasks; i++)
		free(profile->task[i].comm);
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
	free(profile->task);
	processes_free(&profile->processes);
	processes_free(&profile->jit);
	strings_free(&profile->jit_names);
	free(profile->kernel_name);
	hits_free(&profile->hits);
	paths_free(&profile->paths);
	beside_free(&profile->branches);
	beside_free(&profile->branch_details);
	beside_free(&profile->chains);
	beside_free(&profile->counts);
	memset(profile, 0, sizeof(*profile));
}
