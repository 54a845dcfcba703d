/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The threads of running processes, including new ones.
 *
 * They are seized by ptrace, which stops no existing thread; a new one stops before its first
 * instruction, and is measured from there. Where that is not permitted, pfmon looks for new threads
 * in /proc from time to time.
 *
 * The thread of pfmon that calls threads_begin() is the tracer. At its end the kernel releases its
 * tracees without a stop, which would interrupt the system calls of the processes: so it should
 * be a thread of its own. See threads_by_tracer().
 */
#ifndef PFMON_RUN_THREADS_H
#define PFMON_RUN_THREADS_H

#include "run/ids.h"
#include "run/tasks.h"
#include "util.h"

/* The time between looks for new threads, if ptrace does not report them. */
#define THREADS_LOOK_MS	10

/* A verb's actions on a thread. @data belongs to the caller. */
struct threads_ops {
	/*
	 * Measure it from now on. It is @born: a thread that is measured has created it. If @why is
	 * NULL a failure is only noted. False: it is not measured; errno is the reason's, ESRCH if
	 * the thread has ended.
	 */
	bool	(*add)(void *data, struct task *task, bool born, struct problem *why);

	/* It executes a program. It had the id @former, and has that of its process now. */
	void	(*exec)(void *data, struct task *task, pid_t former);

	/* It has ended. */
	void	(*end)(void *data, struct task *task);
};

struct running {
	pid_t		pid;
	size_t		live;		/* threads that are known */
	char		*seen_only;	/* the reason to look in /proc; NULL: they are traced */
	bool		over;		/* it has ended: its number may be another one's */
};

/* Zeroed: no threads. */
struct threads {
	const struct threads_ops *ops;
	void		*data;
	struct running	*process;
	size_t		n;
	struct tasks	tasks;		/* the known threads */
	struct strings	notes;
	bool		begun;		/* threads from now on are new */
	bool		over;		/* the measurement has ended */
};

/* Measure all threads of these processes. False, with the reason: one has none that pfmon may. */
bool threads_begin(struct threads *threads, const struct threads_ops *ops, void *data,
		   const struct ids *pids, struct problem *why);

/* True if threads_scan() must be called now and then; it begins to measure new threads. */
bool threads_look(const struct threads *threads);
bool threads_scan(struct threads *threads);

/* True if wait4() will report the end of this thread. */
bool threads_trace(const struct threads *threads, pid_t tid);

/* A report of wait4() about a traced thread. */
void threads_event(struct threads *threads, pid_t tid, int status);

/* The context of a thread has ended. */
void threads_forget(struct threads *threads, pid_t tid);

/* The threads just continue from now on. Facts that the reader must know are added to @notes. */
void threads_end(struct threads *threads, struct strings *notes);
void threads_free(struct threads *threads);

/* Call @work(@data) in a thread that may be a tracer, and wait for its end. */
void threads_by_tracer(void *(*work)(void *data), void *data);

#endif /* PFMON_RUN_THREADS_H */
