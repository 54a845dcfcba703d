/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sampling threads and CPUs into one file: each has a context with a buffer, and a ring of
 * perf_events' for events of the kernel. Both are emptied when full, at the end, and each second.
 */
#ifndef PFMON_RECORD_RECORDER_H
#define PFMON_RECORD_RECORDER_H

#include "record/known.h"
#include "record/recording.h"
#include "record/source.h"

struct recorder {
	const struct recording_about *about;
	struct recording	recording;
	bool			begun;		/* ... the file is begun */
	struct known		known;		/* of the processes */
	struct source		*first;
	void			*by_tid;	/* a search tree of the threads' */
	int			wake;		/* readable when there is something to do */
	int			timer;		/* each second, or more often if requested */
	unsigned int		ticks;		/* ... to adapt periods: one a second flushes */
	int			delay;		/* a timer until sampling begins; -1: begun */
	unsigned int		turn;		/* of the event sets: see recorder_add() */
	bool			hold;		/* they wait for recorder_switch() or recorder_start() */
	bool			show;		/* a status line, on the terminal */
	unsigned int		threads, processes; /* that were sampled */
	unsigned int		throttled;	/* times */
	unsigned int		kernel_throttled; /* ... samples of the kernel's events */
	unsigned int		missed;		/* threads without a context ... */
	struct problem		missed_why;	/* ... of the first one */
	struct strings		notes;
};

/*
 * Prepare to sample, from @delay_ms after now on. False: no descriptors; call recorder_close()
 * all the same.
 */
bool recorder_open(struct recorder *r, const struct recording_about *about, uint64_t delay_ms,
		   struct problem *why);

/*
 * Sample a thread, or the CPU that pfmon runs on. @born: a sampled thread created it. The first
 * call begins the file, so that a target that cannot be sampled does not replace an old file.
 * False: it is not sampled; errno is the command's.
 */
bool recorder_add_thread(struct recorder *r, pid_t pid, pid_t tid, bool born,
			 struct problem *why);
bool recorder_add_cpu(struct recorder *r, unsigned int cpu, struct problem *why);

/*
 * Start all sources of a recorder with @hold, or let them wait for the delay. False: one does not
 * start.
 */
bool recorder_start(struct recorder *r, struct problem *why);

/*
 * Follow a command that is not sampled itself, but whose programs may be. From here on the names
 * and mappings of the command and its children go to the file, which begins.
 */
bool recorder_follow(struct recorder *r, pid_t pid, struct problem *why);

bool recorder_has(const struct recorder *r, pid_t tid);

/* True if any source is still sampled. */
bool recorder_live(const struct recorder *r);

/* Continue or pause the sampling of a thread, which is stopped. */
void recorder_switch(struct recorder *r, pid_t tid, bool on);

/* Count a thread that could not be added. The caller omits threads that have ended (ESRCH). */
void recorder_missed(struct recorder *r, const struct problem *why);

/*
 * A thread executes another program: it has the id @pid of its process from now on, and the
 * process' other threads are gone. False: the program has other privileges, and the thread
 * cannot be sampled any more.
 */
bool recorder_exec(struct recorder *r, pid_t pid, pid_t former, struct problem *why);

/* The same with a program that must not be sampled. */
void recorder_exec_unsampled(struct recorder *r, pid_t pid, pid_t former);

/* A thread is about to end and still has its mappings; a thread has ended. */
void recorder_exits(struct recorder *r, pid_t tid);
void recorder_end(struct recorder *r, pid_t tid);

/* Call it when @r->wake is readable. */
void recorder_work(struct recorder *r);

/* Stop all sources; the remaining samples go to the file. */
void recorder_stop(struct recorder *r);

/* Write the notes and the file's end. False: the file is not complete. */
bool recorder_finish(struct recorder *r, int status, bool interrupted, struct problem *why);
void recorder_close(struct recorder *r);

#endif /* PFMON_RECORD_RECORDER_H */
