// SPDX-License-Identifier: GPL-2.0
/* The threads that are followed, by their ids. */
#include <stdlib.h>

#include "run/tasks.h"
#include "util.h"

static size_t hash(pid_t tid)
{
	return (size_t)tid % COUNT(((struct tasks *)0)->bucket);
}

/* The place of the pointer to the task, or the end of its bucket. */
static struct task **slot(struct tasks *tasks, pid_t tid)
{
	struct task **at = &tasks->bucket[hash(tid)];

	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	return at;
}

struct task *tasks_find(const struct tasks *tasks, pid_t tid)
{
	struct task *task = tasks->bucket[hash(tid)];

	while (task && task->tid != tid)
		task = task->next;
	return task;
}

static void link_task(struct tasks *tasks, struct task *task)
{
	struct task **head = &tasks->bucket[hash(task->tid)];

	task->next = *head;
	*head = task;
	tasks->n++;
}

static struct task *unlink_task(struct tasks *tasks, pid_t tid)
{
	struct task **at = slot(tasks, tid), *task = *at;

	if (task) {
		*at = task->next;
		tasks->n--;
	}
	return task;
}

struct task *tasks_add(struct tasks *tasks, pid_t tid)
{
	struct task *task = xcalloc(1, sizeof(*task));

	task->tid = tid;
	link_task(tasks, task);
	return task;
}

void tasks_remove(struct tasks *tasks, pid_t tid)
{
	free(unlink_task(tasks, tid));
}

void tasks_rename(struct tasks *tasks, pid_t from, pid_t to)
{
	struct task *task = unlink_task(tasks, from);

	if (!task)
		return;
	task->tid = to;
	link_task(tasks, task);
}

struct task *tasks_next(const struct tasks *tasks, const struct task *task)
{
	size_t i = task ? hash(task->tid) + 1 : 0;

	if (task && task->next)
		return task->next;
	for (; i < COUNT(tasks->bucket); i++)
		if (tasks->bucket[i])
			return tasks->bucket[i];
	return NULL;
}

struct task *tasks_any(const struct tasks *tasks)
{
	return tasks_next(tasks, NULL);
}
