// SPDX-License-Identifier: GPL-2.0
/*
 * Counting a command with all its threads and processes.
 *
 * perfmon contexts are not inherited, so every new task gets one of its own. ptrace
 * makes that exact: with PTRACE_SEIZE and the clone options each task stops at birth,
 * before it runs one instruction at user level, and gets its context there. The command
 * itself gets its context at its exec event, so that nothing of pfmon's own child code is
 * counted. The counts are read when a task has ended: its context is unloaded by then.
 * With first_only the command is released after its exec. Where programs are chosen, the
 * others are traced as well, but have no context.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/follow.h"
#include "run/loop.h"
#include "run/privileges.h"
#include "run/procfs.h"
#include "run/tasks.h"
#include "stat/command.h"
#include "stat/pace.h"

/* The number of looks at a process that may exit, and the time between them: 20 ms in all. */
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
	struct triggers		triggers;
	bool			hold;		/* a trigger starts the counting of a task */
	int			watched;	/* context of the released command, or -1 */
	struct pace		pace;
	bool			executed;	/* the command has been executed */
	double			cpu_before;	/* CPU time of the child until its exec */
	bool			frozen;		/* counting is over */
};

/* Take the counts of a task that does not need its context any more. */
static void collect(struct counting *c, struct task *task)
{
	if (task->part)
		part_end(&c->run->parts, task->part);
	task->part = NULL;
}

static int context_of(const struct task *task)
{
	const struct part *part = task->part;

	return part->fd;
}

/* True if a stopped task must be counted. Then it has its breakpoints now. */
static bool is_chosen(struct counting *c, pid_t tid)
{
	struct problem why;

	if (!programs_have(&c->target->choice.programs, tid))
		return false;
	if (triggers_arm(&c->triggers, tid, &why))
		return true;
	parts_miss(&c->run->parts, &why);
	return false;
}

/* A stopped task gets a context and counts as soon as it runs. */
static void attach(struct counting *c, struct task *task, bool born)
{
	if (c->frozen)
		return;
	c->run->parts.births = born;
	task->part = parts_try(&c->run->parts, task->tid);
}

static double cpu_seconds(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time))
		return 0;
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void note_privileges(struct counting *c, pid_t pid)
{
	privileges_note(&c->run->notes, pid, !c->target->choice.first_only);
}

static bool count_begin(void *data, struct problem *why)
{
	struct counting *c = data;
	struct task *task = tasks_add(&c->tasks, c->follower.child.pid);

	c->run->parts.started = !c->target->delay_ms && !c->hold;
	if (programs_have(&c->target->choice.programs, task->tid)) {
		if (!triggers_arm(&c->triggers, task->tid, why))
			return false;
		task->part = parts_add(&c->run->parts, task->tid, why);
		if (!task->part)
			return false;
	}
	note_privileges(c, task->tid);
	c->cpu_before = cpu_seconds(task->tid);
	c->executed = true;
	pace_begin(&c->pace, c->target, c->plan, 0);
	if (c->follower.release)
		c->watched = context_of(task);
	return true;
}

/* Count on in another program. With triggers that one has not reached its start yet. */
static void exec_part(struct counting *c, struct part *part, pid_t pid)
{
	part_exec(&c->run->parts, part, pid);
	if (c->hold)
		session_stop(part->fd);
}

/*
 * A task executes a program. All other threads of its process are gone, and the task has the
 * leader's id now, whatever it was before. Its context stays, except when the program
 * has other privileges: then the kernel unloaded it, and a new one is tried.
 */
static void count_exec(void *data, pid_t pid, pid_t former)
{
	struct counting *c = data;
	struct task *task;
	bool chosen;

	triggers_end(&c->triggers, former);
	triggers_end(&c->triggers, pid);
	chosen = is_chosen(c, pid);
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
	note_privileges(c, pid);
	if (task->part && (!chosen || session_ended(context_of(task))))
		collect(c, task);
	if (task->part)
		exec_part(c, task->part, pid);
	else if (chosen)
		attach(c, task, false);
}

/* A new task stops before it runs. The command begins at its exec only. */
static void count_stop(void *data, pid_t tid)
{
	struct counting *c = data;
	struct task *task;

	if (!c->executed || tasks_find(&c->tasks, tid))
		return;
	task = tasks_add(&c->tasks, tid);
	if (is_chosen(c, tid))
		attach(c, task, true);
}

