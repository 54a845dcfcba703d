// SPDX-License-Identifier: GPL-2.0
/*
 * Counting a command with all its threads and processes.
 *
 * perfmon contexts are not inherited, so every new task gets one of its own. ptrace
 * makes that exact: with PTRACE_SEIZE and the clone options each task stops at birth,
 * before it runs one instruction at user level, and gets its context there. The command
 * itself gets its context at its exec event, so that nothing of pfmon's own child code is
 * counted. The counts are read when a task has ended: its context is unloaded by then.
 * With first_only the command is released after its exec.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/follow.h"
#include "run/loop.h"
#include "stat/command.h"
#include "stat/tasks.h"

/* How long to wait for processes that outlive the command to stop, to release them. */
#define RELEASE_SECONDS		0.5

/* How often, and how far apart, to look whether a process exits: 20 ms in all. */
#define EXIT_LOOKS		200
#define EXIT_LOOK_USEC		100

static const char lost_privileges[] =
	"the command executed a program with other privileges (set-user-id?): counted until there";

struct counting {
	const struct target	*target;
	const struct plan	*plan;
	struct run		*run;
	struct follower		follower;
	struct tasks		tasks;
	int			watched;	/* context of the released command, or -1 */
	double			started;	/* 0: the command was not executed yet */
	double			cpu_before;	/* CPU time of the child until then */
	bool			frozen;		/* counting is over */
	unsigned int		missed;		/* tasks without a context */
	struct problem		missed_why;	/* of the first one */
};

/* Take the counts of a task whose context is not needed any more. */
static void collect(struct counting *c, struct task *task)
{
	struct problem why;

	if (task->fd < 0)
		return;
	if (session_read(c->plan, task->fd, c->run->count, c->run->set, &why)) {
		c->run->sessions++;
		c->run->suspended_ns += session_suspended_ns(task->fd);
	} else {
		if (!c->missed++)
			c->missed_why = why;
	}
	perfmon_close(task->fd);
	task->fd = -1;
}

/* A stopped task gets a context and counts as soon as it runs. */
static bool attach(struct counting *c, struct task *task, struct problem *why)
{
	const int fd = session_open(c->plan, false, why);

	if (fd < 0)
		return false;
	if (!session_load(fd, task->tid, run_first_set(c->run, c->plan), why) ||
	    !session_start(fd, why)) {
		const int error = errno;

		perfmon_close(fd);
		errno = error;
		return false;
	}
	task->fd = fd;
	return true;
}

static void attach_or_note(struct counting *c, struct task *task)
{
	struct problem why;

	if (c->frozen || attach(c, task, &why))
		return;
	if (errno == ESRCH) /* killed before it ran */
		return;
	if (!c->missed++)
		c->missed_why = why;
}

static double cpu_seconds(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time))
		return 0;
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool count_begin(void *data, struct problem *why)
{
	struct counting *c = data;
	struct task *task = tasks_add(&c->tasks, c->follower.child.pid);

	if (!attach(c, task, why))
		return false;
	c->cpu_before = cpu_seconds(task->tid);
	c->started = now();
	if (c->target->first_only)
		c->watched = task->fd;
	return true;
}

/*
 * A task executes a program. All other threads of its process are gone, and it has the
 * leader's id now, whatever it was before. Its context stays, except when the program
 * has other privileges: then the kernel unloaded it, and a new one is tried.
 */
static void count_exec(void *data, pid_t pid, pid_t former)
{
	struct counting *c = data;
	struct task *task;

	if (former != pid && tasks_find(&c->tasks, former)) {
		task = tasks_find(&c->tasks, pid);
		if (task)
			collect(c, task);
		tasks_remove(&c->tasks, pid);
		tasks_rename(&c->tasks, former, pid);
	}
	task = tasks_find(&c->tasks, pid);
	if (!task)
		task = tasks_add(&c->tasks, pid);
	if (task->fd >= 0 && session_ended(task->fd))
		collect(c, task);
	if (task->fd < 0)
		attach_or_note(c, task);
}

/* A task that was just born stops before it runs. The command begins at its exec only. */
static void count_stop(void *data, pid_t tid)
{
	struct counting *c = data;

	if (c->started && !tasks_find(&c->tasks, tid))
		attach_or_note(c, tasks_add(&c->tasks, tid));
}

/* Counting is over, for all that still run too. */
static void freeze(struct counting *c)
{
	struct task *task;

	if (c->frozen || !c->started)
		return;
	c->frozen = true;
	c->run->elapsed = now() - c->started;
	for (task = tasks_next(&c->tasks, NULL); task; task = tasks_next(&c->tasks, task))
		if (task->fd >= 0)
			session_stop(task->fd);
	for (task = tasks_next(&c->tasks, NULL); task; task = tasks_next(&c->tasks, task))
		collect(c, task);
}

