// SPDX-License-Identifier: GPL-2.0
/*
 * Breakpoints by ptrace: the area "user" of a tracee has the debug registers. Facts: Intel SDM
 * volume 3B, "Debug Registers", which AMD's manual, volume 2, has as well. The kernel lets a
 * thread execute the instruction of its own breakpoint: it sets RF, the resume flag, in the flags
 * with which the thread returns.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#include "run/breakpoints.h"

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

bool breakpoints_possible(struct problem *why)
{
	(void)why;
	return true;
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

#else

bool breakpoints_possible(struct problem *why)
{
	problem(why, "--trigger-start and --trigger-stop need debug registers, and pfmon knows those of x86-64 only");
	return problem_hint(why, "--delay and --timeout begin and end by time.");
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
