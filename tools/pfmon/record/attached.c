// SPDX-License-Identifier: GPL-2.0
/* Sampling running targets: the threads of processes, threads, or whole CPUs. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpus.h"
#include "record/attached.h"
#include "run/child.h"
#include "run/follow.h"
#include "run/loop.h"
#include "run/procfs.h"

/* The most scans of a process: threads can appear as fast as they are listed. */
#define MAX_SCANS	100

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

/* Attach the threads of the process that are not sampled yet. Returns their number, or -1. */
static int attach_new(struct recorder *r, pid_t pid, struct problem *why)
{
	struct dirent *entry;
	int fresh = 0, tid;
	char path[PROC_PATH];
	DIR *dir;

	proc_path(path, pid, "task");
	dir = opendir(path);
	if (!dir)
		return 0;
	while (fresh >= 0 && (entry = readdir(dir))) {
		tid = atoi(entry->d_name);
		if (tid <= 0 || recorder_has(r, tid))
			continue;
		if (attach_thread(r, tid, why))
			fresh++;
		else if (errno != ESRCH) /* ESRCH: it has just ended */
			fresh = -1;
	}
	closedir(dir);
	return fresh;
}

static bool attach_process(struct recorder *r, pid_t pid, struct problem *why)
{
	unsigned int scans = 0;
	int fresh, all = 0;

	do {
		fresh = attach_new(r, pid, why);
		all += fresh;
	} while (fresh > 0 && ++scans < MAX_SCANS);
	if (fresh < 0)
		return false;
	return all || problem(why, "there is no process %d", (int)pid);
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

static bool attach_all(struct recorder *r, const struct record_target *target,
		       struct problem *why)
{
	size_t i;

	if (target->kind == RECORD_CPUS) {
		if (!attach_cpus(r, target, why))
			return false;
		if (proc_is_ours())
			tell_processes(r);
		return true;
	}
	if (!proc_must_be_ours(target->kind == RECORD_PROCESSES ? "-p" : "-t", why))
		return false;
	for (i = 0; i < target->ids.n; i++)
		if (target->kind == RECORD_PROCESSES ? !attach_process(r, target->ids.id[i], why) :
						       !attach_thread(r, target->ids.id[i], why))
			return false;
	return true;
}

static bool command_ended(const struct child *child, struct record_result *result)
{
	int status;

	if (waitpid(child->pid, &status, WNOHANG) != child->pid)
		return false;
	result->status = child_status(status);
	return true;
}

/* Work until the recording must end. True: the command has ended. */
static bool wait_for_end(struct recorder *r, const struct record_target *target,
			 const struct child *child, struct record_result *result)
{
	struct pollfd watch = { .fd = r->wake, .events = POLLIN };
	unsigned int woken;
	struct loop loop;

	loop_begin(&loop, target->timeout_ms);
	while (recorder_live(r)) {
		woken = loop_wait(&loop, &watch, 1);
		if (woken & WAKE_FD)
			recorder_work(r);
		if (child->pid && woken & WAKE_CHILD && command_ended(child, result))
			return true;
		if (woken & WAKE_SIGNAL) {
			result->interrupted = true;
			if (!child->pid)
				return false;
			loop_forward_signal(&loop, child->pid);
		}
		if (woken & WAKE_TIMEOUT)
			return false;
	}
	return false;
}

/* Sampling has ended, and the command still runs: wait for its end. */
static void end_command(const struct child *child, bool timed_out, struct record_result *result)
{
	struct loop loop;

	if (timed_out)
		kill(child->pid, SIGTERM);
	loop_begin(&loop, 0);
	while (!command_ended(child, result))
		if (loop_wait(&loop, NULL, 0) & WAKE_SIGNAL)
			loop_forward_signal(&loop, child->pid);
}

bool record_attached(struct recorder *r, const struct record_target *target,
		     struct record_result *result, struct problem *why)
{
	struct child child = { .pid = 0, .link = -1 };
	bool gone, live;
	int error;

	result->status = EXIT_PFMON;
	if (!attach_all(r, target, why) ||
	    (target->command && !child_start(&child, target->command, why)))
		return false;
	result->status = 0;
	if (child.pid)
		child_go(&child);
	gone = wait_for_end(r, target, &child, result);
	live = recorder_live(r);
	recorder_stop(r);
	if (!child.pid)
		return true;
	if (!gone)
		end_command(&child, live, result);
	error = child_exec_error(&child, target->command[0], why);
	if (error)
		result->status = child_exec_status(error);
	return !error;
}
