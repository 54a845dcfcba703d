/* SPDX-License-Identifier: GPL-2.0 */
/* One measurement: the target, the time, and the outcome. */
#ifndef PFMON_STAT_RUN_H
#define PFMON_STAT_RUN_H

#include <sys/types.h>

#include "run/choice.h"
#include "run/ids.h"
#include "stat/parts.h"

/* The kinds of targets. */
enum target_kind {
	TARGET_COMMAND,		/* the command, from its first instruction */
	TARGET_PROCESS,		/* all threads of processes: ids */
	TARGET_THREAD,		/* threads: ids */
	TARGET_CPUS,		/* cpus[]; or all of them */
	TARGET_CGROUP,		/* the tasks that are in the control group @cgroup */
};

struct target {
	enum target_kind kind;
	struct ids	ids;
	const char	*cgroup;	/* a directory */
	unsigned int	*cpus;
	size_t		ncpus;
	bool		all_cpus;
	const char	*core_type;	/* keep CPUs or a command to CPUs of this type; or NULL */
	char		**command;	/* for the other kinds: count until it ends */
	struct choice	choice;		/* of a command: what is counted of it */
	uint64_t	timeout_ms;	/* of counting; 0: none */
	uint64_t	delay_ms;	/* before counting */
	uint64_t	interval_ms;	/* show the counts at this interval; 0: at the end only */
	bool		each;		/* show each thread or CPU */
};

struct run;

/* An observer of the counts during a run. @time: seconds since counting began. */
struct watch {
	void	(*interval)(void *data, struct run *run, double time);
	void	*data;
};

/* The outcome. */
struct run {
	uint64_t	*count;		/* one for each event, as it was read */
	struct set_time	*set;		/* one for each event set */
	uint64_t	*scaled;	/* one for each event: the estimate for the whole time */
	double		*error;		/* its standard error; below 0: unknown */
	struct parts	parts;
	const struct watch *watch;	/* or NULL */
	unsigned int	number;		/* of the runs with -r; each begins with another event set */
	double		elapsed;	/* seconds of counting */
	double		user, sys;	/* of the command */
	unsigned int	sessions;	/* threads or CPUs that were counted */
	int		status;		/* pfmon's exit status after this run */
	bool		interrupted;	/* by a signal to pfmon */
	struct strings	notes;		/* facts that the reader of the counts must know */
};

/* Begin without counts. @number and @watch stay; all else in @run is dropped. */
void run_begin(struct run *run, const struct target *target, const struct plan *plan);

/* The parts of @run have ended: compute sums and estimates. */
void run_end(struct run *run);
void run_free(struct run *run);

/* A run with a copy of these counts alone, scaled by the times in @tally. */
void run_from_tally(struct run *run, const struct plan *plan, const struct tally *tally);

#endif /* PFMON_STAT_RUN_H */
