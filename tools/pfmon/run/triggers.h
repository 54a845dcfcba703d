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
	bool		start;		/* else it is a stop */
};

/* The user's options. Zeroed: none. */
struct trigger_options {
	struct trigger	trigger[BREAKPOINTS];
	size_t		n;
	bool		repeat;		/* start again behind a stop */
};

/* Take the places of a list with commas. */
bool trigger_options_take(struct trigger_options *options, bool start, const char *list,
			  struct problem *why);

/*
 * True if they are compatible with the other options and this machine has breakpoints. @command: a
 * command is followed.
 */
bool trigger_options_check(const struct trigger_options *options, bool command, bool delay,
			   struct problem *why);

/* True if threads begin unmonitored, and a start begins their monitoring. */
bool trigger_options_hold(const struct trigger_options *options);

/*
 * The further options of ptrace (PTRACE_O_*) for a command with breakpoints. Without its tracer the
 * next breakpoint would kill it, so it ends with the tracer.
 */
unsigned long trigger_options_trace(const struct trigger_options *options);
void trigger_options_free(struct trigger_options *options);

/* The threads with breakpoints. Zeroed, but for the options: none. */
struct triggers {
	const struct trigger_options *options;
	void		*thread;	/* a search tree */
	struct triggered_file *file;	/* programs, with the addresses of their places */
};

/*
 * A thread is stopped, at its birth or behind an exec: set its breakpoints. False, with the reason
 * and errno: its program lacks a place (ENOENT), or it has ended (ESRCH).
 */
bool triggers_arm(struct triggers *triggers, pid_t tid, struct problem *why);

/* True if the program of this thread lacks a place. */
bool triggers_refused(const struct triggers *triggers, pid_t tid);

enum trigger_turn { TRIGGER_NONE, TRIGGER_START, TRIGGER_STOP };

/*
 * A thread stopped at a SIGTRAP. False: the signal is not pfmon's. Else *@turn is the change of its
 * monitoring.
 */
bool triggers_hit(struct triggers *triggers, pid_t tid, enum trigger_turn *turn);

/* The thread has ended, or executes another program. */
void triggers_end(struct triggers *triggers, pid_t tid);
void triggers_free(struct triggers *triggers);

#endif /* PFMON_RUN_TRIGGERS_H */
