// SPDX-License-Identifier: GPL-2.0
/* Operations of processes and threads: they start, work, migrate, and end. */
#include "backend.h"
#include "calls.h"
#include "processes.h"
#include "slots.h"
#include "work.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void do_work(struct fuzzer *f)
{
	unsigned int loops = random_scaled(&f->random) % 10000;

	note(f, "work %u", loops);
	work(loops);
}

static void do_sleep(struct fuzzer *f)
{
	struct timespec time = { 0, random_below(&f->random, 1000000) };

	note(f, "sleep %ld ns", time.tv_nsec);
	nanosleep(&time, NULL);
}

static void do_yield(struct fuzzer *f)
{
	note(f, "yield");
	sched_yield();
}

static void do_move(struct fuzzer *f)
{
	unsigned int mask = 1 + random_below(&f->random, (1 << machine.cpus) - 1), i;
	pid_t tid = random_once_in(&f->random, 2) ? 0 : target_pick(f);
	cpu_set_t set;

	CPU_ZERO(&set);
	for (i = 0; i < machine.cpus; i++)
		if (mask >> i & 1)
			CPU_SET(i, &set);
	note(f, "move %d to %#x", tid, mask);
	sched_setaffinity(tid, sizeof(set), &set);
}

static void do_hotplug(struct fuzzer *f)
{
	bool up = random_once_in(&f->random, 2);

	if (!world->plan.hotplug)
		return;
	note(f, "CPU 1 %s", up ? "up" : "down");
	(void)!pwrite(FD_ONLINE, up ? "1" : "0", 1, 0);
}

static void do_limits(struct fuzzer *f)
{
	char text[32];
	int size;

	if (!world->plan.configure)
		return;
	/* A limit above the machine's own speed would not limit anything. */
	size = snprintf(text, sizeof(text), "%llu", (unsigned long long)
			random_scaled(&f->random) % 100000 + 100);
	note(f, "limit %s", text);
	(void)!pwrite(random_once_in(&f->random, 2) ? FD_RATE : FD_TIMEOUT, text, size, 0);
}

/* The formats' module is removed while contexts are created with them, and loaded again. */
static void do_module(struct fuzzer *f)
{
	bool load = random_once_in(&f->random, 2);

	if (!world->plan.modules)
		return;
	note(f, "module %s", load ? "load" : "unload");
	if (load)
		module_load(FD_MODULE);
	else
		syscall(SYS_delete_module, PROBE_MODULE, O_NONBLOCK);
	/* If perfmon is a module, it is in use. */
	if (!syscall(SYS_delete_module, "perfmon", O_NONBLOCK))
		violation(f, "perfmon.ko has gone");
}

/* Children. All are counted, and the process that collects one subtracts it. */

void child_is_gone(void)
{
	add_return(&world->alive, -1);
}

pid_t child_new(void)
{
	pid_t pid = -1;

	if (add_return(&world->alive, 1) > MAX_ALIVE || (pid = fork()) < 0)
		child_is_gone();
	return pid;
}

/* Wait, but not longer than the round lasts: init collects the remaining children. */
static bool collect_pid(pid_t pid, int options)
{
	pid_t got;

	do {
		got = waitpid(pid, NULL, options);
	} while (got < 0 && errno == EINTR && !world_is_over());
	if (got != pid)
		return false;
	target_remove(pid);
	child_is_gone();
	return true;
}

static void collect(struct fuzzer *f, unsigned int i, bool force)
{
	pid_t pid = exchange(&f->process->children[i], 0);

	if (!pid)
		return;
	if (force)
		kill(pid, SIGKILL);
	if (!collect_pid(pid, force ? 0 : WNOHANG))
		exchange(&f->process->children[i], pid);
}

static void do_collect(struct fuzzer *f)
{
	note(f, "collect");
	collect(f, random_below(&f->random, MAX_CHILDREN), random_once_in(&f->random, 4));
}

static void do_kill(struct fuzzer *f)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGSTOP, SIGCONT, SIGUSR1, SIGIO };
	pid_t pid = load_acquire(&f->process->children[random_below(&f->random, MAX_CHILDREN)]);

	if (!pid)
		return;
	note(f, "kill %d", pid);
	kill(pid, random_of(&f->random, signals));
}

static void do_fork(struct fuzzer *f)
{
	unsigned int i = random_below(&f->random, MAX_CHILDREN);
	pid_t pid;

	collect(f, i, true);
	if (load_acquire(&f->process->children[i]))
		return;
	pid = child_new();
	if (!pid)
		child_main(f);
	note(f, "fork = %d", pid);
	if (pid < 0)
		return;
	target_add(pid);
	pid = exchange(&f->process->children[i], pid);
	/* Another thread was faster: init collects that child. */
	if (pid)
		kill(pid, SIGKILL);
}

/* A thread that is loaded and started, and then ends by itself. */
static void do_doomed(struct fuzzer *f)
{
	struct context context = context_pick(f);
	pfarg_load_t load = { 0 };
	pid_t pid = child_new();

	if (!pid) {
		if (random_once_in(&f->random, 2))
			close_contexts(f);
		sched_yield();
		work(random_below(&f->random, 3000));
		_exit(0);
	}
	if (pid < 0)
		return;
	load.load_pid = pid;
	if (call_one(f, PFM_LOAD_CONTEXT, context.fd, &load))
		call_simple(f, PFM_START, context.fd);
	if (random_once_in(&f->random, 3))
		kill(pid, SIGKILL);
	if (random_once_in(&f->random, 3))
		call_simple(f, PFM_UNLOAD_CONTEXT, context.fd);
	/* It may block at its first notification, and perhaps no process restarts it. */
	if (random_once_in(&f->random, 2))
		sched_yield();
	kill(pid, SIGKILL);
	collect_pid(pid, 0);
}

static void *short_life(void *process)
{
	pid_t tid = gettid();

	target_add(tid);
	work(5000);
	sched_yield();
	work(5000);
	target_remove(tid);
	add_return(&((struct process *)process)->extra_threads, -1);
	return NULL;
}

static void do_thread(struct fuzzer *f)
{
	pthread_t thread;

	note(f, "thread");
	if (add_return(&f->process->extra_threads, 1) > 2 ||
	    pthread_create(&thread, NULL, short_life, f->process))
		add_return(&f->process->extra_threads, -1);
	else
		pthread_detach(thread);
}

/* Descriptor tables that are shared at first, and then separate. */
static void do_share_files(struct fuzzer *f)
{
	struct context context = context_pick(f);
	pid_t pid;

	if (add_return(&world->alive, 1) > MAX_ALIVE) {
		child_is_gone();
		return;
	}
	note(f, "share files with a child");
	pid = syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		backend_call(context.fd, PFM_START, NULL, 0);
		if (random_once_in(&f->random, 2))
			syscall(SYS_unshare, CLONE_FILES);
		work(500);
		syscall(SYS_exit_group, 0);
	}
	if (pid < 0)
		child_is_gone();
	else
		collect_pid(pid, 0);
}

const struct operation process_operations[] = {
	{ "work", 14, do_work },
	{ "sleep", 1, do_sleep },
	{ "yield", 4, do_yield },
	{ "move", 2, do_move },
	{ "hotplug", 1, do_hotplug },
	{ "limits", 1, do_limits },
	{ "module", 2, do_module },
	{ "collect", 2, do_collect },
	{ "kill", 1, do_kill },
	{ "fork", 3, do_fork },
	{ "doomed", 3, do_doomed },
	{ "thread", 2, do_thread },
	{ "share_files", 1, do_share_files },
	{ }
};
