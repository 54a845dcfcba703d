/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A monitored child that spins, on this CPU or on another one. With icount, QEMU runs its CPUs in
 * turns of 0.1 ms, for which a command on a target on another CPU waits. So tests use few of them.
 */
#ifndef TESTS_ABI_SPINNING_H
#define TESTS_ABI_SPINNING_H

#include "count.h"
#include "process.h"

static inline pid_t spinning_child(int fd, int cpu)
{
	pid_t pid = spawn_without(fd, just_spin, NULL);

	pin_thread(pid, cpu);
	return pid;
}

/* A session of a user that monitors itself. */
static inline void spin_as_nobody(void *fd)
{
	become(NOBODY, NOBODY);
	load_self(*(int *)fd);
	start(*(int *)fd);
	just_spin(NULL);
}

/* Commands that must work on the target while it counts. */
static inline void control_spinning(int fd, pid_t pid)
{
	__u64 before = 0, now;
	int i;

	load(fd, pid);
	sleep_ms(2);
	CHECK_EQ(read_pmd(fd, 0), 0);
	start(fd);
	for (i = 0; i < 5; i++) {
		now = read_pmd(fd, 0);
		CHECK_GE(now, before);
		before = now;
	}
	WAIT_UNTIL(read_pmd(fd, 0) > before + 10000);
	write_pmd(fd, 0, 1ULL << 40);
	CHECK_GE(read_pmd(fd, 0), 1ULL << 40);
	WAIT_UNTIL(read_pmd(fd, 0) > (1ULL << 40) + 10000);
	CHECK_EQ(thread_state(pid), 'R');
	stop(fd);
	now = read_pmd(fd, 0);
	sleep_ms(2);
	CHECK_EQ(read_pmd(fd, 0), now);
	start(fd);
	WAIT_UNTIL(read_pmd(fd, 0) > now + 10000);
	write_pmc(fd, 0, 0);
	now = read_pmd(fd, 0);
	sleep_ms(2);
	CHECK_EQ(read_pmd(fd, 0), now);
	unload(fd);
	CHECK_EQ(read_pmd(fd, 0), now);
}

#endif /* TESTS_ABI_SPINNING_H */
