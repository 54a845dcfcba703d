/* SPDX-License-Identifier: GPL-2.0 */
/* A recording in memory: the sampled events, the places of the samples, the losses. */
#ifndef PFMON_DATA_PROFILE_H
#define PFMON_DATA_PROFILE_H

#include <sys/types.h>

#include "data/beside.h"
#include "data/build_id.h"
#include "data/hits.h"
#include "data/paths.h"
#include "data/process.h"
#include "ledger.h"
#include "util.h"

struct sampled_event {
	char		*name, *full;
	unsigned int	pmd, set;
	uint32_t	levels;		/* LEVEL_* */
	uint64_t	period, random_mask;
	uint64_t	hz;		/* requested samples a second, or 0 */
	uint32_t	nbodies;
	uint32_t	nregisters;	/* the last ones of them are bits, no counts */
	struct strings	bodies;		/* their events, as far as the file has them */
	uint64_t	samples;
	uint64_t	occurrences;	/* of the samples: the sum of their periods */
};

/* An object in which samples can be. */
struct object {
	char		*name;		/* of a file, or "[vdso]", ... */
	struct build_id	id;
};

#define OBJECT_UNKNOWN	0		/* not in a recorded mapping */
#define OBJECT_KERNEL	1
#define OBJECT_JIT	2	/* code made at run time: its address is a number of a name */

/* A thread, while it had this name. */
struct sampled_task {
	pid_t		pid, tid;
	char		*comm;
};

struct sampled_context {
	uint32_t	id;
	bool		thread;		/* else a CPU */
	pid_t		pid, tid;
	struct ledger	ledger;
	bool		over;		/* ... is known, as it is at the end */
};

struct kernel_name {
	char		*name, *module;
};

struct profile {
	struct strings	host;		/* in the order of struct profile_host */
	struct strings	command;
	struct strings	notes;
	uint64_t	started;	/* ns since the epoch */
	uint64_t	duration;	/* ns */
	bool		known_format;	/* the samples can be decoded */
	bool		has_ledger;
	bool		finished;	/* by `pfmon record` itself */
	bool		interrupted;
	int		status;
	uint64_t	samples;	/* number in the record of its end */

	struct sampled_event	*event;
	size_t			nevents, event_room;
	struct object		*object;
	size_t			nobjects, object_room;
	struct sampled_context	*context;
	size_t			ncontexts, context_room;
	struct sampled_task	*task;		/* that have samples */
	size_t			ntasks, task_room;
	struct processes	processes;
	struct strings		jit_names;
	struct processes	jit;		/* code made at run time, with a time; ... */
#define JIT_ENDED	SIZE_MAX		/* ... where there was some that is gone */
	bool			jit_timed;	/* ... there is some */
	struct kernel_name	*kernel_name;
	size_t			nkernel_names, kernel_name_room;
	struct ranges		kernel;		/* their what is a kernel_name */

	struct beside		branches, branch_details, chains, counts; /* while samples are taken */
	bool			has_branches, has_chains;
	bool			has_counts;	/* the kernel added samples up */
	struct hits		hits;
	struct paths		paths;		/* ... of theirs */
};

/* One sample, with its place as far as it is known. */
struct sample {
	size_t			event;
	pid_t			pid, tid;
	const char		*comm;		/* or "" */
	unsigned int		cpu;		/* or PROFILE_NO_CPU */
	uint64_t		time;		/* ns, on the recorded machine's clock */
	uint64_t		count;		/* samples that it stands for, itself included */
	uint64_t		period;		/* events that it stands for */
	uint64_t		ip;
	size_t			object;
	uint64_t		address;	/* as in struct hit */
	const uint64_t		*values;	/* of the event's nbodies */
	const struct branch	*branch;	/* branches that led to it, the newest first */
	size_t			nbranches;
	struct chain		chain;		/* the calls that led to it: see data/frames.h */
};

/* The object of this name and build id; a new one if there was none. */
size_t profile_find_object(struct profile *profile, const char *name, const struct build_id *id);

/* The number of the thread with this name; a new one if it had none. */
/* The name of a thread, or ":TID" if it is not known; @number has room for that. */
#define TASK_NUMBER	16

const char *task_name(char *number, const char *comm, pid_t tid);

size_t profile_find_task(struct profile *profile, pid_t pid, pid_t tid, const char *comm);

/* The context, or NULL. */
struct sampled_context *profile_find_context(struct profile *profile, uint32_t id);

/* The sum of all contexts. */
struct ledger profile_ledger(const struct profile *profile);

void profile_free(struct profile *profile);

#endif /* PFMON_DATA_PROFILE_H */
