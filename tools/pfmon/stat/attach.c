// SPDX-License-Identifier: GPL-2.0
/*
 * Counting running targets: the threads of processes, threads, or whole CPUs; for as long as a
 * command runs, until a signal, the time-out, or the end of all of them.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/resource.h>

#include "run/beside.h"
#include "run/loop.h"
#include "run/news.h"
#include "run/targets.h"
#include "run/threads.h"
#include "stat/attach.h"
#include "stat/cgroup.h"
#include "stat/pace.h"

struct attached {
	const struct target	*target;
	const struct plan	*plan;
	struct run		*run;
	struct problem		*why;
	struct beside		beside;
	struct threads		threads;	/* of processes */
	struct cgroup		cgroup;
	struct pace		pace;
	struct pollfd		*fds;
	struct part		**of;		/* the part of each descriptor */
	unsigned int		nfds;
	bool			ok;
};

static bool count_thread(void *data, struct task *task, bool born, struct problem *why)
{
	struct attached *a = data;
	struct parts *parts = &a->run->parts;

	(void)born; /* they have all executed something */
	task->part = why ? parts_add(parts, task->tid, why) : parts_try(parts, task->tid);
	return task->part;
}

static void count_program(void *data, struct task *task, pid_t former)
{
	struct attached *a = data;

	(void)former;
	if (task->part)
		part_exec(&a->run->parts, task->part, task->tid);
}

static void end_thread(void *data, struct task *task)
{
	struct attached *a = data;

	if (task->part)
		part_end(&a->run->parts, task->part);
}

static const struct threads_ops counting = {
	.add = count_thread, .exec = count_program, .end = end_thread,
};

/* A thread's context, or that of the CPU on which this thread runs. */
static bool attach_part(void *data, pid_t id, struct problem *why)
{
	return parts_add(data, id, why);
}

static bool attach_all(struct attached *a)
{
	const struct target *target = a->target;
	struct parts *parts = &a->run->parts;

	switch (target->kind) {
	case TARGET_CPUS:
		return targets_cpus(target->cpus, target->ncpus, attach_part, parts, a->why);
	case TARGET_PROCESS:
		return threads_begin(&a->threads, &counting, a, &target->ids, a->why);
	case TARGET_CGROUP:
		return cgroup_begin(&a->cgroup, parts, target->cgroup, a->why);
	default:
		return targets_threads(&target->ids, attach_part, parts, a->why);
	}
}

/* List the descriptors to poll: those of the present contexts. */
static void gather(struct attached *a)
{
	const struct parts *parts = &a->run->parts;
	size_t i;

	a->fds = xrealloc(a->fds, parts->n + 1, sizeof(*a->fds));
	a->of = xrealloc(a->of, parts->n + 1, sizeof(*a->of));
	a->nfds = 0;
	for (i = 0; i < parts->n; i++) {
		if (parts->part[i]->fd < 0)
			continue;
		a->fds[a->nfds].fd = parts->part[i]->fd;
		a->fds[a->nfds].events = POLLIN;
		a->of[a->nfds++] = parts->part[i];
	}
}

/* Find the contexts that the kernel has unloaded, and keep their counts. */
static void take_ends(struct attached *a)
{
	unsigned int i;

	for (i = 0; i < a->nfds; i++) {
		if (!a->fds[i].revents || !session_ended(a->fds[i].fd))
			continue;
		if (a->target->kind == TARGET_CPUS)
			strings_add(&a->run->notes,
				    xasprintf("CPU %d went offline: counted until there",
					      (int)a->of[i]->id));
		if (a->target->kind == TARGET_PROCESS)
			threads_forget(&a->threads, a->of[i]->id);
		if (a->target->kind == TARGET_CGROUP)
			cgroup_forget(&a->cgroup, a->of[i]->id);
		part_end(&a->run->parts, a->of[i]);
	}
}

