/* SPDX-License-Identifier: GPL-2.0 */
/* One measurement: what is counted, for how long, and what came out. */
#ifndef PFMON_STAT_RUN_H
#define PFMON_STAT_RUN_H

#include <sys/types.h>

#include "run/session.h"

/* What to count. */
enum target_kind {
	TARGET_COMMAND,		/* the command, from its first instruction */
	TARGET_PROCESS,		/* the threads that a process has now: id */
	TARGET_THREAD,		/* id */
	TARGET_CPUS,		/* cpus[]; or all of them */
};

struct target {
	enum target_kind kind;
	pid_t		id;
	unsigned int	*cpus;
	size_t		ncpus;
	bool		all_cpus;
	char		**command;	/* also for the other kinds: how long to count */
	bool		first_only;	/* of a command: not its children and threads */
	uint64_t	timeout_ms;	/* 0: none */
};

/* The outcome. */
struct run {
	uint64_t	*count;		/* one for each event, as it was read */
	struct set_time	*set;		/* one for each event set, if there are several */
	unsigned int	turn;		/* of the next session: see run_first_set() */
	double		elapsed;	/* seconds that were counted */
	double		user, sys;	/* of the command */
	uint64_t	suspended_ns;	/* a privileged user had the PMU: of all sessions */
	unsigned int	sessions;	/* threads or CPUs that were counted */
	int		status;		/* what pfmon's exit status is after this run */
	bool		interrupted;	/* by a signal to pfmon */
	struct strings	notes;		/* what the reader of the counts has to know */
};

/* Nothing was counted yet: but for @turn, what is in @run is forgotten. */
void run_begin(struct run *run, const struct plan *plan);
void run_free(struct run *run);

/*
 * The event set that the next session begins with: each with another one, so that those
 * which end before the first switch are not all counted in the same.
 */
unsigned int run_first_set(struct run *run, const struct plan *plan);

#endif /* PFMON_STAT_RUN_H */
