// SPDX-License-Identifier: GPL-2.0
/* The meaning of perfmonctl()'s errors, by command, and the way out. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "explain.h"
#include "lib/perfmon_lib.h"

int paranoid_level(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int level = -2;

	if (!file)
		return -2;
	if (fscanf(file, "%d", &level) != 1)
		level = -2;
	fclose(file);
	return level;
}

static const char *permission_hint(const char *what, int below, const char *otherwise)
{
	static char text[512];

	snprintf(text, sizeof(text),
		 "%s needs the capability CAP_PERFMON, or kernel.perf_event_paranoid below %d (it is %d).\n"
		 "%s",
		 what, below, paranoid_level(), otherwise);
	return text;
}

const char *kernel_level_hint(void)
{
	return permission_hint("Counting at kernel level", 2,
			       "Or count at user level: add :u to the event.");
}

/* The reason is kernel.perf_event_paranoid or, if that allows it, a security module. */
static void hint_level(struct problem *why, bool system_wide, const char *what)
{
	const int below = system_wide ? 1 : 3;

	if (paranoid_level() < below)
		problem_hint(why, "kernel.perf_event_paranoid allows it (it is %d); so a security module forbids it,\n"
			     "as it forbids perf_event_open(): see the kernel's log, or ask the administrator.",
			     paranoid_level());
	else
		problem_hint(why, "%s", permission_hint(what, below, system_wide ?
			     "Your own programs can be counted without: leave out -a and -C." :
			     "An administrator can lower it: sysctl kernel.perf_event_paranoid=2."));
}

/* If the administrator has named a group, only it may; else the levels decide. */
static void hint_kind(struct problem *why, bool system_wide)
{
	const char *limit = system_wide ? "limits/sys_gid" : "limits/thread_gid";
	const char *what = system_wide ? "Monitoring whole CPUs" : "Monitoring threads";
	uint64_t gid;

	if (!perfmon_sysfs_u64(limit, &gid) && gid != PFM_GROUP_ANY)
		problem_hint(why, "%s is open to the group %llu only (see %s in /sys/kernel/perfmon).",
			     what, (unsigned long long)gid, limit);
	else
		hint_level(why, system_wide, what);
}

static void hint_no_syscall(struct problem *why)
{
	problem_hint(why,
		     "With PERFMON=perf in the environment it is done by perf_event_open().\n"
		     "To try it here and now, run this in the guest that this project builds:\n"
		     "    tools/vm/run -- build/bin/pfmon ...\n"
		     "To have it in a kernel of your own, `make patch` writes the patch series.");
}

static bool watchdog_is_on(void)
{
	FILE *file = fopen("/proc/sys/kernel/nmi_watchdog", "re");
	int on = 0;

	if (!file)
		return false;
	if (fscanf(file, "%d", &on) != 1)
		on = 0;
	fclose(file);
	return on;
}

/* The NMI watchdog as an owner of the counters; its switch reads 0 during a pause of the module. */
static const char *watchdog_hint(void)
{
	char pause[16] = "any";

	perfmon_sysfs_read("limits/watchdog_pause", pause, sizeof(pause));
	if (strncmp(pause, "never", 5) && (!geteuid() || strncmp(pause, "capable", 7)))
		return "perf with hardware events (end it; the NMI watchdog gives way by itself),\n";
	if (watchdog_is_on())
		return "the NMI watchdog, which is not paused for you (as root: sysctl kernel.nmi_watchdog=0,\n"
		       "or echo any >/sys/kernel/perfmon/limits/watchdog_pause),\n"
		       "perf with hardware events (end it),\n";
	return "the NMI watchdog, if it is paused for another session, or was until a second ago: yours may\n"
	       "not prolong that (as root: echo any >/sys/kernel/perfmon/limits/watchdog_pause),\n"
	       "perf with hardware events (end it),\n";
}

static void hint_busy(struct problem *why)
{
	unsigned int threads, systems;

	problem_hint(why,
		     "The hardware counters have one owner at a time. Possible owners:\n%s"
		     "or a perfmon session",
		     watchdog_hint());
	if (!perfmon_sessions(&threads, &systems))
		append(why->hint, sizeof(why->hint),
		       " (/sys/kernel/perfmon/sessions: %u of threads, %u of CPUs)", threads,
		       systems);
	append(why->hint, sizeof(why->hint),
	       ":\nsessions of threads and of whole CPUs exclude each other, and a thread or a CPU has one at most.");
}

bool explain(struct problem *why, int cmd, int error, const void *arg, int narg)
{
	const struct perfmon_last_error *refusal = perfmon_last_error(error);
	char text[sizeof(why->what)];

	if (refusal) {
		problem(why, "%s", refusal->what);
		return problem_hint(why, "%s", refusal->hint);
	}
	if (error == ENOSYS) {
		problem(why, "this kernel has no perfmonctl()");
		hint_no_syscall(why);
		return false;
	}
	problem(why, "%s",
		perfmon_describe_error(text, sizeof(text), cmd, error, arg, narg));
	if (error == EBUSY && cmd == PFM_LOAD_CONTEXT)
		hint_busy(why);
	else if (error == EPERM && cmd == PFM_WRITE_PMCS)
		problem_hint(why, "%s", kernel_level_hint());
	else if (error == EPERM && cmd == PFM_LOAD_CONTEXT)
		problem_hint(why,
			     "It belongs to another user, or it runs a program that may not be inspected\n"
			     "(set-user-id, or not readable by you). As root, this works.");
	else if (error == EMFILE && cmd == PFM_CREATE_CONTEXT)
		problem_hint(why,
			     "Each thread or CPU takes a descriptor: raise the limit (ulimit -Hn).");
	return false;
}

bool explain_create(struct problem *why, int error, bool system_wide)
{
	explain(why, PFM_CREATE_CONTEXT, error, NULL, 0);
	if (error != EPERM || perfmon_last_error(error))
		return false;
	problem(why, "this user may not monitor %s", system_wide ? "whole CPUs" : "threads");
	hint_kind(why, system_wide);
	return false;
}
