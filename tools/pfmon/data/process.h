/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes and threads over time: what was mapped where, and what a thread was called.
 *
 * What happened is noted first, in any order; then it can be asked for any time.
 */
#ifndef PFMON_DATA_PROCESS_H
#define PFMON_DATA_PROCESS_H

#include <sys/types.h>

#include "data/ranges.h"

/* Something that changes what is mapped. */
struct change {
	uint64_t	time;
	size_t		order;		/* of those at the same time: as noted */
	enum { CHANGE_MAP, CHANGE_UNMAP, CHANGE_EXEC, CHANGE_FORK } kind;
	struct range	range;		/* what: an object */
	pid_t		parent;		/* of a fork */
};

struct process {
	pid_t		pid;
	struct change	*change;	/* by time, once that was asked for */
	size_t		n, room;
	bool		sorted;
	bool		busy;		/* is being brought to another time */
	unsigned int	ended;		/* 0: it runs; else how often that was looked at */
	size_t		applied;	/* so many are in @maps */
	struct ranges	base;		/* before the first change */
	struct ranges	maps;
	struct ranges	symbols;	/* code made at run time; what: the caller's */
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
	const char	*task_name;	/* for the caller: the name that was looked up last ... */
	size_t		task;		/* ... and what it made of it */
};

/* Zeroed is empty. */
struct processes {
	void		*process, *thread;	/* search trees */
	struct process	*last_process;		/* that was asked for: most often, it is again */
	struct thread	*last_thread;
	size_t		nprocesses, nthreads;
};

/* The process or thread of this id; a new one of which nothing is known if there was none. */
struct process *processes_get(struct processes *processes, pid_t pid);
struct thread *processes_get_thread(struct processes *processes, pid_t tid);

/* Note a change: all but the order is the caller's. */
void process_note(struct process *process, const struct change *change);

/* @name is copied; NULL: the one that @parent has at that time. */
void thread_note(struct thread *thread, uint64_t time, const char *name, pid_t parent);

/* The mapping of the process at an address and a time, or NULL. Valid until the next call. */
const struct range *processes_find(struct processes *processes, pid_t pid, uint64_t address,
				   uint64_t time);

/* What a thread was called then; "" if that is not known. */
const char *processes_name(struct processes *processes, pid_t tid, uint64_t time);

/*
 * Nothing before @time will be asked for any more: what led to the state of that time is
 * forgotten, and at the second time a process or thread that has ended is, as a whole: the last
 * samples of it may come a little later than its end.
 */
void processes_forget(struct processes *processes, uint64_t time);

/* The thread has ended, and if that is the process' first one, the process. */
void processes_end(struct processes *processes, pid_t pid, pid_t tid);

void processes_free(struct processes *processes);

#endif /* PFMON_DATA_PROCESS_H */