/* The CPU time of the command without what pfmon's child used to become it. */
static void take_times(struct counting *c, const struct rusage *usage)
{
	const double user = child_seconds(&usage->ru_utime);
	const double sys = child_seconds(&usage->ru_stime);
	double share = 1;

	if (user + sys > 0)
		share = 1 - c->cpu_before / (user + sys);
	if (share < 0)
		share = 0;
	c->run->user = user * share;
	c->run->sys = sys * share;
}

static void count_end(void *data, pid_t tid, const struct rusage *usage)
{
	struct counting *c = data;
	struct task *task = tasks_find(&c->tasks, tid);

	if (task)
		collect(c, task);
	tasks_remove(&c->tasks, tid);
	if (tid != c->follower.child.pid)
		return;
	freeze(c);
	take_times(c, usage);
}

/* Let those go that outlive the command; a stubborn one is freed by pfmon's own end. */
static void release_all(struct counting *c)
{
	const double limit = now() + RELEASE_SECONDS;
	struct task *task;
	int status;
	pid_t tid;

	for (task = tasks_next(&c->tasks, NULL); task; task = tasks_next(&c->tasks, task))
		ptrace(PTRACE_INTERRUPT, task->tid, NULL, NULL);
	while (c->tasks.n && now() < limit) {
		tid = waitpid(-1, &status, __WALL | WNOHANG);
		if (tid < 0)
			break;
		if (!tid) {
			usleep(1000);
			continue;
		}
		if (WIFSTOPPED(status))
			follow_release(tid, follow_event(status) ? 0 : WSTOPSIG(status));
		tasks_remove(&c->tasks, tid);
	}
	while ((task = tasks_any(&c->tasks)))
		tasks_remove(&c->tasks, task->tid);
}

static void add_notes(struct counting *c)
{
	struct strings *notes = &c->run->notes;

	if (c->missed)
		strings_add(notes, xasprintf("%u task%s could not be counted: %s", c->missed,
					     PLURAL(c->missed), c->missed_why.what));
	if (c->tasks.n)
		strings_add(notes, xasprintf("%zu task%s outlived the command: counted until its end",
					     c->tasks.n, PLURAL(c->tasks.n)));
}

/*
 * Is it on its way out? Then /proc/PID/exe leads nowhere: not at once, as the context goes
 * a little earlier. That of a program with other privileges stays, readable or not.
 */
static bool is_exiting(pid_t pid)
{
	unsigned int looks;
	char path[64], target;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	for (looks = 0; looks < EXIT_LOOKS; looks++) {
		if (readlink(path, &target, 1) < 0 && errno != EACCES)
			return true;
		usleep(EXIT_LOOK_USEC);
	}
	return false;
}

/*
 * A released command lost its context. When it does not end, it has executed a program
 * with other privileges, and pfmon is not there to attach again.
 */
static void count_released(void *data)
{
	struct counting *c = data;

	if (!session_ended(c->watched))
		return;
	c->watched = -1;
	if (!is_exiting(c->follower.child.pid))
		strings_add(&c->run->notes, xstrdup(lost_privileges));
}

static int count_descriptor(void *data)
{
	const struct counting *c = data;

	return c->watched;
}

static void count_timeout(void *data)
{
	struct counting *c = data;

	c->watched = -1;
	freeze(c);
}

static const struct follow_ops count_all = {
	.options	= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE,
	.begin		= count_begin,
	.exec		= count_exec,
	.stop		= count_stop,
	.end		= count_end,
	.timeout	= count_timeout,
};

/* The command is released after its exec, and its context watched instead. */
static const struct follow_ops count_first = {
	.begin		= count_begin,
	.stop		= count_stop,
	.end		= count_end,
	.descriptor	= count_descriptor,
	.readable	= count_released,
	.timeout	= count_timeout,
};

bool run_command(const struct target *target, const struct plan *plan, struct run *run,
		 struct problem *why)
{
	struct counting c = {
		.target = target, .plan = plan, .run = run, .watched = -1,
		.follower = {
			.ops = target->first_only ? &count_first : &count_all,
			.data = &c,
			.timeout_ms = target->timeout_ms,
			.release = target->first_only,
		},
	};
	const bool ok = follow_command(&c.follower, target->command, why);

	run->status = c.follower.status;
	run->interrupted = c.follower.interrupted;
	freeze(&c);
	add_notes(&c);
	release_all(&c);
	return ok;
}
