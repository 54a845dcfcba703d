// SPDX-License-Identifier: GPL-2.0
/* A command that runs while other targets are measured: its end is that of the measurement. */
#define _GNU_SOURCE
#include <signal.h>

#include "run/beside.h"

bool beside_start(struct beside *beside, char **command, struct problem *why)
{
	*beside = (struct beside){ .child.link = -1 };
	if (!command)
		return true;
	if (!child_start(&beside->child, command, why))
		return false;
	beside->command = command;
	return true;
}

void beside_go(struct beside *beside)
{
	if (beside->command)
		child_go(&beside->child);
}

void beside_abandon(struct beside *beside)
{
	if (beside->command)
		child_abandon(&beside->child);
}

bool beside_is(const struct beside *beside, pid_t tid)
{
	return beside->command && tid == beside->child.pid;
}

bool beside_signal(const struct beside *beside, const struct loop *loop)
{
	if (!beside->command)
		return true;
	loop_forward_signal(loop, beside->child.pid);
	return false;
}

static void wait_for_end(struct beside *beside, void (*handle)(void *data, const struct news *),
			 void *data)
{
	struct loop loop;

	loop_begin(&loop, 0);
	for (news_tell(handle, data); !beside->gone; news_tell(handle, data))
		if (loop_wait(&loop, NULL, 0) & WAKE_SIGNAL)
			loop_forward_signal(&loop, beside->child.pid);
}

bool beside_end(struct beside *beside, bool time, void (*handle)(void *data, const struct news *),
		void *data, int *status, struct problem *why)
{
	int error;

	if (!beside->command)
		return true;
	if (!beside->gone) {
		if (time)
			kill(beside->child.pid, SIGTERM);
		wait_for_end(beside, handle, data);
	}
	error = child_exec_error(&beside->child, beside->command[0], why);
	if (error)
		*status = child_exec_status(error);
	return !error;
}
