/* SPDX-License-Identifier: GPL-2.0 */
/* The target of `pfmon record`, the time for which it is sampled, and the result. */
#ifndef PFMON_RECORD_TARGET_H
#define PFMON_RECORD_TARGET_H

#include <sys/types.h>

#include "run/choice.h"
#include "run/ids.h"
#include "util.h"

struct record_target {
	enum {
		RECORD_COMMAND,		/* the command, from its first instruction */
		RECORD_PROCESSES,	/* the threads of running processes: ids */
		RECORD_THREADS,		/* running threads: ids */
		RECORD_CPUS,		/* cpus[] */
	} kind;
	struct ids	ids;
	unsigned int	*cpus;
	size_t		ncpus;
	const char	*core_type;	/* keep CPUs or a command to CPUs of this type; or NULL */
	char		**command;	/* for the other kinds: sample until it ends */
	struct choice	choice;		/* of a command: what is sampled of it */
	uint64_t	timeout_ms;	/* 0: none */
	uint64_t	delay_ms;	/* the time before sampling begins */
};

struct record_result {
	int		status;		/* pfmon's exit status */
	bool		interrupted;	/* by a signal to pfmon */
};

#endif /* PFMON_RECORD_TARGET_H */
