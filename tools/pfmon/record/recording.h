/* SPDX-License-Identifier: GPL-2.0 */
/* A recording that is being made: what goes into the file, see data/format.h. */
#ifndef PFMON_RECORD_RECORDING_H
#define PFMON_RECORD_RECORDING_H

#include "data/build_id.h"
#include "data/write.h"
#include "ledger.h"
#include "record/kernel_events.h"
#include "record/proc.h"
#include "record/vdso.h"
#include "session/sampler.h"

/* A jit-PID.dump that a process has mapped. */
struct recorded_dump {
	pid_t		pid;
	char		*name;
	uint64_t	time;
};

struct recording {
	struct profile_writer	file;
	uint32_t		contexts;	/* so many have an id */
	struct kernel_symbols	kernel;
	bool			kernel_known;	/* ... was read */
	uint64_t		samples;	/* that are in the file ... */
	uint64_t		waiting;	/* ... and that will be, as far as one knows */
	const struct sampling	*sampling;
	struct recorded_dump	*dump;
	size_t			ndumps, dump_room;
	struct vdso		vdso;
	struct ledger		ledger;		/* of all contexts that were left */
	bool			has_ledger;
	double			started;
};

/* What is known before the first sample. */
struct recording_about {
	const char		*output;
	int			compress;	/* a level of zstd's; 0: not at all */
	char			**command;	/* or NULL */
	const struct pmu	*pmu;
	const struct events	*events;	/* in the order of the sampling's plan */
	const struct sampling	*sampling;
	const struct kernel_sampling *kernel;	/* or NULL: none of the kernel's */
	uint64_t		flush_ns;	/* how often what there is goes out; 0: each second */
};

/* Begin the file. */
bool recording_begin(struct recording *recording, const struct recording_about *about,
		     struct problem *why);

/* Samples come from one context more: of a thread, or of a CPU. Returns its id. */
uint32_t recording_thread(struct recording *recording, pid_t pid, pid_t tid);
uint32_t recording_cpu(struct recording *recording, unsigned int cpu);

/* Append samples of a context. */
void recording_samples(struct recording *recording, uint32_t context,
		       const struct batch *batch);

/* The same of the kernel's events: they have neither values nor branches. */
void recording_kernel_samples(struct recording *recording, uint32_t context,
			      const struct batch *batch);

/* All that there is goes to the file. */
void recording_flush(struct recording *recording);

/* What happened to a process, and when: ns on the samples' clock, 0 for before all of them. */
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

/* The context is about to be closed: keep its ledger. */
void recording_leave(struct recording *recording, uint32_t context, const struct ledger *ledger);

void recording_note(struct recording *recording, const char *note);

/* Finish the file. False: it is not complete; @why. */
bool recording_end(struct recording *recording, int status, bool interrupted,
		   struct problem *why);

#endif /* PFMON_RECORD_RECORDING_H */
