// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon's contexts know no control groups: their tasks are read from the group's files,
 * again and again. A task that came and ended between two looks is not seen.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stat/cgroup.h"

/* The files of version 2 and version 1. */
static const char *const lists[] = { "cgroup.threads", "tasks" };

static FILE *open_list(const char *directory)
{
	FILE *file = NULL;
	char *path;
	size_t i;

	for (i = 0; !file && i < COUNT(lists); i++) {
		path = xasprintf("%s/%s", directory, lists[i]);
		file = fopen(path, "re");
		free(path);
	}
	return file;
}

static void see(struct cgroup *cgroup, pid_t tid)
{
	struct task *task = tasks_find(&cgroup->tasks, tid);

	if (!task && tid != gettid()) {
		task = tasks_add(&cgroup->tasks, tid);
		task->part = parts_try(cgroup->parts, tid);
	}
	if (task)
		task->seen = cgroup->looks;
}

static void look_into(struct cgroup *cgroup, const char *directory)
{
	FILE *file = open_list(directory);
	struct dirent *entry;
	char *path;
	DIR *dir;
	int tid;

	while (file && fscanf(file, "%d", &tid) == 1)
		see(cgroup, tid);
	if (file)
		fclose(file);
	dir = opendir(directory);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		path = xasprintf("%s/%s", directory, entry->d_name);
		look_into(cgroup, path);
		free(path);
	}
	if (dir)
		closedir(dir);
}

void cgroup_look(struct cgroup *cgroup)
{
	struct task *task, *next;

	cgroup->looks++;
	look_into(cgroup, cgroup->directory);
	for (task = tasks_next(&cgroup->tasks, NULL); task; task = next) {
		next = tasks_next(&cgroup->tasks, task);
		if (task->seen == cgroup->looks)
			continue;
		if (task->part) {
			part_stop(task->part);
			part_end(cgroup->parts, task->part);
		}
		tasks_remove(&cgroup->tasks, task->tid);
	}
}

bool cgroup_begin(struct cgroup *cgroup, struct parts *parts, const char *path,
		  struct problem *why)
{
	FILE *file;

	cgroup->parts = parts;
	cgroup->directory = access(path, F_OK) ? xasprintf("/sys/fs/cgroup/%s", path) :
						 xstrdup(path);
	file = open_list(cgroup->directory);
	if (!file) {
		problem(why, "-G %s: there is no such control group, or it cannot be read: %s", path,
			strerror(errno));
		return problem_hint(why, "Name its directory, or its path below /sys/fs/cgroup.");
	}
	fclose(file);
	cgroup_look(cgroup);
	return true;
}

void cgroup_forget(struct cgroup *cgroup, pid_t tid)
{
	struct task *task = tasks_find(&cgroup->tasks, tid);

	if (task)
		task->part = NULL;
}

void cgroup_free(struct cgroup *cgroup)
{
	struct task *task;

	while ((task = tasks_any(&cgroup->tasks)))
		tasks_remove(&cgroup->tasks, task->tid);
	free(cgroup->directory);
}