static void take_command(struct attached *a, int status, const struct rusage *usage)
{
	a->beside.gone = true;
	a->run->status = child_status(status);
	a->run->user = child_seconds(&usage->ru_utime);
	a->run->sys = child_seconds(&usage->ru_stime);
}

/* A report of wait4() about the command or a traced thread. */
static void take_news(void *data, const struct news *news)
{
	struct attached *a = data;

	if (beside_is(&a->beside, news->tid))
		take_command(a, news->status, &news->usage);
	else
		threads_event(&a->threads, news->tid, news->status);
}

/* True if anything is left to count. There may be threads that are not reported yet. */
static bool is_left(struct attached *a)
{
	if (a->target->kind == TARGET_CGROUP)
		return true; /* it may always get new tasks */
	return a->run->parts.live || (a->target->kind == TARGET_PROCESS &&
				      threads_scan(&a->threads));
}

static void look(struct attached *a)
{
	if (a->target->kind == TARGET_CGROUP)
		cgroup_look(&a->cgroup);
	else
		threads_scan(&a->threads);
}

/* True: the measurement is over. */
static bool handle(struct attached *a, struct loop *loop, unsigned int woken)
{
	unsigned int due = 0;

	if (woken & WAKE_FD)
		take_ends(a);
	if (woken & WAKE_CHILD)
		news_tell(take_news, a);
	if (woken & WAKE_TICK)
		due = pace_tick(&a->pace, a->run);
	if (due & DUE_START)
		loop_end_after(loop, a->target->timeout_ms);
	if (due & DUE_LOOK)
		look(a);
	if (woken & WAKE_SIGNAL) {
		a->run->interrupted = true;
		if (beside_signal(&a->beside, loop))
			return true;
	}
	return a->beside.gone || woken & WAKE_TIMEOUT;
}

/* Wait until the measurement ends. */
static void wait_for_end(struct attached *a)
{
	const struct target *target = a->target;
	struct loop loop;

	loop_begin(&loop, target->delay_ms ? 0 : target->timeout_ms);
	do {
		gather(a);
		loop.tick = pace_next(&a->pace);
	} while (!handle(a, &loop, loop_wait(&loop, a->fds, a->nfds)) && is_left(a));
}

static bool start(struct attached *a)
{
	const bool later = a->target->delay_ms != 0;
	const bool looks = a->target->kind == TARGET_CGROUP || threads_look(&a->threads);

	if (!later && !parts_start(&a->run->parts, a->why)) {
		beside_abandon(&a->beside);
		return false;
	}
	pace_begin(&a->pace, a->target, a->plan, looks ? THREADS_LOOK_MS : 0);
	beside_go(&a->beside);
	return true;
}

static bool measure(struct attached *a)
{
	struct parts *parts = &a->run->parts;
	bool time_up;

	if (!start(a))
		return false;
	wait_for_end(a);
	parts_stop(parts);
	a->run->elapsed = pace_elapsed(&a->pace);
	time_up = parts->live != 0;
	parts_end(parts);
	threads_end(&a->threads, &a->run->notes);
	return beside_end(&a->beside, time_up, take_news, a, &a->run->status, a->why);
}

static void *attach_and_measure(void *data)
{
	struct attached *a = data;

	a->run->status = EXIT_PFMON;
	a->ok = attach_all(a) && beside_start(&a->beside, a->target->command, a->why);
	if (a->ok) {
		a->run->status = 0;
		a->ok = measure(a);
	}
	if (!a->ok && !a->run->status)
		a->run->status = EXIT_PFMON;
	threads_free(&a->threads);
	cgroup_free(&a->cgroup);
	free(a->fds);
	free(a->of);
	return NULL;
}

bool run_attached(const struct target *target, const struct plan *plan, struct run *run,
		  struct problem *why)
{
	struct attached a = {
		.target = target, .plan = plan, .run = run, .why = why,
	};

	if (target->kind == TARGET_PROCESS)
		threads_by_tracer(attach_and_measure, &a);
	else
		attach_and_measure(&a);
	return a.ok;
}
