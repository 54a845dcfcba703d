// SPDX-License-Identifier: GPL-2.0
/*
 * Breakpoints by ptrace: the area "user" of a tracee has the debug registers. Facts: Intel SDM
 * volume 3B, "Debug Registers", which AMD's manual, volume 2, has as well. The kernel lets a
 * thread execute the instruction of its own breakpoint: it sets RF, the resume flag, in the flags
 * with which the thread returns.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/breakpoints.h"

#define BY_TIME		"--delay and --timeout begin and end by time."

#ifdef __x86_64__

#define DR_STATUS	6
#define DR_CONTROL	7
#define DR_HIT		0xfUL		/* in the status: a bit for each breakpoint */
#define DR_ENABLE(i)	(1UL << 2 * (i)) /* in the control; the other bits are 0: execution */

static void *debug_register(size_t i)
{
	return (void *)(offsetof(struct user, u_debugreg) +
			i * sizeof(((struct user *)NULL)->u_debugreg[0]));
}

static bool poke(pid_t tid, size_t i, unsigned long value)
{
	return !ptrace(PTRACE_POKEUSER, tid, debug_register(i), (void *)value);
}

bool breakpoints_set(pid_t tid, const uint64_t *address, size_t n)
{
	unsigned long control = 0;
	size_t i;

	if (!poke(tid, DR_CONTROL, 0))
		return false;
	for (i = 0; i < n; i++) {
		if (!poke(tid, i, address[i]))
			return false;
		control |= DR_ENABLE(i);
	}
	return poke(tid, DR_CONTROL, control);
}

unsigned int breakpoints_hit(pid_t tid)
{
	long status;

	errno = 0;
	status = ptrace(PTRACE_PEEKUSER, tid, debug_register(DR_STATUS), NULL);
	if (errno || !(status & DR_HIT))
		return 0;
	poke(tid, DR_STATUS, (unsigned long)status & ~DR_HIT);
	return (unsigned int)status & DR_HIT;
}

/* The address of a breakpoint in a child of pfmon. */
static void __attribute__((noinline)) trial_place(void)
{
	__asm__ volatile("" : : : "memory");
}

/*
 * A child that is traced and has stopped before it calls trial_place(); -1: there is none. It stops
 * again afterwards.
 */
static pid_t trial_child(void)
{
	const pid_t child = fork();
	int status;

	if (!child) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(1);
		raise(SIGSTOP);
		trial_place();
		raise(SIGSTOP);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return -1;
	return child;
}

/* A trial that cannot be made proves nothing: the command's own breakpoints will give the reason. */
static bool trial_stops(void)
{
	const uint64_t place = (uintptr_t)trial_place;
	const pid_t child = trial_child();
	bool stops;

	if (child < 0)
		return true;
	stops = !breakpoints_set(child, &place, 1) || ptrace(PTRACE_CONT, child, NULL, NULL) ||
		waitpid(child, NULL, 0) != child || breakpoints_hit(child);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return stops;
}

bool breakpoints_possible(struct problem *why)
{
	if (trial_stops())
		return true;
	problem(why, "--trigger-start and --trigger-stop need debug registers, and those of this machine stop no program");
	return problem_hint(why, "The host of a virtual machine decides on them. " BY_TIME);
}

#else

bool breakpoints_possible(struct problem *why)
{
	problem(why, "--trigger-start and --trigger-stop need debug registers, and pfmon knows those of x86-64 only");
	return problem_hint(why, BY_TIME);
}

bool breakpoints_set(pid_t tid, const uint64_t *address, size_t n)
{
	(void)tid;
	(void)address;
	(void)n;
	errno = EOPNOTSUPP;
	return false;
}

unsigned int breakpoints_hit(pid_t tid)
{
	(void)tid;
	return 0;
}

#endif
