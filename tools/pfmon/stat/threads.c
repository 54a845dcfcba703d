// SPDX-License-Identifier: GPL-2.0
/* The threads of a process: listed, seized, and followed from birth to end. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/follow.h"
#include "run/privileges.h"
#include "run/procfs.h"
#include "stat/threads.h"

/* The most scans of a process: threads can appear as fast as they are listed. */
#define MAX_SCANS	100

/* An earlier run releases a thread when its tracer ends: wait for that, 50 ms at most. */
#define SEIZE_TRIES	50
#define SEIZE_NS	1000000

/* The thread that traces @tid; 0: none; -1: it has ended, which is no error. */
static pid_t tracer_of(pid_t tid)
{
	char path[PROC_PATH], line[256], state = '\0';
	int tracer = 0;
	FILE *file;

	proc_path(path, tid, "status");
	file = fopen(path, "re");
	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "State: %c", &state);
		if (sscanf(line, "TracerPid: %d", &tracer) == 1)
			break;
	}
	fclose(file);
	return state == 'Z' || state == 'X' ? -1 : tracer;
}

static bool is_of_process(const struct threads *threads, pid_t tid)
{
	char path[PROC_PATH];

	snprintf(path, sizeof(path), "/proc/%d/task/%d", (int)threads->pid, (int)tid);
	return !access(path, F_OK);
}

static bool is_pfmons(pid_t tracer)
{
	char path[PROC_PATH];

	snprintf(path, sizeof(path), "/proc/self/task/%d", (int)tracer);
	return !access(path, F_OK);
}

enum seized { SEIZED, REFUSED, GONE };

/* A thread that a traced thread created is traced already. */
static enum seized seize(pid_t tid)
{
	const struct timespec pause = { .tv_nsec = SEIZE_NS };
	const unsigned long options = PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
	unsigned int tries;
	pid_t tracer;

	for (tries = 0; tries < SEIZE_TRIES; tries++) {
		if (!ptrace(PTRACE_SEIZE, tid, NULL, (void *)options))
			return SEIZED;
		tracer = errno == ESRCH ? -1 : tracer_of(tid);
		if (tracer < 0)
			return GONE;
		if (tracer == gettid())
			return SEIZED;
		if (tracer ? !is_pfmons(tracer) : tries)
			return REFUSED;
		nanosleep(&pause, NULL);
	}
	return REFUSED;
}

/* False: the thread has ended. */
static bool seize_or_look(struct threads *threads, pid_t tid)
{
	enum seized seized;
	int error;
	pid_t tracer;

	if (threads->seen_only)
		return true;
	seized = seize(tid);
	if (seized != REFUSED)
		return seized == SEIZED;
	error = errno;
	tracer = tracer_of(tid);
	if (tracer < 0)
		return false;
	threads->seen_only = tracer ? xasprintf("process %d traces it already", (int)tracer) :
				      xasprintf("it cannot be traced: %s", strerror(error));
	return true;
}

/*
 * Begin with a listed thread. If it has ended it is not kept: no report will come when its number
 * is free, and another thread may soon have that number. False: it cannot be counted.
 */
static bool begin(struct threads *threads, pid_t tid, bool must, struct problem *why)
{
	struct task *task;

	if (!seize_or_look(threads, tid)) {
		errno = ESRCH;
		return false;
	}
	task = tasks_add(&threads->tasks, tid);
	task->part = must ? parts_add(threads->parts, tid, why) : parts_try(threads->parts, tid);
	if (task->part)
		return true;
	if (threads->seen_only && errno == ESRCH)
		tasks_remove(&threads->tasks, tid);
	return false;
}

