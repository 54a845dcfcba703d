// SPDX-License-Identifier: GPL-2.0
/*
 * Counting running targets: the threads of processes, threads, or whole CPUs; for as long as a
 * command runs, until a signal, the time-out, or the end of all of them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cpus.h"
#include "run/child.h"
#include "run/loop.h"
#include "run/news.h"
#include "run/threads.h"
#include "stat/attach.h"
#include "stat/cgroup.h"
#include "stat/pace.h"

struct attached {
	const struct target	*target;
	const struct plan	*plan;
	struct run		*run;
	struct problem		*why;
	struct child		child;		/* the command; pid 0: there is none */
	bool			gone;		/* the command has ended */
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

static bool attach_thread(struct attached *a, pid_t tid)
{
	int error;

	if (parts_add(&a->run->parts, tid, a->why))
		return true;
	error = errno;
	if (error == ESRCH)
		problem(a->why, "there is no thread %d", (int)tid);
	else if (error == EBUSY || error == EPERM)
		append(a->why->what, sizeof(a->why->what), ", thread %d", (int)tid);
	return false;
}

static bool attach_threads(struct attached *a)
{
	size_t i;

	for (i = 0; i < a->target->ids.n; i++)
		if (!attach_thread(a, a->target->ids.id[i]))
			return false;
	return true;
}

/* The context binds to the CPU on which its loader runs. */
static bool attach_cpu(struct attached *a, unsigned int cpu)
{
	if (!cpus_move_to(cpu)) {
		problem(a->why, "CPU %u: %s", cpu, strerror(errno));
		return problem_hint(a->why, "It is offline, or this process may not run there\n"
					    "(see /sys/devices/system/cpu/online, cpusets).");
	}
	if (parts_add(&a->run->parts, (pid_t)cpu, a->why))
		return true;
	append(a->why->what, sizeof(a->why->what), ", CPU %u", cpu);
	return false;
}

static bool attach_cpus(struct attached *a)
{
	cpu_set_t *before;
	size_t size, i;
	bool ok = true;

	before = cpus_get_affinity(&size);
	for (i = 0; ok && i < a->target->ncpus; i++)
		ok = attach_cpu(a, a->target->cpus[i]);
	sched_setaffinity(0, size, before);
	CPU_FREE(before);
	return ok;
}

static bool attach_all(struct attached *a)
{
	switch (a->target->kind) {
	case TARGET_CPUS:
		return attach_cpus(a);
	case TARGET_PROCESS:
		return threads_begin(&a->threads, &counting, a, &a->target->ids, a->why);
	case TARGET_CGROUP:
		return cgroup_begin(&a->cgroup, &a->run->parts, a->target->cgroup, a->why);
	default:
		return attach_threads(a);
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
	a->gone = true;
	a->run->status = child_status(status);
	a->run->user = child_seconds(&usage->ru_utime);
	a->run->sys = child_seconds(&usage->ru_stime);
}

/* A report of wait4() about the command or a traced thread. */
static void take_news(void *data, const struct news *news)
{
	struct attached *a = data;

	if (news->tid == a->child.pid)
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
	const bool command = a->child.pid != 0;

	if (woken & WAKE_FD)
		take_ends(a);
	if (woken & WAKE_CHILD)
		news_tell(take_news, a);
	if (woken & WAKE_TICK && pace_tick(&a->pace, a->run) & DUE_LOOK)
		look(a);
	if (woken & WAKE_SIGNAL) {
		a->run->interrupted = true;
		if (!command)
			return true;
		loop_forward_signal(loop, a->child.pid);
	}
	return a->gone || woken & WAKE_TIMEOUT;
}

/* Wait until the measurement ends. */
static void wait_for_end(struct attached *a)
{
	const struct target *target = a->target;
	struct loop loop;

	loop_begin(&loop, target->timeout_ms ? target->timeout_ms + target->delay_ms : 0);
	do {
		gather(a);
		loop.tick = pace_next(&a->pace);
	} while (!handle(a, &loop, loop_wait(&loop, a->fds, a->nfds)) && is_left(a));
}

/* The targets are gone or the time is up, and the command still runs: wait for its end. */
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

static bool start(struct attached *a)
{
	const bool later = a->target->delay_ms != 0;
	const bool looks = a->target->kind == TARGET_CGROUP || threads_look(&a->threads);

	if (!later && !parts_start(&a->run->parts, a->why)) {
		if (a->child.pid)
			child_abandon(&a->child);
		return false;
	}
	pace_begin(&a->pace, a->target, a->plan, looks ? THREADS_LOOK_MS : 0);
	if (a->child.pid)
		child_go(&a->child);
	return true;
}

static bool measure(struct attached *a)
{
	struct parts *parts = &a->run->parts;
	bool time_up;
	int error;

	if (!start(a))
		return false;
	wait_for_end(a);
	parts_stop(parts);
	a->run->elapsed = pace_elapsed(&a->pace);
	time_up = parts->live != 0;
	parts_end(parts);
	threads_end(&a->threads, &a->run->notes);
	if (!a->child.pid)
		return true;
	if (!a->gone)
		end_command(a, time_up);
	error = child_exec_error(&a->child, a->target->command[0], a->why);
	if (error)
		a->run->status = child_exec_status(error);
	return !error;
}

static void *attach_and_measure(void *data)
{
	struct attached *a = data;

	a->run->status = EXIT_PFMON;
	a->ok = attach_all(a) &&
		(!a->target->command || child_start(&a->child, a->target->command, a->why));
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
		.child = { .pid = 0, .link = -1 },
	};

	if (target->kind == TARGET_PROCESS)
		threads_by_tracer(attach_and_measure, &a);
	else
		attach_and_measure(&a);
	return a.ok;
}
