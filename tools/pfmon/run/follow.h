/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Running a command under ptrace, which stops it where pfmon must act.
 *
 * A verb has its own work at such a stop: the operations below. All stops, by tracing, signals
 * and job control, are resumed faithfully.
 */
#ifndef PFMON_RUN_FOLLOW_H
#define PFMON_RUN_FOLLOW_H

#include <sys/resource.h>

#include "run/child.h"
#include "run/loop.h"

struct follower;

/* @data belongs to the caller. Operations that are not mandatory may be NULL. */
struct follow_ops {
	/* PTRACE_O_*; PTRACE_O_TRACEEXEC is always among them. */
	unsigned long	options;

	/* The process of the command exists, and waits for follow_command() to let it go. */
	void	(*forked)(void *data, pid_t pid);

	/*
		 * Mandatory. The first exec: this is the command now, and it has not run yet.
		 * False, with the reason: it must not run.
	 */
	bool	(*begin)(void *data, struct problem *why);

	/* Another exec. The thread @former has the id of its process, @pid, from now on. */
	void	(*exec)(void *data, pid_t pid, pid_t former);

	/* A task stopped, not at an exec: it may be new to the caller. */
	void	(*stop)(void *data, pid_t tid);

	/* A thread stopped at a SIGTRAP. True: the signal is pfmon's, and is not delivered. */
	bool	(*trap)(void *data, pid_t tid);

	/* With PTRACE_O_TRACEEXIT: the task is about to end and still has its mappings. */
	void	(*exit)(void *data, pid_t tid);

	/* A task has ended. */
	void	(*end)(void *data, pid_t tid, const struct rusage *usage);

	/* The descriptor to wait for, or -1, called before each wait; it is readable. */
	int	(*descriptor)(void *data);
	void	(*readable)(void *data);

	/* The time of the next tick() on CLOCK_MONOTONIC, or 0; called before each wait. */
	double	(*next)(void *data);
	void	(*tick)(void *data);

	/* The time is up; the command gets SIGTERM then. */
	void	(*timeout)(void *data);
};

struct follower {
	const struct follow_ops	*ops;
	void			*data;
	uint64_t		timeout_ms;	/* from begin() on; 0: none, or tick() sets it */
	struct loop		loop;		/* the time-out, and the last signal */
	bool			release;	/* the command after begin(): no more stops */
	/* The outcome: */
	struct child		child;
	bool			started;	/* the command was executed, and begin() agreed */
	bool			failed;		/* begin() did not agree */
	bool			ended;		/* the command has ended */
	bool			interrupted;	/* by a signal to pfmon */
	void			*traced;	/* a tree of tids: traced tasks, new ones too */
	int			error;		/* of execvp(), if that failed */
	int			status;		/* the exit status for all this */
	struct problem		*why;
};

/*
 * Run @command to its end. False, with the reason: it was not executed, or begin() refused it.
 * Tasks that outlive it are still traced.
 */
bool follow_command(struct follower *f, char **command, struct problem *why);

/* Release a stopped task, delivering @sig if it is not 0; a stopped task with this status. */
void follow_release(pid_t tid, int sig);
void follow_release_stopped(pid_t tid, int wait_status);

/* Release all tasks that are still traced; a task that does not stop is freed at pfmon's end. */
void follow_release_rest(struct follower *f);

/* The process of a thread. */
pid_t process_of(pid_t tid);

/* Resume a stopped task according to its stop: with its signal, or stopped by job control. */
void follow_pass(pid_t tid, int wait_status);

#endif /* PFMON_RUN_FOLLOW_H */
