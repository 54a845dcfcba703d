/* SPDX-License-Identifier: GPL-2.0 */
/* A recording in memory: what was sampled, where the samples are, what was lost. */
#ifndef PFMON_DATA_PROFILE_H
#define PFMON_DATA_PROFILE_H

#include <sys/types.h>

#include "data/build_id.h"
#include "data/hits.h"
#include "data/ranges.h"
#include "ledger.h"
#include "util.h"

struct sampled_event {
	char		*name, *full;
	unsigned int	pmd, set;
	uint32_t	levels;		/* LEVEL_* */
	uint64_t	period, random_mask;
	uint32_t	nbodies;
	uint64_t	samples;
	uint64_t	occurrences;	/* that the samples stand for: their periods' sum */
};

/* What a sample can be in. */
struct object {
	char		*name;		/* of a file, or "[vdso]", ... */
	struct build_id	id;
};

#define OBJECT_UNKNOWN	0		/* at no mapping that was recorded */
#define OBJECT_KERNEL	1

struct sampled_context {
	uint32_t	id;
	bool		thread;		/* else a CPU */
	pid_t		pid;
	struct ledger	ledger;
};

struct process {
	pid_t		pid;
	struct ranges	maps;		/* what: an object */
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
	bool		known_format;	/* samples can be understood */
	bool		has_ledger;
	bool		finished;	/* by `pfmon record` itself */
	bool		interrupted;
	int		status;

	struct sampled_event	*event;
	size_t			nevents, event_room;
	struct object		*object;
	size_t			nobjects, object_room;
	struct sampled_context	*context;
	size_t			ncontexts, context_room;
	struct process		*process;
	size_t			nprocesses, process_room;
	struct kernel_name	*kernel_name;
	size_t			nkernel_names, kernel_name_room;
	struct ranges		kernel;		/* what: a kernel_name */

	struct hits		hits;
};

/* The object of this name and build id; a new one if there was none. */
size_t profile_find_object(struct profile *profile, const char *name, const struct build_id *id);

/* The process; a new one without mappings if there was none. Valid until the next one. */
struct process *profile_find_process(struct profile *profile, pid_t pid);

/* The context, or NULL. */
struct sampled_context *profile_find_context(struct profile *profile, uint32_t id);

/* Of all contexts. */
struct ledger profile_ledger(const struct profile *profile);

void profile_free(struct profile *profile);

#endif /* PFMON_DATA_PROFILE_H */
