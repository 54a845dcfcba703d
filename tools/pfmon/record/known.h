/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The facts about the sampled processes, which go to the file: names, mappings, executions. They
 * come from the sideband, or, where the user may not have that, from /proc.
 */
#ifndef PFMON_RECORD_KNOWN_H
#define PFMON_RECORD_KNOWN_H

#include "record/maps.h"
#include "record/sideband.h"

struct known {
	struct recording *recording;
	struct sideband	sideband;
	struct sampled_processes sampled;
	bool		by_proc;	/* there is no sideband */
	pid_t		expected;	/* of known_expect(), until it is sampled; or 0 */
	bool		stops;		/* a process stops at each exec, until known_exec() */
	bool		cpus;		/* whole CPUs are sampled, with processes that ran before */
	void		*maps;		/* with @by_proc: a search tree by process */
	int		epoll;		/* gets the sideband's rings, with this structure as data */
};

void known_open(struct known *known, struct recording *recording, int epoll);

/* A process that will execute the command is there: from now on the sideband reports it. */
void known_expect(struct known *known, pid_t pid);

/*
 * From @time on a thread is sampled. @born: a sampled thread created it, so that the sideband
 * reports it.
 */
void known_thread(struct known *known, pid_t pid, pid_t tid, bool born, uint64_t time);

/* A CPU is sampled; and the names and mappings of a process that may run there. */
void known_cpu(struct known *known, unsigned int cpu);
void known_tell(struct known *known, pid_t pid);

/*
 * Before samples are written, and behind them; @time is that of the last sample. @pid is their
 * process if its mappings are still those of the samples; else 0.
 */
void known_before(struct known *known, pid_t pid);
void known_after(struct known *known, pid_t pid, uint64_t time);

/*
 * The time for samples without one that are about to be taken: @now, which the caller has read
 * before; or if the process stands behind an exec, just before that, as they come from the former
 * program. @pid 0: of several processes.
 */
uint64_t known_date(struct known *known, pid_t pid, uint64_t now);

/* True if facts must come from /proc, and /proc is of another pid namespace. */
bool known_lacks_proc(const struct known *known);

/*
 * A process executes another program, which the sideband reports by itself; @time is that of the
 * last sample before, or 0 ...
 */
void known_exec(struct known *known, pid_t pid, uint64_t time);

/* ... but not if the program has other privileges: then the sideband has ended, behind @time. */
void known_exec_privileged(struct known *known, pid_t pid, uint64_t time);

/* These samples are written: of a process, or with 0 each of its own. */
void known_samples(struct known *known, pid_t pid, const struct batch *batch);

/* A process ends; the recording ends. */
void known_end(struct known *known, pid_t pid);
void known_end_all(struct known *known);

void known_close(struct known *known);

#endif /* PFMON_RECORD_KNOWN_H */
