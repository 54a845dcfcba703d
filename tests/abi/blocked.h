/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sampled thread that waits while its buffer is full, with any sampling format.
 */
#ifndef TESTS_ABI_BLOCKED_H
#define TESTS_ABI_BLOCKED_H

#include "overflow.h"

static inline void loop_until_killed(void *gate)
{
	gate_wait(*(const int *)gate);
	for (;;)
		loop(1000000);
}

/*
 * Sample another thread with register 0, while register 1 counts. Each of five times that the
 * buffer is full and the thread waits, @check is called, with 1 for the first one.
 */
static inline void sample_blocked(int fd, __u64 period, void (*check)(void *data, int round),
				  void *data)
{
	int gate = gate_new(), round;
	pid_t pid;

	program(fd, (struct event){ .reg = 0, .flags = NOTIFY, .period = period });
	count_up(fd, 0, 1);
	pid = spawn_without(fd, loop_until_killed, &gate);
	load(fd, pid);
	start(fd);
	gate_open(gate);
	for (round = 1; round <= 5; round++) {
		WAIT_UNTIL(has_message(fd));
		WAIT_UNTIL(thread_state(pid) == 'S' || thread_state(pid) == 'D');
		check(data, round);
		restart(fd);
	}
	kill_child(pid);
	CHECK_EQ(ledger(fd, "lost-full"), 0);
	check_ledger(fd);
}

#endif /* TESTS_ABI_BLOCKED_H */
