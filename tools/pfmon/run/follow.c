// SPDX-License-Identifier: GPL-2.0
/*
 * The loop around ptrace and wait4(). The tasks are seized, not attached to, as only that
 * distinguishes a stop by job control from others. A tracee can be killed at any time, so a
 * failing request to it is not an error.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/breakpoints.h"
#include "run/follow.h"
#include "run/loop.h"
#include "run/news.h"
#include "run/procfs.h"

/* The longest wait for tasks that outlive the command to stop, so that they can be released. */
#define RELEASE_SECONDS		5

static void follow_resume(pid_t tid, int sig)
{
	ptrace(PTRACE_CONT, tid, NULL, (void *)(long)sig);
}

/* Remove breakpoints first: a breakpoint would stay, and kill the task. */
void follow_release(pid_t tid, int sig)
{
	breakpoints_set(tid, NULL, 0);
	ptrace(PTRACE_DETACH, tid, NULL, (void *)(long)sig);
}

void follow_release_stopped(pid_t tid, int wait_status)
{
	const int sig = news_event(wait_status) ? 0 : WSTOPSIG(wait_status);

	follow_release(tid, sig == SIGTRAP && breakpoints_hit(tid) ? 0 : sig);
}

/* The tree of tids has no memory but its own: the keys are the tids. */

static void *key_of(pid_t tid)
{
	return (void *)(intptr_t)tid;
}

static int by_tid(const void *one, const void *other)
{
	return ((intptr_t)one > (intptr_t)other) - ((intptr_t)one < (intptr_t)other);
}

static void follow_note(struct follower *f, pid_t tid)
{
	if (tsearch(key_of(tid), &f->traced, by_tid))
		return;
	complain("out of memory");
	exit(EXIT_PFMON);
}

static void follow_forget(struct follower *f, pid_t tid)
{
	tdelete(key_of(tid), &f->traced, by_tid);
}

/* The new task is traced from now on, and stops by itself, perhaps after the command's end. */
static void follow_birth(struct follower *f, pid_t tid)
{
	unsigned long born;

	if (!ptrace(PTRACE_GETEVENTMSG, tid, NULL, &born))
		follow_note(f, (pid_t)born);
}

static void interrupt(const void *node, VISIT order, void *left)
{
	/* A task that is gone has been reported already. */
	if ((order == postorder || order == leaf) &&
	    !ptrace(PTRACE_INTERRUPT, (pid_t)*(const intptr_t *)node, NULL, NULL))
		++*(size_t *)left;
}

static void forget(void *key)
{
	(void)key;
}

void follow_release_rest(struct follower *f)
{
	const double limit = now() + RELEASE_SECONDS;
	size_t left = 0;
	int status;
	pid_t tid;

	twalk_r(f->traced, interrupt, &left);
	tdestroy(f->traced, forget);
	f->traced = NULL;
	while (left && now() < limit) {
		tid = waitpid(-1, &status, __WALL | WNOHANG);
		if (tid < 0)
			break;
		if (!tid) {
			usleep(1000);
			continue;
		}
		if (WIFSTOPPED(status))
			follow_release_stopped(tid, status);
		left--;
	}
}

/* tgkill() with signal 0 finds the main thread of a process, for which no file need be read. */
pid_t process_of(pid_t tid)
{
	char path[PROC_PATH], line[128];
	int pid = tid;
	FILE *file;

	if (!syscall(SYS_tgkill, tid, tid, 0) || errno == EPERM)
		return tid;
	proc_path(path, tid, "status");
	file = fopen(path, "re");
	if (!file)
		return tid;
	while (fgets(line, sizeof(line), file) && sscanf(line, "Tgid: %d", &pid) != 1)
		;
	fclose(file);
	return pid;
}

static bool is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

void follow_pass(pid_t tid, int wait_status)
{
	const int sig = WSTOPSIG(wait_status);

	switch (news_event(wait_status)) {
	case 0: /* a signal is about to be delivered */
		follow_resume(tid, sig);
		break;
	case PTRACE_EVENT_STOP:
		if (is_stop_signal(sig)) /* job control: it stays stopped until SIGCONT */
			ptrace(PTRACE_LISTEN, tid, NULL, NULL);
		else
			follow_resume(tid, 0); /* it is new, or continued */
		break;
	default: /* it made a child, which stops by itself */
		follow_resume(tid, 0);
		break;
	}
}

