/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The threads of a process that runs already, those that come included.
 *
 * They are seized by ptrace, which stops no thread that is there; each that is born stops
 * before its first instruction, and is counted from there. Where that is not permitted,
 * they are looked for in /proc from time to time.
 */
#ifndef PFMON_STAT_THREADS_H
#define PFMON_STAT_THREADS_H

#include "stat/parts.h"
#include "stat/tasks.h"

/* Zeroed is none. */
struct threads {
	struct parts	*parts;
	pid_t		pid;
	struct tasks	tasks;		/* those that are known */
	char		*seen_only;	/* why they are looked for; NULL: they are traced */
	struct strings	notes;
	bool		over;		/* nothing is counted any more */
};

/* Count all threads of @pid. False, with the reason: none, or one may not be counted. */
bool threads_begin(struct threads *threads, struct parts *parts, pid_t pid,
		   struct problem *why);

/* Whether threads_scan() has to be called now and then; it counts those that are new. */
bool threads_look(const struct threads *threads);
bool threads_scan(struct threads *threads);

/* What wait4() said of a traced thread. */
void threads_event(struct threads *threads, pid_t tid, int status);

/* Its context has ended. */
void threads_forget(struct threads *threads, pid_t tid);

/* From now on they just go on; what the reader has to know is added to @notes. */
void threads_end(struct threads *threads, struct strings *notes);
void threads_free(struct threads *threads);

#endif /* PFMON_STAT_THREADS_H */
