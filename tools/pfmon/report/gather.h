/* SPDX-License-Identifier: GPL-2.0 */
/* The samples of one or more recordings, together: counted by place, thread and CPU. */
#ifndef PFMON_REPORT_GATHER_H
#define PFMON_REPORT_GATHER_H

#include "data/profile.h"
#include "names.h"
#include "report/keys.h"

/* A recording, without its samples. */
struct source {
	const char	*input;		/* the file's name */
	const char	*host;		/* or "" */
	struct strings	command;
	uint64_t	started, duration;
	bool		finished, interrupted, has_ledger;
	int		status;
	struct ledger	ledger;
};

/* An event, of all recordings that have it. */
struct gathered_event {
	const char	*name, *full;
	unsigned int	pmd, set;
	uint64_t	period, random_mask;
	uint64_t	hz;		/* samples a second that were requested, or 0 */
	uint64_t	samples, occurrences;
	/* For values.c: the samples for which no symbol can be found, if symbols are requested. */
	uint64_t	unmapped, unread;
};

struct gathered_object {
	const char	*name;
	struct build_id	id;
};

struct gathered_task {
	pid_t		pid, tid;
	const char	*comm;
};

/* A number of samples that are alike. */
struct cell {
	unsigned int	event, object, source, task, cpu;
	uint64_t	address;
	uint64_t	count;
	const char	*symbol;	/* of the kernel or of code made at run time; or NULL */
	const char	*file;		/* the object's name, or a kernel module's */
	size_t		path;		/* of the functions that led there; 0: unknown */
	/* For values.c: */
	const char	*value[KEY_ADDRESS + 1]; /* of symbol, file, line and address, once known */
	bool		wanted;		/* of a function in a path: it is listed already */
};

/* A function that led to samples. */
struct gathered_path {
	size_t		parent;		/* its caller, or 0 */
	struct cell	cell;		/* its place; it has no samples of its own */
};

struct gathered {
	struct source		*source;
	size_t			nsources, source_room;
	struct gathered_event	*event;
	size_t			nevents, event_room;
	struct gathered_object	*object;
	size_t			nobjects, object_room;
	struct gathered_task	*task;
	size_t			ntasks, task_room;
	struct cell		*cell;
	size_t			ncells;
	struct gathered_path	*path;		/* by number; 0 is none */
	size_t			npaths;
	struct strings		notes;
	struct names		names;
};

struct gather_options {
	bool	tasks, cpus;		/* are distinguished */
	bool	paths;			/* likewise the functions that led there */
	bool	any_period;		/* events of one name are one, whatever their periods */
	bool	named;			/* notes name their recording */
	double	from, to;		/* seconds after the first sample; to < 0: without end */
};

/* Add a recording. False: it is missing or damaged. */
bool gather(struct gathered *gathered, const char *input, const struct gather_options *options,
	    struct problem *why);
/* The same for a recording in memory, whose command moves to the source. */
void gather_profile(struct gathered *gathered, const char *input, struct profile *profile,
		    const struct gather_options *options);
void gathered_free(struct gathered *gathered);

#endif /* PFMON_REPORT_GATHER_H */
