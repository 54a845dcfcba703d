// SPDX-License-Identifier: GPL-2.0
/*
 * Counting what runs already: the threads of a process, one thread, or whole CPUs; for
 * as long as a command runs, until a signal, the time-out, or the end of all of them.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpus.h"
#include "run/child.h"
#include "run/loop.h"
#include "stat/attach.h"

/* Threads can appear as fast as they are listed: so often is looked at most. */
#define MAX_SCANS	100

/* One thread or CPU. */
struct session {
	int	fd;
	int	id;		/* thread id or CPU number */
	bool	ended;
};

struct attached {
	const struct target	*target;
	const struct plan	*plan;
	struct run		*run;
	struct session		*session;
	size_t			n, room;
	size_t			live;
	struct problem		*why;
};

static void add_session(struct attached *a, int fd, int id)
{
	struct session *session;

	GROW(a->session, a->n, a->room);
	session = &a->session[a->n++];
	session->fd = fd;
	session->id = id;
	session->ended = false;
	a->live++;
}

static bool has_id(const struct attached *a, int id)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		if (a->session[i].id == id)
			return true;
	return false;
}

static bool attach_thread(struct attached *a, pid_t tid)
{
	const int fd = session_open(a->plan, false, a->why);

	if (fd < 0)
		return false;
	if (session_load(fd, tid, run_first_set(a->run, a->plan), a->why)) {
		add_session(a, fd, tid);
		return true;
	}
	if (errno == ESRCH && a->target->kind == TARGET_THREAD)
		problem(a->why, "there is no thread %d", (int)tid);
	if (errno == EBUSY || errno == EPERM)
		append(a->why->what, sizeof(a->why->what), ", thread %d", (int)tid);
	perfmon_close(fd);
	return false;
}

/*
 * The threads of the process that are not known yet: attached, or counted in @fresh.
 * Returns how many, or -1.
 */
static int scan_threads(struct attached *a, bool attach)
{
	struct dirent *entry;
	int fresh = 0, tid;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)a->target->id);
	dir = opendir(path);
	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		tid = atoi(entry->d_name);
		if (tid <= 0 || has_id(a, tid))
			continue;
		if (attach && !attach_thread(a, tid)) {
			if (errno == ESRCH) /* it has just ended */
				continue;
			closedir(dir);
			return -2;
		}
		fresh++;
	}
	closedir(dir);
	return fresh;
}

static bool attach_process(struct attached *a)
{
	int fresh, scans = 0;

	do {
		fresh = scan_threads(a, true);
		if (fresh == -2)
			return false;
	} while (fresh > 0 && ++scans < MAX_SCANS);
	if (!a->n)
		return problem(a->why, "there is no process %d", (int)a->target->id);
	return true;
}

/* The context binds to the CPU that its loader runs on. */
static bool attach_cpu(struct attached *a, unsigned int cpu)
{
	int fd;

	if (!cpus_move_to(cpu)) {
		problem(a->why, "CPU %u: %s", cpu, strerror(errno));
		return problem_hint(a->why, "It is offline, or this process may not run there\n"
					    "(see /sys/devices/system/cpu/online, cpusets).");
	}
	fd = session_open(a->plan, true, a->why);
	if (fd < 0)
		return false;
	if (session_load(fd, gettid(), run_first_set(a->run, a->plan), a->why)) {
		add_session(a, fd, (int)cpu);
		return true;
	}
	append(a->why->what, sizeof(a->why->what), ", CPU %u", cpu);
	perfmon_close(fd);
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
		return attach_process(a);
	default:
		return attach_thread(a, a->target->id);
	}
}

/* One that ended between load and start has nothing to say. */
static bool start_all(struct attached *a)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		if (!session_start(a->session[i].fd, a->why) &&
		    !session_ended(a->session[i].fd))
			return false;
	return true;
}

static void stop_and_read_all(struct attached *a)
{
	unsigned int missed = 0;
	struct problem why;
	size_t i;

	for (i = 0; i < a->n; i++)
		session_stop(a->session[i].fd);
	for (i = 0; i < a->n; i++) {
		if (session_read(a->plan, a->session[i].fd, a->run->count, a->run->set, &why))
			a->run->sessions++;
		else
			missed++;
		a->run->suspended_ns += session_suspended_ns(a->session[i].fd);
	}
	if (missed)
		strings_add(&a->run->notes,
			    xasprintf("%u could not be read: %s", missed, why.what));
}

