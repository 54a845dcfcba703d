// SPDX-License-Identifier: GPL-2.0
/* Sampling running targets: the threads of processes, threads, or whole CPUs. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/attached.h"
#include "run/beside.h"
#include "run/follow.h"
#include "run/loop.h"
#include "run/news.h"
#include "run/procfs.h"
#include "run/targets.h"
#include "run/threads.h"

struct attached {
	struct recorder			*recorder;
	const struct record_target	*target;
	struct record_result		*result;
	struct problem			*why;
	struct beside			beside;
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

static bool attach_thread(void *data, pid_t tid, struct problem *why)
{
	return recorder_add_thread(data, process_of(tid), tid, false, why);
}

static bool attach_cpu(void *data, pid_t cpu, struct problem *why)
{
	return recorder_add_cpu(data, (unsigned int)cpu, why);
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
	struct recorder *r = a->recorder;

	switch (target->kind) {
	case RECORD_PROCESSES:
		return threads_begin(&a->threads, &sampling, a, &target->ids, a->why);
	case RECORD_THREADS:
		return proc_must_be_ours("-t", a->why) &&
		       targets_threads(&target->ids, attach_thread, r, a->why);
	default:
		break;
	}
	/* Otherwise all that is read here would be in the samples of a CPU. */
	r->hold = true;
	if (!targets_cpus(target->cpus, target->ncpus, attach_cpu, r, a->why))
		return false;
	if (proc_is_ours())
		tell_processes(r);
	return recorder_start(r, a->why);
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

	if (!beside_is(&a->beside, news->tid)) {
		threads_event(&a->threads, news->tid, news->status);
		return;
	}
	a->beside.gone = true;
	a->result->status = child_status(news->status);
}

/* True: the recording is over. */
static bool handle(struct attached *a, const struct loop *loop, unsigned int woken)
{
	if (woken & WAKE_FD)
		recorder_work(a->recorder);
	if (woken & WAKE_CHILD)
		news_tell(take_news, a);
	if (woken & WAKE_TICK)
		look(a);
	if (woken & WAKE_SIGNAL) {
		a->result->interrupted = true;
		if (beside_signal(&a->beside, loop))
			return true;
	}
	return a->beside.gone || woken & WAKE_TIMEOUT;
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

static bool record(struct attached *a)
{
	struct recorder *r = a->recorder;
	bool live;

	beside_go(&a->beside);
	wait_for_end(a);
	live = recorder_live(r);
	recorder_stop(r);
	threads_end(&a->threads, &r->notes);
	return beside_end(&a->beside, live, take_news, a, &a->result->status, a->why);
}

static void *attach_and_record(void *data)
{
	struct attached *a = data;

	a->result->status = EXIT_PFMON;
	a->ok = attach_all(a) && beside_start(&a->beside, a->target->command, a->why);
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
	};

	if (target->kind == RECORD_PROCESSES)
		threads_by_tracer(attach_and_record, &a);
	else
		attach_and_record(&a);
	return a.ok;
}
