/* SPDX-License-Identifier: GPL-2.0 */
/* A command that runs while other targets are measured: its end is that of the measurement. */
#ifndef PFMON_RUN_BESIDE_H
#define PFMON_RUN_BESIDE_H

#include "run/child.h"
#include "run/loop.h"
#include "run/news.h"
#include "util.h"

struct beside {
	char		**command;	/* NULL: there is none; nothing is started or awaited */
	struct child	child;
	bool		gone;		/* it has ended; the verb sets it, when it gets that news */
};

/* Start it; it waits for beside_go(). False, with the reason. */
bool beside_start(struct beside *beside, char **command, struct problem *why);
void beside_go(struct beside *beside);

/* It must not run after all. */
void beside_abandon(struct beside *beside);

/* True if @tid is the command. */
bool beside_is(const struct beside *beside, pid_t tid);

/* pfmon got a signal: true if the measurement ends by it, or else the command gets it. */
bool beside_signal(const struct beside *beside, const struct loop *loop);

/*
 * The measurement is over: wait for the end of the command, which @handle gets, or terminate it
 * because the @time is up. False, with the reason: the command was not executed, and @status is
 * the exit status.
 */
bool beside_end(struct beside *beside, bool time, void (*handle)(void *data, const struct news *),
		void *data, int *status, struct problem *why);

#endif /* PFMON_RUN_BESIDE_H */
