/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Places in a command's code at which monitoring starts and stops: --trigger-start and
 * --trigger-stop. Each thread has them for itself.
 */
#ifndef PFMON_RUN_TRIGGERS_H
#define PFMON_RUN_TRIGGERS_H

#include "run/breakpoints.h"

struct trigger {
	char		*place;		/* a function, or an address in the file */
	bool		start;		/* ... else stop */
};

/* What the user wants. Zeroed: nothing. */
struct trigger_options {
	struct trigger	trigger[BREAKPOINTS];
	size_t		n;
	bool		repeat;		/* start again behind a stop */
};

/* Take the places of a list with commas. */
bool trigger_options_take(struct trigger_options *options, bool start, const char *list,
			  struct problem *why);

/* Do they go with the other options? @command: a command is followed. */
bool trigger_options_check(const struct trigger_options *options, bool command, bool delay,
			   struct problem *why);

/* Threads do not begin monitored, but with a start. */
bool trigger_options_hold(const struct trigger_options *options);

/*
 * What else ptrace is to be told of a command that has them, as PTRACE_O_*: without its tracer
 * it would be killed by the next breakpoint that it comes to, so it ends with the tracer.
 */
unsigned long trigger_options_trace(const struct trigger_options *options);
void trigger_options_free(struct trigger_options *options);

/* The threads that have them. Zeroed, but for the options, there are none. */
struct triggers {
	const struct trigger_options *options;
	void		*thread;	/* a search tree */
	struct triggered_file *file;	/* programs, and where their places are */
};

/*
 * A thread stands still, at its birth or behind an exec: set its breakpoints. False, with the
 * reason and errno: its program has no such place, or it has ended (ESRCH).
 */
bool triggers_arm(struct triggers *triggers, pid_t tid, struct problem *why);

/* Is the program of this thread one that has no such place? */
bool triggers_refused(const struct triggers *triggers, pid_t tid);

enum trigger_turn { TRIGGER_NONE, TRIGGER_START, TRIGGER_STOP };

/*
 * A thread stands at a SIGTRAP. False: that is none of ours. Else in *@turn what is to be done
 * with its monitoring.
 */
bool triggers_hit(struct triggers *triggers, pid_t tid, enum trigger_turn *turn);

/* The thread has ended, or executes another program. */
void triggers_end(struct triggers *triggers, pid_t tid);
void triggers_free(struct triggers *triggers);

#endif /* PFMON_RUN_TRIGGERS_H */
