// SPDX-License-Identifier: GPL-2.0
/*
 * Counting a command with all its threads and processes.
 *
 * perfmon contexts are not inherited, so every new task gets one of its own. ptrace
 * makes that exact: with PTRACE_SEIZE and the clone options each task stops at birth,
 * before it runs one instruction at user level, and gets its context there. The command
 * itself gets its context at its exec event, so that nothing of pfmon's own child code is
 * counted. The counts are read when a task has ended: its context is unloaded by then.
 *
 * All the stops that this causes, and those that signals and job control cause, are
 * resumed faithfully. With first_only the command is released after its exec.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "loop.h"
#include "run.h"
#include "tasks.h"

#define STOP_EVENT(status)	((status) >> 16)

/* How long to wait for processes that outlive the command to stop, to release them. */
#define RELEASE_SECONDS		0.5

static const char lost_privileges[] =
	"the command executed a program with other privileges (set-user-id?): counted until there";

#define PF_EXITING		0x4	/* include/linux/sched.h */

struct follower {
	const struct target	*target;
	const struct plan	*plan;
	struct run		*run;
	struct child		child;
	struct tasks		tasks;
	double			started;	/* 0: the command was not executed yet */
	double			cpu_before;	/* CPU time of the child until then */
	bool			frozen;		/* counting is over */
	bool			ended;		/* the command is gone */
	bool			failed;		/* nothing can be counted: @why */
	unsigned int		missed;		/* tasks without a context */
	struct problem		missed_why;	/* of the first one */
	struct problem		*why;
};

/* A tracee can be killed at any time, so that these fail is no news. */
static void resume(pid_t tid, int sig)
{
	ptrace(PTRACE_CONT, tid, NULL, (void *)(long)sig);
}

static void release(pid_t tid, int sig)
{
	ptrace(PTRACE_DETACH, tid, NULL, (void *)(long)sig);
}

static bool is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

/* Take the counts of a task whose context is not needed any more. */
static void collect(struct follower *f, struct task *task)
{
	struct problem why;

	if (task->fd < 0)
		return;
	if (session_read(f->plan, task->fd, f->run->count, f->run->set, &why)) {
		f->run->sessions++;
		f->run->suspended_ns += session_suspended_ns(task->fd);
	} else {
		if (!f->missed++)
			f->missed_why = why;
	}
	close(task->fd);
	task->fd = -1;
}

/* A stopped task gets a context and counts as soon as it runs. */
static bool attach(struct follower *f, struct task *task, struct problem *why)
{
	const int fd = session_open(f->plan, false, why);

	if (fd < 0)
		return false;
	if (!session_load(fd, task->tid, run_first_set(f->run, f->plan), why) ||
	    !session_start(fd, why)) {
		const int error = errno;

		close(fd);
		errno = error;
		return false;
	}
	task->fd = fd;
	return true;
}

static void attach_or_note(struct follower *f, struct task *task)
{
	struct problem why;

	if (f->frozen || attach(f, task, &why))
		return;
	if (errno == ESRCH) /* killed before it ran */
		return;
	if (!f->missed++)
		f->missed_why = why;
}

static double cpu_seconds(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time))
		return 0;
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The first exec: this is the command now, and it has not run yet. */
static void begin(struct follower *f, struct task *task)
{
	if (!attach(f, task, f->why)) {
		f->failed = true;
		kill(f->child.pid, SIGKILL);
		return;
	}
	f->cpu_before = cpu_seconds(f->child.pid);
	f->started = now();
	if (f->target->first_only)
		release(task->tid, 0);
	else
		resume(task->tid, 0);
}

/*
 * A task executes a program. All other threads of its process are gone, and it has the
 * leader's id now, whatever it was before. Its context stays, except when the program
 * has other privileges: then the kernel unloaded it, and a new one is tried.
 */
static void on_exec(struct follower *f, pid_t pid)
{
	unsigned long former = (unsigned long)pid;
	struct task *task;

	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &former);
	if ((pid_t)former != pid && tasks_find(&f->tasks, (pid_t)former)) {
		task = tasks_find(&f->tasks, pid);
		if (task)
			collect(f, task);
		tasks_remove(&f->tasks, pid);
		tasks_rename(&f->tasks, (pid_t)former, pid);
	}
	task = tasks_find(&f->tasks, pid);
	if (!task)
		task = tasks_add(&f->tasks, pid);
	if (!f->started) {
		begin(f, task);
		return;
	}
	if (task->fd >= 0 && session_ended(task->fd))
		collect(f, task);
	if (task->fd < 0)
		attach_or_note(f, task);
	resume(pid, 0);
}

static void on_stop(struct follower *f, pid_t tid, int status)
{
	const int sig = WSTOPSIG(status);

	if (!tasks_find(&f->tasks, tid))
		attach_or_note(f, tasks_add(&f->tasks, tid));

	switch (STOP_EVENT(status)) {
	case 0: /* a signal is about to be delivered */
		resume(tid, sig);
		break;
	case PTRACE_EVENT_EXEC:
		on_exec(f, tid);
		break;
	case PTRACE_EVENT_STOP:
		if (is_stop_signal(sig)) /* job control: it stays stopped until SIGCONT */
			ptrace(PTRACE_LISTEN, tid, NULL, NULL);
		else
			resume(tid, 0); /* born, or continued */
		break;
	default: /* it made a child, which stops by itself */
		resume(tid, 0);
		break;
	}
}

/* Counting is over, for all that still run too. */
static void freeze(struct follower *f)
{
	struct task *task;

	if (f->frozen || !f->started)
		return;
	f->frozen = true;
	f->run->elapsed = now() - f->started;
	for (task = tasks_next(&f->tasks, NULL); task; task = tasks_next(&f->tasks, task))
		if (task->fd >= 0)
			session_stop(task->fd);
	for (task = tasks_next(&f->tasks, NULL); task; task = tasks_next(&f->tasks, task))
		collect(f, task);
}