static bool count_trap(void *data, pid_t tid)
{
	struct counting *c = data;
	enum trigger_turn turn;
	struct problem why;
	struct task *task;

	if (!triggers_hit(&c->triggers, tid, &turn))
		return false;
	task = tasks_find(&c->tasks, tid);
	if (!task || !task->part)
		return true;
	if (turn == TRIGGER_STOP)
		session_stop(context_of(task));
	else if (turn == TRIGGER_START && !session_start(context_of(task), &why))
		parts_miss(&c->run->parts, &why);
	return true;
}

/* End the counting, also of tasks that still run. */
static void freeze(struct counting *c)
{
	struct task *task;

	if (c->frozen || !c->executed)
		return;
	c->frozen = true;
	c->run->elapsed = pace_elapsed(&c->pace);
	parts_stop(&c->run->parts);
	for (task = tasks_next(&c->tasks, NULL); task; task = tasks_next(&c->tasks, task))
		collect(c, task);
}

/* The CPU time of the command, without the time of pfmon's child before the exec. */
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
	triggers_end(&c->triggers, tid);
	if (tid != c->follower.child.pid)
		return;
	freeze(c);
	take_times(c, usage);
}

/* Tasks that outlive the command continue; one that does not stop is freed at pfmon's end. */
static void release_all(struct counting *c)
{
	struct task *task;

	follow_release_rest(&c->follower);
	while ((task = tasks_any(&c->tasks)))
		tasks_remove(&c->tasks, task->tid);
}

static void note_programs(struct counting *c)
{
	const struct programs *programs = &c->target->choice.programs;
	char *options;

	if (programs_all(programs) || c->run->parts.sessions || c->run->parts.missed)
		return;
	options = programs_text(programs);
	strings_add(&c->run->notes,
		    xasprintf("no program that was executed is one of %s: nothing was counted", options));
	free(options);
}

static void add_notes(struct counting *c)
{
	struct strings *notes = &c->run->notes;

	if (c->executed && c->pace.started <= 0)
		strings_add(notes, xstrdup("the command ended before the delay: nothing was counted"));
	if (c->tasks.n)
		strings_add(notes, xasprintf("%zu task%s outlived the command: counted until its end",
					     c->tasks.n, PLURAL(c->tasks.n)));
}

/*
 * True if the process is exiting. Then /proc/PID/exe leads nowhere, but only a little after the
 * context has gone. The link of a program with other privileges stays, readable or not.
 */
static bool is_exiting(pid_t pid)
{
	unsigned int looks;
	char path[PROC_PATH], target;

	proc_path(path, pid, "exe");
	for (looks = 0; looks < EXIT_LOOKS; looks++) {
		if (readlink(path, &target, 1) < 0 && errno != EACCES)
			return true;
		usleep(EXIT_LOOK_USEC);
	}
	return false;
}

/*
 * A released command lost its context. If it does not end, it has executed a program with other
 * privileges, and pfmon no longer traces it to attach again.
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

static double count_next(void *data)
{
	const struct counting *c = data;

	return c->frozen ? 0 : pace_next(&c->pace);
}

static void count_tick(void *data)
{
	struct counting *c = data;

	if (pace_tick(&c->pace, c->run) & DUE_START)
		loop_end_after(&c->follower.loop, c->target->timeout_ms);
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
	.trap		= count_trap,
	.end		= count_end,
	.next		= count_next,
	.tick		= count_tick,
	.timeout	= count_timeout,
};

/* The command is released after its exec, and its context watched instead. */
static const struct follow_ops count_first = {
	.begin		= count_begin,
	.stop		= count_stop,
	.end		= count_end,
	.descriptor	= count_descriptor,
	.readable	= count_released,
	.next		= count_next,
	.tick		= count_tick,
	.timeout	= count_timeout,
};

bool run_command(const struct target *target, const struct plan *plan, struct run *run,
		 struct problem *why)
{
	const bool release = target->choice.first_only && !target->choice.triggers.n;
	struct follow_ops all = count_all;
	struct counting c = {
		.target = target, .plan = plan, .run = run, .watched = -1,
		.triggers = { .options = &target->choice.triggers },
		.hold = trigger_options_hold(&target->choice.triggers),
		.follower = {
			.ops = release ? &count_first : &all,
			.data = &c,
			.timeout_ms = target->delay_ms ? 0 : target->timeout_ms,
			.release = release,
		},
	};
	bool ok;

	if (target->choice.first_only)
		all.options = 0;
	all.options |= trigger_options_trace(&target->choice.triggers);
	ok = follow_command(&c.follower, target->command, why);
	run->status = c.follower.status;
	run->interrupted = c.follower.interrupted;
	freeze(&c);
	add_notes(&c);
	note_programs(&c);
	release_all(&c);
	triggers_free(&c.triggers);
	return ok;
}
