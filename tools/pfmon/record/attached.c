// SPDX-License-Identifier: GPL-2.0
/* Sampling running targets: the threads of processes, threads, or whole CPUs. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "record/attached.h"
#include "run/child.h"
#include "run/follow.h"
#include "run/loop.h"
#include "run/news.h"
#include "run/procfs.h"
#include "run/threads.h"

struct attached {
	struct recorder			*recorder;
	const struct record_target	*target;
	struct record_result		*result;
	struct problem			*why;
	struct child			child;		/* the command; pid 0: there is none */
	bool				gone;		/* the command has ended */
	struct threads			threads;	/* of processes */
	bool				ok;
};

static bool sample_thread(void *data, struct task *task, bool born, struct problem *why)
{
	const struct attached *a = data;
	struct problem missed;

	if (recorder_add_thread(a->recorder, task->process->pid, task->tid, born, why ?: &missed))
		return true;
	if (!why && errno != ESRCH)
		recorder_missed(a->recorder, &missed);
	return false;
}

static void sample_program(void *data, struct task *task, pid_t former)
{
	const struct attached *a = data;
	struct recorder *r = a->recorder;
	struct problem why;

	if (!recorder_exec(r, task->tid, former, &why))
		strings_add(&r->notes,
			    xasprintf("process %d executed a program with other privileges, and was sampled until there: %s",
				      (int)task->tid, why.what));
}

static void end_thread(void *data, struct task *task)
{
	const struct attached *a = data;

	recorder_end(a->recorder, task->tid);
}

static const struct threads_ops sampling = {
	.add = sample_thread, .exec = sample_program, .end = end_thread,
};

static bool attach_thread(struct recorder *r, pid_t tid, struct problem *why)
{
	if (recorder_add_thread(r, process_of(tid), tid, false, why))
		return true;
	if (errno == ESRCH)
		problem(why, "there is no thread %d", (int)tid);
	else if (errno == EBUSY || errno == EPERM)
		append(why->what, sizeof(why->what), ", thread %d", (int)tid);
	return false;
}

static bool attach_threads(struct recorder *r, const struct ids *tids, struct problem *why)
{
	size_t i;

	if (!proc_must_be_ours("-t", why))
		return false;
	for (i = 0; i < tids->n; i++)
		if (!attach_thread(r, tids->id[i], why))
			return false;
	return true;
}

static bool attach_cpus(struct recorder *r, const struct record_target *target,
			struct problem *why)
{
	cpu_set_t *before;
	size_t size, i;
	bool ok = true;

	before = cpus_get_affinity(&size);
	for (i = 0; ok && i < target->ncpus; i++) {
		ok = cpus_move_to(target->cpus[i]);
		if (!ok) {
			problem(why, "CPU %u: %s", target->cpus[i], strerror(errno));
			problem_hint(why, "It is offline, or this process may not run there\n"
					  "(see /sys/devices/system/cpu/online, cpusets).");
			break;
		}
		ok = recorder_add_cpu(r, target->cpus[i], why);
		if (!ok)
			append(why->what, sizeof(why->what), ", CPU %u", target->cpus[i]);
	}
	sched_setaffinity(0, size, before);
	CPU_FREE(before);
	return ok;
}

/* Record the names and mappings of all processes: samples of a CPU can be in any of them. */
static void tell_processes(struct recorder *r)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	int pid;

	while (dir && (entry = readdir(dir))) {
		pid = atoi(entry->d_name);
		if (pid > 0)
			known_tell(&r->known, pid);
	}
	if (dir)
		closedir(dir);
}

static bool attach_all(struct attached *a)
{
	const struct record_target *target = a->target;

	switch (target->kind) {
	case RECORD_PROCESSES:
		return threads_begin(&a->threads, &sampling, a, &target->ids, a->why);
	case RECORD_THREADS:
		return attach_threads(a->recorder, &target->ids, a->why);
	default:
		break;
	}
	/* Otherwise all that is read here would be in the samples of a CPU. */
	a->recorder->hold = true;
	if (!attach_cpus(a->recorder, target, a->why))
		return false;
	if (proc_is_ours())
		tell_processes(a->recorder);
	return recorder_start(a->recorder, a->why);
}

