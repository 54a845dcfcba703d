/* SPDX-License-Identifier: GPL-2.0 */
/* The threads that are followed, by their ids. */
#ifndef PFMON_RUN_TASKS_H
#define PFMON_RUN_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct running;

struct task {
	pid_t		tid;
	void		*part;		/* for the caller: its part of the measurement, or NULL */
	unsigned int	seen;		/* for the caller */
	struct running	*process;	/* of threads.h ... */
	bool		traced;		/* ... : wait4() reports its end */
	struct task	*next;		/* in its bucket */
};

/* Zeroed: empty. */
struct tasks {
	struct task	*bucket[256];
	size_t		n;
};

struct task *tasks_find(const struct tasks *tasks, pid_t tid);
struct task *tasks_add(struct tasks *tasks, pid_t tid);

/* Unlink and free it; its part belongs to the caller. */
void tasks_remove(struct tasks *tasks, pid_t tid);

/* The task has another id from now on; no task may have that id yet. */
void tasks_rename(struct tasks *tasks, pid_t from, pid_t to);

/* Any task, or NULL: to remove them all one by one. */
struct task *tasks_any(const struct tasks *tasks);

/* The first one (NULL) or the one after @task, in no useful order. */
struct task *tasks_next(const struct tasks *tasks, const struct task *task);

#endif /* PFMON_RUN_TASKS_H */
