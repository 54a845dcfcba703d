/* SPDX-License-Identifier: GPL-2.0 */
/* One measurement: what is counted, for how long, and what came out. */
#ifndef PFMON_STAT_RUN_H
#define PFMON_STAT_RUN_H

#include <sys/types.h>

#include "run/programs.h"
#include "run/triggers.h"
#include "stat/parts.h"

/* What to count. */
enum target_kind {
	TARGET_COMMAND,		/* the command, from its first instruction */
	TARGET_PROCESS,		/* all threads of a process: id */
	TARGET_THREAD,		/* id */
	TARGET_CPUS,		/* cpus[]; or all of them */
	TARGET_CGROUP,		/* the tasks that are in the control group @cgroup */
};

struct target {
	enum target_kind kind;
	pid_t		id;
	const char	*cgroup;	/* a directory */
	unsigned int	*cpus;
	size_t		ncpus;
	bool		all_cpus;
	const char	*core_type;	/* of CPUs or a command: keep to CPUs of it; or NULL */
	char		**command;	/* also for the other kinds: how long to count */
	bool		first_only;	/* of a command: not its children and threads */
	struct programs	programs;	/* that are counted, of those that it executes */
	struct trigger_options triggers; /* where that starts and stops */
	uint64_t	timeout_ms;	/* of counting; 0: none */
	uint64_t	delay_ms;	/* before counting */
	uint64_t	interval_ms;	/* show what was counted so often; 0: at the end only */
	bool		each;		/* show each thread or CPU */
};

struct run;

/* What looks at the counts while they are made. @time: seconds since counting began. */
struct watch {
	void	(*interval)(void *data, struct run *run, double time);
	void	*data;
};

/* The outcome. */
struct run {
	uint64_t	*count;		/* one for each event, as it was read */
	struct set_time	*set;		/* one for each event set */
	uint64_t	*scaled;	/* one for each event: what it is for the whole time */
	double		*error;		/* its standard error; below 0: not known */
	struct parts	parts;
	const struct watch *watch;	/* or NULL */
	unsigned int	number;		/* of the runs with -r; each begins with another event set */
	double		elapsed;	/* seconds that were counted */
	double		user, sys;	/* of the command */
	unsigned int	sessions;	/* threads or CPUs that were counted */
	int		status;		/* what pfmon's exit status is after this run */
	bool		interrupted;	/* by a signal to pfmon */
	struct strings	notes;		/* what the reader of the counts has to know */
};

/* Nothing was counted yet. @number and @watch stay; what else is in @run is forgotten. */
void run_begin(struct run *run, const struct target *target, const struct plan *plan);

/* Its parts are over: sums and estimates. */
void run_end(struct run *run);
void run_free(struct run *run);

/* Counts alone, scaled by the times that are with them; a copy. */
void run_from_tally(struct run *run, const struct plan *plan, const struct tally *tally);

#endif /* PFMON_STAT_RUN_H */
