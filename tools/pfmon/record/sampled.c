// SPDX-License-Identifier: GPL-2.0
/* The processes that have samples. */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "record/jit.h"
#include "record/jitdump.h"
#include "record/sampled.h"
#include "run/loop.h"

#define PATIENCE	0.1	/* seconds between looks for the ends of processes */

struct sampled_process {
	struct files	files;
	bool		looked;		/* at them, since the process executes this program */
	bool		waits;		/* it has samples, and its names are not written */
	bool		told;		/* they are; later samples need nothing more */
	bool		ending;
};

static int by_pid(const void *one, const void *other)
{
	const struct sampled_process *a = one, *b = other;

	return (a->files.pid > b->files.pid) - (a->files.pid < b->files.pid);
}

static struct sampled_process *find(struct sampled_processes *sampled, pid_t pid)
{
	const struct sampled_process key = { .files.pid = pid };
	void *found;

	if (sampled->last && sampled->last->files.pid == pid)
		return sampled->last;
	found = tfind(&key, &sampled->tree, by_pid);
	if (found)
		sampled->last = *(struct sampled_process **)found;
	return found ? sampled->last : NULL;
}

static struct sampled_process *get(struct sampled_processes *sampled, pid_t pid)
{
	struct sampled_process *process = find(sampled, pid);

	if (process)
		return process;
	process = xcalloc(1, sizeof(*process));
	process->files = (struct files){ .pid = pid, .inner = pid };
	if (tsearch(process, &sampled->tree, by_pid))
		return process;
	complain("out of memory");
	exit(EXIT_PFMON);
}

static bool is_gone(pid_t pid)
{
	return kill(pid, 0) && errno == ESRCH;
}

static void look(struct sampled_processes *sampled, struct sampled_process *process)
{
	process->looked = true;
	if (!files_look(&process->files, &sampled->roots) && is_gone(process->files.pid))
		sampled_exit(sampled, process->files.pid);
}

void sampled_expect(struct sampled_processes *sampled, pid_t pid)
{
	struct sampled_process *process = get(sampled, pid);

	if (!process->looked)
		look(sampled, process);
}

void sampled_note(struct sampled_processes *sampled, pid_t pid)
{
	struct sampled_process *process;

	if (pid <= 0)
		return;
	process = get(sampled, pid);
	process->waits = !process->told;
	if (!process->looked)
		look(sampled, process);
}

void sampled_exec(struct sampled_processes *sampled, pid_t pid)
{
	struct sampled_process *process = find(sampled, pid);

	if (process)
		process->looked = process->told = false;
}

/* The number may have been another process'. */
void sampled_fork(struct sampled_processes *sampled, pid_t pid)
{
	struct sampled_process *process = find(sampled, pid);

	if (!process)
		return;
	files_leave(&process->files, &sampled->roots);
	process->files = (struct files){ .pid = pid, .inner = pid };
	process->looked = process->told = false;
}

void sampled_exit(struct sampled_processes *sampled, pid_t pid)
{
	struct sampled_process *process = find(sampled, pid);

	if (!process || process->ending)
		return;
	process->ending = true;
	GROW(sampled->ending, sampled->nending, sampled->ending_room);
	sampled->ending[sampled->nending++] = process;
}

static void tell(struct sampled_processes *sampled, struct sampled_process *process,
		 struct recording *recording)
{
	if (process->waits) {
		files_look(&process->files, &sampled->roots); /* its user may be another one now */
		jit_tell(recording, &process->files);
		jitdump_tell(recording, &process->files);
		process->told = true;
	}
	process->waits = false;
}

/* Other threads of the process may still run, or its parent has not waited for it yet. */
void sampled_tell_ended(struct sampled_processes *sampled, struct recording *recording)
{
	size_t kept = 0, i;

	if (!sampled->nending || now() < sampled->next)
		return;
	for (i = 0; i < sampled->nending; i++) {
		struct sampled_process *process = sampled->ending[i];

		if (!is_gone(process->files.pid)) {
			sampled->ending[kept++] = process;
			continue;
		}
		process->ending = false;
		tell(sampled, process, recording);
		files_leave(&process->files, &sampled->roots);
	}
	sampled->nending = kept;
	sampled->next = now() + PATIENCE;
}

void sampled_tell(struct sampled_processes *sampled, struct recording *recording, pid_t pid)
{
	struct sampled_process *process = find(sampled, pid);

	if (process)
		tell(sampled, process, recording);
}

struct telling {
	struct sampled_processes *sampled;
	struct recording	*recording;
};

static void tell_node(const void *at, VISIT visit, void *data)
{
	const struct telling *telling = data;

	if (visit == postorder || visit == leaf)
		tell(telling->sampled, *(struct sampled_process *const *)at, telling->recording);
}

void sampled_tell_all(struct sampled_processes *sampled, struct recording *recording)
{
	struct telling telling = { sampled, recording };

	twalk_r(sampled->tree, tell_node, &telling);
}

void sampled_close(struct sampled_processes *sampled)
{
	while (sampled->tree) {
		struct sampled_process *process = *(struct sampled_process **)sampled->tree;

		files_leave(&process->files, &sampled->roots);
		tdelete(process, &sampled->tree, by_pid);
		free(process);
	}
	free(sampled->ending);
	memset(sampled, 0, sizeof(*sampled));
}
