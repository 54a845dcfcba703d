/* SPDX-License-Identifier: GPL-2.0 */
/* A recording in progress: the records of its file, see data/format.h. */
#ifndef PFMON_RECORD_RECORDING_H
#define PFMON_RECORD_RECORDING_H

#include "data/build_id.h"
#include "data/write.h"
#include "ledger.h"
#include "record/clock.h"
#include "record/kernel_events.h"
#include "record/kernel_names.h"
#include "record/proc.h"
#include "record/vdso.h"
#include "session/sampler.h"

/* A jit-PID.dump that a process has mapped. */
struct recorded_dump {
	pid_t		pid;		/* 0: it was read */
	char		*name;
	uint64_t	time;		/* of the mapping; 0: unknown */
	struct clock_moment mapped;	/* soon after the mapping; unknown without perf's event */
};

struct recording {
	struct profile_writer	file;
	uint32_t		contexts;	/* the number of contexts with an id */
	struct kernel_names	kernel;
	uint64_t		samples;	/* the number in the file ... */
	uint64_t		waiting;	/* ... and the number that waits to be written */
	const struct sampling	*sampling;
	struct recorded_dump	*dump;
	size_t			ndumps, dump_room;
	struct vdso		vdso;
	struct ledger		ledger;		/* the sum of all closed contexts */
	bool			has_ledger;
	double			started;
};

/* The facts known before the first sample. */
struct recording_about {
	const char		*output;
	int			compress;	/* a level of zstd's; 0: not at all */
	char			**command;	/* or NULL */
	const struct pmu	*pmu;
	const struct events	*events;	/* in the order of the sampling's plan */
	const struct sampling	*sampling;
	const struct kernel_sampling *kernel;	/* or NULL: no event of the kernel */
	uint64_t		flush_ns;	/* the time between flushes; 0: a second */
};

/* Begin the file. */
bool recording_begin(struct recording *recording, const struct recording_about *about,
		     struct problem *why);

/* Add a context as a source of samples, of a thread or of a CPU. Returns its id. */
uint32_t recording_thread(struct recording *recording, pid_t pid, pid_t tid);
uint32_t recording_cpu(struct recording *recording, unsigned int cpu);

/* Append samples of a context. */
void recording_samples(struct recording *recording, uint32_t context,
		       const struct batch *batch);

/* The same of the kernel's events: they have neither values nor branches. */
void recording_kernel_samples(struct recording *recording, uint32_t context,
			      const struct batch *batch);

/* Write all waiting records to the file. */
void recording_flush(struct recording *recording);

/* The events of a process' life, with @time in ns of the samples' clock; 0: before all samples. */
void recording_map(struct recording *recording, pid_t pid, const struct mapping *mapping,
		   const struct build_id *id, uint64_t time);
void recording_unmap(struct recording *recording, pid_t pid, uint64_t start, uint64_t end,
		     uint64_t time);
void recording_exec(struct recording *recording, pid_t pid, uint64_t time);
void recording_comm(struct recording *recording, pid_t pid, pid_t tid, const char *name,
		    uint64_t time);
void recording_fork(struct recording *recording, pid_t pid, pid_t tid, pid_t parent_pid,
		    pid_t parent_tid, uint64_t time);
void recording_exit(struct recording *recording, pid_t pid, pid_t tid, uint64_t time);

/* The kernel has made code: see record/kernel_names.h. */
void recording_kernel_code(struct recording *recording, uint64_t start, uint64_t size,
			   const char *name, const char *module);

/* The context is about to be closed: keep its ledger. */
void recording_leave(struct recording *recording, uint32_t context, const struct ledger *ledger);

void recording_note(struct recording *recording, const char *note);

/* Finish the file. False: it is not complete; @why. */
bool recording_end(struct recording *recording, int status, bool interrupted,
		   struct problem *why);

#endif /* PFMON_RECORD_RECORDING_H */