/* Threads that are not traced: find the new ones, and forget those whose number may be free. */
static bool look(struct attached *a)
{
	struct source *source, *next;

	for (source = threads_look(&a->threads) ? a->recorder->first : NULL; source; source = next) {
		const pid_t tid = source->tid;

		next = source->next;
		if (!source->over || threads_trace(&a->threads, tid))
			continue;
		recorder_end(a->recorder, tid);
		threads_forget(&a->threads, tid);
	}
	return threads_scan(&a->threads);
}

/* A report of wait4() about the command or a traced thread. */
static void take_news(void *data, const struct news *news)
{
	struct attached *a = data;

	if (news->tid != a->child.pid) {
		threads_event(&a->threads, news->tid, news->status);
		return;
	}
	a->gone = true;
	a->result->status = child_status(news->status);
}

/* True: the recording is over. */
static bool handle(struct attached *a, struct loop *loop, unsigned int woken)
{
	if (woken & WAKE_FD)
		recorder_work(a->recorder);
	if (woken & WAKE_CHILD)
		news_tell(take_news, a);
	if (woken & WAKE_TICK)
		look(a);
	if (woken & WAKE_SIGNAL) {
		a->result->interrupted = true;
		if (!a->child.pid)
			return true;
		loop_forward_signal(loop, a->child.pid);
	}
	return a->gone || woken & WAKE_TIMEOUT;
}

/* True if anything is left to sample. There may be threads that are not reported yet. */
static bool is_left(struct attached *a)
{
	return recorder_live(a->recorder) || look(a);
}

static void wait_for_end(struct attached *a)
{
	struct pollfd watch = { .fd = a->recorder->wake, .events = POLLIN };
	const bool looks = threads_look(&a->threads);
	struct loop loop;

	loop_begin(&loop, a->target->timeout_ms);
	while (is_left(a)) {
		loop.tick = looks ? now() + THREADS_LOOK_MS * 1e-3 : 0;
		if (handle(a, &loop, loop_wait(&loop, &watch, 1)))
			return;
	}
}

/* Sampling has ended, and the command still runs: wait for its end. */
static void end_command(struct attached *a, bool time_up)
{
	struct loop loop;

	if (time_up)
		kill(a->child.pid, SIGTERM);
	loop_begin(&loop, 0);
	for (news_tell(take_news, a); !a->gone; news_tell(take_news, a))
		if (loop_wait(&loop, NULL, 0) & WAKE_SIGNAL)
			loop_forward_signal(&loop, a->child.pid);
}

static bool record(struct attached *a)
{
	struct recorder *r = a->recorder;
	bool live;
	int error;

	if (a->child.pid)
		child_go(&a->child);
	wait_for_end(a);
	live = recorder_live(r);
	recorder_stop(r);
	threads_end(&a->threads, &r->notes);
	if (!a->child.pid)
		return true;
	if (!a->gone)
		end_command(a, live);
	error = child_exec_error(&a->child, a->target->command[0], a->why);
	if (error)
		a->result->status = child_exec_status(error);
	return !error;
}

static void *attach_and_record(void *data)
{
	struct attached *a = data;

	a->result->status = EXIT_PFMON;
	a->ok = attach_all(a) &&
		(!a->target->command || child_start(&a->child, a->target->command, a->why));
	if (a->ok) {
		a->result->status = 0;
		a->ok = record(a);
	}
	threads_free(&a->threads);
	return NULL;
}

bool record_attached(struct recorder *r, const struct record_target *target,
		     struct record_result *result, struct problem *why)
{
	struct attached a = {
		.recorder = r, .target = target, .result = result, .why = why,
		.child = { .pid = 0, .link = -1 },
	};

	if (target->kind == RECORD_PROCESSES)
		threads_by_tracer(attach_and_record, &a);
	else
		attach_and_record(&a);
	return a.ok;
}
