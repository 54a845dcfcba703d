/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The threads of a running process, including new ones.
 *
 * They are seized by ptrace, which stops no existing thread; a new one stops before its first
 * instruction, and is counted from there. Where that is not permitted, pfmon looks for new threads
 * in /proc from time to time.
 */
#ifndef PFMON_STAT_THREADS_H
#define PFMON_STAT_THREADS_H

#include "stat/parts.h"
#include "stat/tasks.h"

/* Zeroed: no threads. */
struct threads {
	struct parts	*parts;
	pid_t		pid;
	struct tasks	tasks;		/* the known threads */
	char		*seen_only;	/* the reason to look in /proc; NULL: they are traced */
	struct strings	notes;
	bool		over;		/* counting has ended */
};

/* Count all threads of @pid. False, with the reason: none, or pfmon may not count one. */
bool threads_begin(struct threads *threads, struct parts *parts, pid_t pid,
		   struct problem *why);

/* True if threads_scan() must be called now and then; it begins to count new threads. */
bool threads_look(const struct threads *threads);
bool threads_scan(struct threads *threads);

/* A report of wait4() about a traced thread. */
void threads_event(struct threads *threads, pid_t tid, int status);

/* The context of a thread has ended. */
void threads_forget(struct threads *threads, pid_t tid);

/* The threads just continue from now on. Facts that the reader must know are added to @notes. */
void threads_end(struct threads *threads, struct strings *notes);
void threads_free(struct threads *threads);

#endif /* PFMON_STAT_THREADS_H */
