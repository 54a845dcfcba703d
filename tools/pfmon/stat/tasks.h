/* SPDX-License-Identifier: GPL-2.0 */
/* The threads that are followed, by their ids. */
#ifndef PFMON_STAT_TASKS_H
#define PFMON_STAT_TASKS_H

#include <stddef.h>
#include <sys/types.h>

struct part;

struct task {
	pid_t		tid;
	struct part	*part;		/* what it counts, or NULL */
	unsigned int	seen;		/* the user's */
	struct task	*next;		/* in its bucket */
};

/* Zeroed is empty. */
struct tasks {
	struct task	*bucket[256];
	size_t		n;
};

struct task *tasks_find(const struct tasks *tasks, pid_t tid);
struct task *tasks_add(struct tasks *tasks, pid_t tid);

/* Unlink and free; what it counts is the caller's. */
void tasks_remove(struct tasks *tasks, pid_t tid);

/* It has another id from now on; there must be none by that id. */
void tasks_rename(struct tasks *tasks, pid_t from, pid_t to);

/* Some task, or NULL: to take them all out one by one. */
struct task *tasks_any(const struct tasks *tasks);

/* The first one (NULL) or the one after @task, in no useful order. */
struct task *tasks_next(const struct tasks *tasks, const struct task *task);

#endif /* PFMON_STAT_TASKS_H */
