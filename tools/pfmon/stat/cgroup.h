/* SPDX-License-Identifier: GPL-2.0 */
/* The tasks in a control group, or in one below it. */
#ifndef PFMON_STAT_CGROUP_H
#define PFMON_STAT_CGROUP_H

#include "run/tasks.h"
#include "stat/parts.h"

/* Zeroed: no control group. */
struct cgroup {
	struct parts	*parts;
	char		*directory;
	struct tasks	tasks;		/* the tasks that were in it at the last look */
	unsigned int	looks;
};

/* Count its present tasks. False, with the reason: @path is no control group. */
bool cgroup_begin(struct cgroup *cgroup, struct parts *parts, const char *path,
		  struct problem *why);

/* Look again: begin to count new tasks, and stop counting those that have left. */
void cgroup_look(struct cgroup *cgroup);

/* The context of a task has ended. */
void cgroup_forget(struct cgroup *cgroup, pid_t tid);
void cgroup_free(struct cgroup *cgroup);

#endif /* PFMON_STAT_CGROUP_H */
