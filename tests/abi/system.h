/* SPDX-License-Identifier: GPL-2.0 */
/* System-wide contexts and their counts. */
#ifndef TESTS_ABI_SYSTEM_H
#define TESTS_ABI_SYSTEM_H

#include "count.h"
#include "settings.h"

#define LOOPS	1000

/* Load a system-wide context, on this CPU. */
static inline void load_on(int fd, int cpu)
{
	pin(cpu);
	load_self(fd);
}

/* A process other than ours runs on the CPU: it is counted. */

static inline void loop_once(void *arg)
{
	pin(*(int *)arg);
	loop(100 * LOOPS);
}

static inline __u64 count_child_on(int fd, int cpu)
{
	__u64 before = read_pmd(fd, 0);

	run_in_child(loop_once, &cpu);
	return read_pmd(fd, 0) - before;
}

#endif /* TESTS_ABI_SYSTEM_H */
