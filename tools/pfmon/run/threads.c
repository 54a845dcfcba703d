// SPDX-License-Identifier: GPL-2.0
/* The threads of processes: listed, seized, and followed from birth to end. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/follow.h"
#include "run/news.h"
#include "run/privileges.h"
#include "run/procfs.h"
#include "run/threads.h"

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

/* False: the thread has ended. Else @traced is true if it is traced. */
static bool seize_or_look(struct running *process, pid_t tid, bool *traced)
{
	enum seized seized;
	int error;
	pid_t tracer;

	*traced = false;
	if (process->seen_only)
		return true;
	seized = seize(tid);
	*traced = seized == SEIZED;
	if (seized != REFUSED)
		return seized == SEIZED;
	error = errno;
	tracer = tracer_of(tid);
	if (tracer < 0)
		return false;
	process->seen_only = tracer ? xasprintf("process %d traces it already", (int)tracer) :
				      xasprintf("it cannot be traced: %s", strerror(error));
	return true;
}

static struct task *know(struct threads *threads, struct running *process, pid_t tid, bool traced)
{
	struct task *task = tasks_add(&threads->tasks, tid);

	task->process = process;
	task->traced = traced;
	process->live++;
	return task;
}

static void drop(struct threads *threads, struct task *task)
{
	task->process->live--;
	tasks_remove(&threads->tasks, task->tid);
}

/*
 * Begin with a listed thread. If it has ended it is not kept: no report will come when its number
 * is free, and another thread may soon have that number. False: it cannot be measured.
 */
static bool begin(struct threads *threads, struct running *process, pid_t tid,
		  struct problem *why)
{
	struct task *task;
	bool traced;

	if (!seize_or_look(process, tid, &traced)) {
		errno = ESRCH;
		return false;
	}
	task = know(threads, process, tid, traced);
	if (threads->ops->add(threads->data, task, threads->begun, why))
		return true;
	if (!traced && errno == ESRCH) {
		drop(threads, task);
		errno = ESRCH;
	}
	return false;
}

/*
 * Begin with unknown threads. Returns their number, or -1, with the reason: pfmon may not measure
 * one of them. With a NULL @why that is only noted.
 */
static int scan(struct threads *threads, struct running *process, struct problem *why)
{
	struct dirent *entry;
	char path[PROC_PATH];
	int fresh = 0;
	pid_t tid;
	DIR *dir;

	proc_path(path, process->pid, "task");
	dir = opendir(path);
	while (dir && fresh >= 0 && (entry = readdir(dir))) {
		tid = atoi(entry->d_name);
		if (tid <= 0 || tasks_find(&threads->tasks, tid))
			continue;
		if (begin(threads, process, tid, why))
			fresh++;
		else if (why && errno != ESRCH)
			fresh = -1;
	}
	if (dir)
		closedir(dir);
	return fresh;
}

static bool begin_process(struct threads *threads, struct running *process, struct problem *why)
{
	int fresh, all = 0, scans = 0;

	do {
		fresh = scan(threads, process, why);
		all += fresh;
	} while (fresh > 0 && ++scans < MAX_SCANS);
	if (fresh < 0) {
		append(why->what, sizeof(why->what), ", process %d", (int)process->pid);
		return false;
	}
	return all || problem(why, "there is no process %d", (int)process->pid);
}

bool threads_begin(struct threads *threads, const struct threads_ops *ops, void *data,
		   const struct ids *pids, struct problem *why)
{
	size_t i;

	threads->ops = ops;
	threads->data = data;
	threads->process = xcalloc(pids->n, sizeof(*threads->process));
	threads->n = pids->n;
	for (i = 0; i < pids->n; i++)
		threads->process[i].pid = pids->id[i];
	if (!proc_must_be_ours("-p", why))
		return false;
	for (i = 0; i < threads->n; i++)
		if (!begin_process(threads, &threads->process[i], why))
			return false;
	threads->begun = true;
	return true;
}

bool threads_look(const struct threads *threads)
{
	size_t i;

	for (i = 0; i < threads->n; i++)
		if (threads->process[i].seen_only)
			return true;
	return false;
}

/* True: there are new threads. Without any, the process has ended. */
static bool scan_again(struct threads *threads, struct running *process)
{
	const bool fresh = !process->over && scan(threads, process, NULL) > 0;

	process->over = !process->live;
	return fresh;
}

