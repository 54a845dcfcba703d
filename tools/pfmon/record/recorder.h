/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sampling threads and CPUs into one file: a context with a buffer for each, and a ring of
 * perf_events' for events of the kernel, emptied when it is full, when it ends, and each second.
 */
#ifndef PFMON_RECORD_RECORDER_H
#define PFMON_RECORD_RECORDER_H

#include "record/known.h"
#include "record/recording.h"
#include "record/source.h"

struct recorder {
	const struct recording_about *about;
	struct recording	recording;
	bool			begun;		/* ... it is */
	struct known		known;		/* of the processes */
	struct source		*first;
	void			*by_tid;	/* a search tree of the threads' */
	int			wake;		/* readable when there is something to do */
	int			timer;		/* each second, or more often if so wanted */
	unsigned int		ticks;		/* ... to adapt periods: then one a second flushes */
	int			delay;		/* a timer until sampling begins; -1: it has */
	unsigned int		turn;		/* of the event sets: see recorder_add() */
	bool			hold;		/* threads begin when they are told so */
	bool			show;		/* a status line, on the terminal */
	unsigned int		threads, processes; /* that were sampled */
	unsigned int		throttled;	/* how often */
	unsigned int		kernel_throttled; /* ... samples of the kernel's events */
	unsigned int		missed;		/* threads without a context ... */
	struct problem		missed_why;	/* ... of the first one */
	struct strings		notes;
};

/*
 * Get ready, to sample from @delay_ms after now on. False: no descriptors; recorder_close() it
 * all the same.
 */
bool recorder_open(struct recorder *r, const struct recording_about *about, uint64_t delay_ms,
		   struct problem *why);

/*
 * Sample a thread; @born: by one that is sampled already. Or the CPU that pfmon runs on. The
 * first one begins the file, so that what cannot be sampled does not replace an old one.
 * False: it is not; errno is the command's.
 */
bool recorder_add_thread(struct recorder *r, pid_t pid, pid_t tid, bool born,
			 struct problem *why);
bool recorder_add_cpu(struct recorder *r, unsigned int cpu, struct problem *why);

/*
 * A command that is not sampled itself, but what it executes may be: from here on what it
 * and its children are called and have mapped goes to the file, which begins.
 */
bool recorder_follow(struct recorder *r, pid_t pid, struct problem *why);

bool recorder_has(const struct recorder *r, pid_t tid);

/* Is any of them still sampled? */
bool recorder_live(const struct recorder *r);

/* Go on or pause with a thread, which stands still. */
void recorder_switch(struct recorder *r, pid_t tid, bool on);

/* Threads that could not be added are counted here; those that have ended, ESRCH, are not. */
void recorder_missed(struct recorder *r, const struct problem *why);

/*
 * A thread executes another program: it has the id @pid of its process from now on, and the
 * process' other threads are gone. False: the program has other privileges, and the thread
 * could not be sampled any more.
 */
bool recorder_exec(struct recorder *r, pid_t pid, pid_t former, struct problem *why);

/* The same with a program that is not to be sampled. */
void recorder_exec_unsampled(struct recorder *r, pid_t pid, pid_t former);

/* A thread is about to end and still has its mappings; and it has ended. */
void recorder_exits(struct recorder *r, pid_t tid);
void recorder_end(struct recorder *r, pid_t tid);

/* @r->wake is readable. */
void recorder_work(struct recorder *r);

/* No more samples, from any; what there is goes to the file. */
void recorder_stop(struct recorder *r);

/* Notes on all that, and the file's end. False: it is not complete. */
bool recorder_finish(struct recorder *r, int status, bool interrupted, struct problem *why);
void recorder_close(struct recorder *r);

#endif /* PFMON_RECORD_RECORDER_H */
