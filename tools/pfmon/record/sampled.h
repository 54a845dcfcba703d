/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processes that have samples. When one ends, or the recording, the names of the code that it
 * made at run time go to the file.
 */
#ifndef PFMON_RECORD_SAMPLED_H
#define PFMON_RECORD_SAMPLED_H

#include "record/files.h"
#include "record/recording.h"

struct sampled_processes {
	void		*tree;		/* by process */
	struct sampled_process *last;	/* of the last sample: most likely that of the next one */
	struct sampled_process **ending; /* a thread of it has ended */
	size_t		nending, ending_room;
	double		next;		/* the time of the next look at these */
	struct roots	roots;
};

/* A process may have samples, and is there now; it has samples. */
void sampled_expect(struct sampled_processes *sampled, pid_t pid);
void sampled_note(struct sampled_processes *sampled, pid_t pid);

/* It executes another program; it is a new process. */
void sampled_exec(struct sampled_processes *sampled, pid_t pid);
void sampled_fork(struct sampled_processes *sampled, pid_t pid);

/* A thread of it ends. Later on, write the names of the processes that are gone. */
void sampled_exit(struct sampled_processes *sampled, pid_t pid);
void sampled_tell_ended(struct sampled_processes *sampled, struct recording *recording);

/* Write the names of a process, which ends; of all. */
void sampled_tell(struct sampled_processes *sampled, struct recording *recording, pid_t pid);
void sampled_tell_all(struct sampled_processes *sampled, struct recording *recording);

void sampled_close(struct sampled_processes *sampled);

#endif /* PFMON_RECORD_SAMPLED_H */
