/* SPDX-License-Identifier: GPL-2.0 */
/* What `pfmon record` samples, for how long, and how that ended. */
#ifndef PFMON_RECORD_TARGET_H
#define PFMON_RECORD_TARGET_H

#include <sys/types.h>

#include "run/programs.h"
#include "run/triggers.h"
#include "util.h"

struct record_target {
	enum {
		RECORD_COMMAND,		/* the command, from its first instruction */
		RECORD_PROCESSES,	/* the threads of running processes: ids */
		RECORD_THREADS,		/* running threads: ids */
		RECORD_CPUS,		/* cpus[] */
	} kind;
	pid_t		*ids;
	size_t		nids, id_room;
	unsigned int	*cpus;
	size_t		ncpus;
	const char	*core_type;	/* of CPUs or a command: keep to CPUs of it; or NULL */
	char		**command;	/* also for the other kinds: how long to sample */
	bool		first_only;	/* of a command: not its children and threads */
	struct programs	programs;	/* that are sampled, of those that it executes */
	struct trigger_options triggers; /* where that starts and stops */
	uint64_t	timeout_ms;	/* 0: none */
	uint64_t	delay_ms;	/* sample only so much later */
};

struct record_result {
	int		status;		/* what pfmon's exit status is */
	bool		interrupted;	/* by a signal to pfmon */
};

#endif /* PFMON_RECORD_TARGET_H */