bool threads_scan(struct threads *threads)
{
	bool fresh = false;
	size_t i;

	for (i = 0; i < threads->n; i++)
		fresh |= scan_again(threads, &threads->process[i]);
	return fresh;
}

bool threads_trace(const struct threads *threads, pid_t tid)
{
	const struct task *task = tasks_find(&threads->tasks, tid);

	return task && task->traced;
}

void threads_forget(struct threads *threads, pid_t tid)
{
	struct task *task = tasks_find(&threads->tasks, tid);

	if (!task)
		return;
	task->part = NULL;
	if (!task->traced) /* else wait4() reports when the number is free */
		drop(threads, task);
}

static void end_thread(struct threads *threads, pid_t tid)
{
	struct task *task = tasks_find(&threads->tasks, tid);

	if (!task)
		return;
	threads->ops->end(threads->data, task);
	drop(threads, task);
}

/* All other threads are gone; the thread that executed has the number of the process now. */
static pid_t rename_thread(struct threads *threads, pid_t pid)
{
	unsigned long former = (unsigned long)pid;

	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &former);
	if ((pid_t)former != pid && tasks_find(&threads->tasks, (pid_t)former)) {
		end_thread(threads, pid);
		tasks_rename(&threads->tasks, (pid_t)former, pid);
	}
	return (pid_t)former;
}

/* The process of a thread; NULL: none of those that are measured. */
static struct running *process_with(struct threads *threads, pid_t tid)
{
	const pid_t pid = process_of(tid);
	size_t i;

	for (i = 0; i < threads->n; i++)
		if (threads->process[i].pid == pid && !threads->process[i].over)
			return &threads->process[i];
	return NULL;
}

/* False: it is of a process that is not measured. */
static bool meet(struct threads *threads, pid_t tid, bool executes)
{
	const pid_t former = executes ? rename_thread(threads, tid) : tid;
	struct task *task = tasks_find(&threads->tasks, tid);
	struct running *process;

	if (task && executes) {
		privileges_note(&threads->notes, tid, false);
		threads->ops->exec(threads->data, task, former);
	}
	if (task)
		return true;
	process = process_with(threads, tid);
	if (!process)
		return false;
	threads->ops->add(threads->data, know(threads, process, tid, true), true, NULL);
	return true;
}

static void take_end(struct threads *threads, pid_t tid)
{
	const struct task *task = tasks_find(&threads->tasks, tid);
	struct running *process = task ? task->process : NULL;

	end_thread(threads, tid);
	if (process && !process->live)
		scan_again(threads, process); /* there may be threads that are not reported yet */
}

void threads_event(struct threads *threads, pid_t tid, int status)
{
	if (!WIFSTOPPED(status)) {
		if (!threads->over)
			take_end(threads, tid);
		return;
	}
	if (threads->over || meet(threads, tid, news_event(status) == PTRACE_EVENT_EXEC))
		follow_pass(tid, status);
	else
		follow_release(tid, news_event(status) ? 0 : WSTOPSIG(status));
}

static void note_seen_only(const struct threads *threads, const struct running *process,
			   struct strings *notes)
{
	char of[40] = "";

	if (threads->n > 1)
		snprintf(of, sizeof(of), " in process %d", (int)process->pid);
	strings_add(notes,
		    xasprintf("threads that started later%s were looked for each %d ms, so the first of them were missed, as %s",
			      of, THREADS_LOOK_MS, process->seen_only));
}

void threads_end(struct threads *threads, struct strings *notes)
{
	size_t i;

	threads->over = true;
	for (i = 0; i < threads->notes.n; i++)
		strings_add(notes, xstrdup(threads->notes.text[i]));
	for (i = 0; i < threads->n; i++)
		if (threads->process[i].seen_only)
			note_seen_only(threads, &threads->process[i], notes);
}

void threads_free(struct threads *threads)
{
	struct task *task;
	size_t i;

	while ((task = tasks_any(&threads->tasks)))
		tasks_remove(&threads->tasks, task->tid);
	for (i = 0; i < threads->n; i++)
		free(threads->process[i].seen_only);
	free(threads->process);
	strings_free(&threads->notes);
}

void threads_by_tracer(void *(*work)(void *data), void *data)
{
	pthread_t tracer;

	if (pthread_create(&tracer, NULL, work, data))
		work(data);
	else
		pthread_join(tracer, NULL);
}
