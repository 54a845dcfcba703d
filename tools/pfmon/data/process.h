/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes and threads over time: their mappings, and the threads' names.
 *
 * Changes are noted first, in any order; then any time can be queried.
 */
#ifndef PFMON_DATA_PROCESS_H
#define PFMON_DATA_PROCESS_H

#include <sys/types.h>

#include "data/ranges.h"

/* A change of mappings. */
struct change {
	uint64_t	time;
	size_t		order;		/* of changes at the same time: as noted */
	enum { CHANGE_MAP, CHANGE_UNMAP, CHANGE_EXEC, CHANGE_FORK } kind;
	struct range	range;		/* its what is an object */
	pid_t		parent;		/* of a fork */
};

struct process {
	pid_t		pid;
	struct change	*change;	/* by time, after the first query */
	size_t		n, room;
	bool		sorted;
	bool		busy;		/* is being brought to another time */
	unsigned int	ended;		/* 0: it runs; else looks since the end */
	size_t		applied;	/* number of changes in @maps */
	struct ranges	base;		/* before the first change */
	struct ranges	maps;
	struct ranges	symbols;	/* code made at run time; its what is the caller's */
};

/* A name, from a time on. */
struct thread_name {
	uint64_t	time;
	size_t		order;
	char		*name;		/* NULL: a fork, the parent's at that time */
	pid_t		parent;
};

struct thread {
	pid_t		tid, pid;
	struct thread_name *name;
	size_t		n, room;
	bool		sorted;
	unsigned int	ended;		/* as of a process */
	const char	*task_name;	/* for the caller: the last name looked up ... */
	size_t		task;		/* ... and the caller's number for it */
};

/* Zeroed is empty. */
struct processes {
	void		*process, *thread;	/* search trees */
	struct process	*last_process;		/* of the last query, often repeated */
	struct thread	*last_thread;
	size_t		nprocesses, nthreads;
};

/* The process or thread of this id; a new one without data if there was none. */
struct process *processes_get(struct processes *processes, pid_t pid);
struct thread *processes_get_thread(struct processes *processes, pid_t tid);

/* Note a change: all but the order is the caller's. */
void process_note(struct process *process, const struct change *change);

/* @name is copied; NULL: the name of @parent at that time. */
void thread_note(struct thread *thread, uint64_t time, const char *name, pid_t parent);

/* The mapping of the process at an address and a time, or NULL. Valid until the next call. */
const struct range *processes_find(struct processes *processes, pid_t pid, uint64_t address,
				   uint64_t time);

/* The name of a thread then; "" if it is not known. */
const char *processes_name(struct processes *processes, pid_t tid, uint64_t time);

/*
 * No query for a time before @time will follow: the changes that led to the state of that time
 * are dropped, and at the second call a process or thread that has ended is, as a whole: its last
 * samples may come a little later than its end.
 */
void processes_forget(struct processes *processes, uint64_t time);

/* The thread has ended, and if it is the process' first one, the process. */
void processes_end(struct processes *processes, pid_t pid, pid_t tid);

void processes_free(struct processes *processes);

#endif /* PFMON_DATA_PROCESS_H */