static void close_all(struct attached *a)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		perfmon_close(a->session[i].fd);
	free(a->session);
}

/* Which contexts did the kernel unload? */
static void note_ends(struct attached *a, const struct pollfd *fds)
{
	struct session *session;
	size_t i;

	for (i = 0; i < a->n; i++) {
		session = &a->session[i];
		if (session->ended || !fds[i].revents || !session_ended(session->fd))
			continue;
		session->ended = true;
		a->live--;
		if (a->target->kind == TARGET_CPUS)
			strings_add(&a->run->notes,
				    xasprintf("CPU %d went offline: counted until there",
					      session->id));
	}
}

/* A process' threads that came later were not counted: say so. */
static void note_new_threads(struct attached *a)
{
	const int fresh = a->target->kind == TARGET_PROCESS ? scan_threads(a, false) : 0;

	if (fresh > 0)
		strings_add(&a->run->notes,
			    xasprintf("%d thread%s that started after pfmon attached %s not counted",
				      fresh, PLURAL(fresh), fresh == 1 ? "was" : "were"));
}

static bool command_ended(const struct attached *a, const struct child *child)
{
	struct rusage usage;
	int status;

	if (wait4(child->pid, &status, WNOHANG, &usage) != child->pid)
		return false;
	a->run->status = child_status(status);
	a->run->user = child_seconds(&usage.ru_utime);
	a->run->sys = child_seconds(&usage.ru_stime);
	return true;
}

/* Until whatever ends the measurement. True: the command is gone. */
static bool wait_for_end(struct attached *a, const struct child *child)
{
	struct pollfd *fds = xcalloc(a->n, sizeof(*fds));
	bool command = child->pid != 0, gone = false;
	unsigned int woken;
	struct loop loop;
	size_t i;

	loop_begin(&loop, a->target->timeout_ms);
	while (a->live) {
		for (i = 0; i < a->n; i++) {
			fds[i].fd = a->session[i].ended ? -1 : a->session[i].fd;
			fds[i].events = POLLIN;
		}
		woken = loop_wait(&loop, fds, (unsigned int)a->n);
		if (woken & WAKE_FD)
			note_ends(a, fds);
		if (command && woken & WAKE_CHILD && command_ended(a, child)) {
			gone = true;
			break;
		}
		if (woken & WAKE_SIGNAL) {
			a->run->interrupted = true;
			if (!command)
				break;
			loop_forward_signal(&loop, child->pid);
		}
		if (woken & WAKE_TIMEOUT)
			break;
	}
	free(fds);
	return gone;
}

/* The targets are gone or the time is up, and the command still runs. */
static void end_command(const struct attached *a, const struct child *child)
{
	struct loop loop;

	if (a->live) /* the time is up */
		kill(child->pid, SIGTERM);
	loop_begin(&loop, 0);
	while (!command_ended(a, child))
		if (loop_wait(&loop, NULL, 0) & WAKE_SIGNAL)
			loop_forward_signal(&loop, child->pid);
}

static bool measure(struct attached *a, struct child *child)
{
	bool gone;
	double start;
	int error;

	start = now();
	if (!start_all(a)) {
		if (child->pid)
			child_abandon(child);
		return false;
	}
	if (child->pid)
		child_go(child);
	gone = wait_for_end(a, child);
	stop_and_read_all(a);
	a->run->elapsed = now() - start;
	note_new_threads(a);
	if (!child->pid)
		return true;
	if (!gone)
		end_command(a, child);
	error = child_exec_error(child, a->target->command[0], a->why);
	if (error)
		a->run->status = child_exec_status(error);
	return !error;
}

bool run_attached(const struct target *target, const struct plan *plan, struct run *run,
		  struct problem *why)
{
	struct attached a = { .target = target, .plan = plan, .run = run, .why = why };
	struct child child = { .pid = 0, .link = -1 };
	bool ok;

	run->status = EXIT_PFMON;
	ok = attach_all(&a) && (!target->command || child_start(&child, target->command, why));
	if (ok) {
		run->status = 0;
		ok = measure(&a, &child);
	}
	if (!ok && !run->status)
		run->status = EXIT_PFMON;
	close_all(&a);
	return ok;
}