static void follow_begin(struct follower *f)
{
	const pid_t pid = f->child.pid;

	if (!f->ops->begin(f->data, f->why)) {
		f->failed = true;
		kill(pid, SIGKILL);
		return;
	}
	f->started = true;
	if (f->release)
		follow_release(pid, 0);
	else
		follow_resume(pid, 0);
}

static void follow_exec(struct follower *f, pid_t pid)
{
	unsigned long former = (unsigned long)pid;

	if (!f->started) {
		follow_begin(f);
		return;
	}
	ptrace(PTRACE_GETEVENTMSG, pid, NULL, &former);
	if (f->ops->exec)
		f->ops->exec(f->data, pid, (pid_t)former);
	follow_resume(pid, 0);
}

static void follow_stop(struct follower *f, pid_t tid, int status)
{
	follow_note(f, tid);
	if (news_event(status) == PTRACE_EVENT_EXEC) {
		follow_exec(f, tid);
		return;
	}
	if (f->ops->stop)
		f->ops->stop(f->data, tid);
	if (news_event(status) == PTRACE_EVENT_FORK || news_event(status) == PTRACE_EVENT_VFORK ||
	    news_event(status) == PTRACE_EVENT_CLONE)
		follow_birth(f, tid);
	if (!news_event(status) && WSTOPSIG(status) == SIGTRAP && f->ops->trap &&
	    f->ops->trap(f->data, tid)) {
		follow_resume(tid, 0);
		return;
	}
	if (news_event(status) == PTRACE_EVENT_EXIT && f->ops->exit)
		f->ops->exit(f->data, tid);
	follow_pass(tid, status);
}

static void follow_end(struct follower *f, pid_t tid, int status, const struct rusage *usage)
{
	follow_forget(f, tid);
	if (tid == f->child.pid) {
		f->ended = true;
		f->status = child_status(status);
	}
	if (f->ops->end)
		f->ops->end(f->data, tid, usage);
}

static void follow_news(void *data, const struct news *news)
{
	struct follower *f = data;

	if (WIFSTOPPED(news->status))
		follow_stop(f, news->tid, news->status);
	else
		follow_end(f, news->tid, news->status, &news->usage);
}

static void follow_wait(struct follower *f)
{
	struct loop *loop = &f->loop;
	struct pollfd watch = { .fd = -1, .events = POLLIN };
	unsigned int woken;

	if (f->started && f->ops->descriptor)
		watch.fd = f->ops->descriptor(f->data);
	loop->tick = f->started && f->ops->next ? f->ops->next(f->data) : 0;
	woken = loop_wait(loop, &watch, 1);
	if (woken & WAKE_FD)
		f->ops->readable(f->data);
	if (woken & WAKE_TICK)
		f->ops->tick(f->data);
	if (woken & WAKE_SIGNAL) {
		f->interrupted = true;
		loop_forward_signal(loop, f->child.pid);
	}
	if (woken & WAKE_TIMEOUT) {
		if (f->ops->timeout)
			f->ops->timeout(f->data);
		kill(f->child.pid, SIGTERM);
	}
}

static void follow_to_end(struct follower *f)
{
	bool running = false;

	loop_begin(&f->loop, 0);
	for (;;) {
		news_tell(follow_news, f);
		if (f->ended)
			return;
		if (f->started && !running) {
			running = true;
			loop_begin(&f->loop, f->timeout_ms);
		}
		follow_wait(f);
	}
}

bool follow_command(struct follower *f, char **command, struct problem *why)
{
	f->status = EXIT_PFMON;
	f->why = why;
	if (!child_start(&f->child, command, why) ||
	    !child_trace(&f->child, f->ops->options | PTRACE_O_TRACEEXEC, why))
		return false;
	if (f->ops->forked)
		f->ops->forked(f->data, f->child.pid);
	child_go(&f->child);
	follow_to_end(f);

	f->error = child_exec_error(&f->child, command[0], why);
	if (f->error)
		f->status = child_exec_status(f->error);
	else if (f->failed)
		f->status = EXIT_PFMON;
	else if (!f->started)
		problem(why, "the command ended before it was executed");
	return !f->error && f->started;
}