/* Begin with unknown threads. Returns their number, or -1: pfmon may not count one of them. */
static int scan(struct threads *threads, bool must, struct problem *why)
{
	struct dirent *entry;
	char path[PROC_PATH];
	int fresh = 0;
	pid_t tid;
	DIR *dir;

	proc_path(path, threads->pid, "task");
	dir = opendir(path);
	while (dir && fresh >= 0 && (entry = readdir(dir))) {
		tid = atoi(entry->d_name);
		if (tid <= 0 || tasks_find(&threads->tasks, tid))
			continue;
		if (begin(threads, tid, must, why))
			fresh++;
		else if (must && errno != ESRCH)
			fresh = -1;
	}
	if (dir)
		closedir(dir);
	return fresh;
}

bool threads_begin(struct threads *threads, struct parts *parts, pid_t pid,
		   struct problem *why)
{
	int fresh, scans = 0;

	threads->parts = parts;
	threads->pid = pid;
	if (!proc_must_be_ours("-p", why))
		return false;
	do {
		fresh = scan(threads, true, why);
		if (fresh < 0)
			append(why->what, sizeof(why->what), ", process %d", (int)pid);
	} while (fresh > 0 && ++scans < MAX_SCANS);
	if (fresh >= 0 && !parts->live)
		problem(why, "there is no process %d", (int)pid);
	return fresh >= 0 && parts->live;
}

bool threads_look(const struct threads *threads)
{
	return threads->seen_only != NULL;
}

bool threads_scan(struct threads *threads)
{
	return scan(threads, false, NULL) > 0;
}

void threads_forget(struct threads *threads, pid_t tid)
{
	struct task *task = tasks_find(&threads->tasks, tid);

	if (task)
		task->part = NULL;
	if (threads->seen_only) /* else wait4() reports when the number is free */
		tasks_remove(&threads->tasks, tid);
}

static void end_thread(struct threads *threads, pid_t tid)
{
	struct task *task = tasks_find(&threads->tasks, tid);

	if (task && task->part)
		part_end(threads->parts, task->part);
	tasks_remove(&threads->tasks, tid);
}

/* All other threads are gone; the thread that executed has the number of the process now. */
static void exec_thread(struct threads *threads, pid_t pid)
{
	unsigned long former = (unsigned long)pid;
	struct task *task;
	char *lost;

	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &former);
	if ((pid_t)former != pid && tasks_find(&threads->tasks, (pid_t)former)) {
		end_thread(threads, pid);
		tasks_rename(&threads->tasks, (pid_t)former, pid);
	}
	lost = privileges_lost(pid);
	if (lost)
		strings_add_once(&threads->notes, lost);
	task = tasks_find(&threads->tasks, pid);
	if (task && task->part)
		part_exec(threads->parts, task->part, pid);
}

void threads_event(struct threads *threads, pid_t tid, int status)
{
	if (!WIFSTOPPED(status)) {
		if (!threads->over)
			end_thread(threads, tid);
		return;
	}
	if (!threads->over && !tasks_find(&threads->tasks, tid)) {
		if (!is_of_process(threads, tid)) { /* a new process: it is not followed */
			follow_release(tid, follow_event(status) ? 0 : WSTOPSIG(status));
			return;
		}
		tasks_add(&threads->tasks, tid)->part = parts_try(threads->parts, tid);
	}
	if (!threads->over && follow_event(status) == PTRACE_EVENT_EXEC)
		exec_thread(threads, tid);
	follow_pass(tid, status);
}

void threads_end(struct threads *threads, struct strings *notes)
{
	size_t i;

	threads->over = true;
	for (i = 0; i < threads->notes.n; i++)
		strings_add(notes, xstrdup(threads->notes.text[i]));
	if (threads->seen_only)
		strings_add(notes,
			    xasprintf("threads that started later were looked for each 10 ms, so the first of them were missed, as %s",
				      threads->seen_only));
}

void threads_free(struct threads *threads)
{
	struct task *task;

	while ((task = tasks_any(&threads->tasks)))
		tasks_remove(&threads->tasks, task->tid);
	free(threads->seen_only);
	strings_free(&threads->notes);
}