/* The CPU time of the command without what pfmon's child used to become it. */
static void take_times(struct follower *f, const struct rusage *usage)
{
	const double user = child_seconds(&usage->ru_utime);
	const double sys = child_seconds(&usage->ru_stime);
	double share = 1;

	if (user + sys > 0)
		share = 1 - f->cpu_before / (user + sys);
	if (share < 0)
		share = 0;
	f->run->user = user * share;
	f->run->sys = sys * share;
}

static void on_end(struct follower *f, pid_t tid, int status, const struct rusage *usage)
{
	struct task *task = tasks_find(&f->tasks, tid);

	if (task)
		collect(f, task);
	tasks_remove(&f->tasks, tid);
	if (tid != f->child.pid)
		return;
	freeze(f);
	f->ended = true;
	f->run->status = child_status(status);
	take_times(f, usage);
}

/* Handle everything that has happened to the children and tracees. */
static void drain(struct follower *f)
{
	struct rusage usage;
	int status;
	pid_t tid;

	while ((tid = wait4(-1, &status, __WALL | WNOHANG, &usage)) > 0) {
		if (WIFSTOPPED(status))
			on_stop(f, tid, status);
		else
			on_end(f, tid, status, &usage);
	}
}

/* Let those go that outlive the command; a stubborn one is freed by pfmon's own end. */
static void release_all(struct follower *f)
{
	const double limit = now() + RELEASE_SECONDS;
	struct task *task;
	int status;
	pid_t tid;

	for (task = tasks_next(&f->tasks, NULL); task; task = tasks_next(&f->tasks, task))
		ptrace(PTRACE_INTERRUPT, task->tid, NULL, NULL);
	while (f->tasks.n && now() < limit) {
		tid = waitpid(-1, &status, __WALL | WNOHANG);
		if (tid < 0)
			break;
		if (!tid) {
			usleep(1000);
			continue;
		}
		if (WIFSTOPPED(status))
			release(tid, STOP_EVENT(status) ? 0 : WSTOPSIG(status));
		tasks_remove(&f->tasks, tid);
	}
	while ((task = tasks_any(&f->tasks)))
		tasks_remove(&f->tasks, task->tid);
}

static void add_notes(struct follower *f)
{
	struct strings *notes = &f->run->notes;

	if (f->missed)
		strings_add(notes, xasprintf("%u task%s could not be counted: %s", f->missed,
					     PLURAL(f->missed), f->missed_why.what));
	if (f->tasks.n)
		strings_add(notes, xasprintf("%zu task%s outlived the command: counted until its end",
					     f->tasks.n, PLURAL(f->tasks.n)));
}

static unsigned long trace_options(const struct target *target)
{
	if (target->first_only)
		return PTRACE_O_TRACEEXEC;
	return PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
	       PTRACE_O_TRACECLONE;
}

/* Is it on its way out? Field 9 of its stat: the kernel's flags. */
static bool is_exiting(pid_t pid)
{
	unsigned int flags = 0;
	char path[64];
	FILE *file;
	bool known;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return true;
	known = fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %u", &flags) == 1;
	fclose(file);
	return !known || flags & PF_EXITING;
}

/*
 * A released command lost its context. When it does not end, it has executed a program
 * with other privileges, and pfmon is not there to attach again.
 */
static void watch_released(struct follower *f, struct pollfd *watch)
{
	struct task *task = tasks_find(&f->tasks, f->child.pid);

	if (!task || task->fd < 0 || !session_ended(task->fd))
		return;
	watch->fd = -1;
	if (!is_exiting(f->child.pid))
		strings_add(&f->run->notes, xstrdup(lost_privileges));
}

static void wait_for_command(struct follower *f)
{
	struct pollfd watch = { .fd = -1, .events = POLLIN };
	bool armed = false;
	unsigned int woken;
	struct loop loop;

	loop_begin(&loop, 0);
	for (;;) {
		drain(f);
		if (f->ended)
			return;
		if (f->started && !armed) {
			armed = true;
			loop_begin(&loop, f->target->timeout_ms);
			if (f->target->first_only)
				watch.fd = tasks_find(&f->tasks, f->child.pid)->fd;
		}
		woken = loop_wait(&loop, &watch, 1);
		if (woken & WAKE_FD)
			watch_released(f, &watch);
		if (woken & WAKE_SIGNAL) {
			f->run->interrupted = true;
			loop_forward_signal(&loop, f->child.pid);
		}
		if (woken & WAKE_TIMEOUT) {
			watch.fd = -1;
			freeze(f);
			kill(f->child.pid, SIGTERM);
		}
	}
}

bool run_command(const struct target *target, const struct plan *plan, struct run *run,
		 struct problem *why)
{
	struct follower f = { .target = target, .plan = plan, .run = run, .why = why };
	int error;

	run->status = EXIT_PFMON;
	if (!child_start(&f.child, target->command, why) ||
	    !child_trace(&f.child, trace_options(target), why))
		return false;
	tasks_add(&f.tasks, f.child.pid);
	child_go(&f.child);
	wait_for_command(&f);
	freeze(&f);
	add_notes(&f);
	release_all(&f);

	error = child_exec_error(&f.child, target->command[0], why);
	if (error)
		run->status = child_exec_status(error);
	else if (f.failed)
		run->status = EXIT_PFMON;
	else if (!f.started)
		problem(why, "the command ended before it was executed");
	return !error && !f.failed && f.started > 0;
}
