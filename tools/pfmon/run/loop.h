/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting for the first of: a child, a signal to stop, the time-out, a message. */
#ifndef PFMON_RUN_LOOP_H
#define PFMON_RUN_LOOP_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The reasons of a wakeup of loop_wait(); several at once are possible. */
#define WAKE_CHILD	0x1	/* a child or tracee may have changed state */
#define WAKE_SIGNAL	0x2	/* SIGINT, SIGTERM, SIGHUP or SIGQUIT: loop->signal */
#define WAKE_TIMEOUT	0x4	/* once */
#define WAKE_FD		0x8	/* one of the descriptors is ready */
#define WAKE_TICK	0x10	/* loop->tick has come */

struct loop {
	double	deadline;		/* on CLOCK_MONOTONIC in seconds; 0: none */
	double	tick;			/* another time, which the caller sets before each wait */
	int	signal;			/* the last signal that requested a stop */
	bool	from_terminal;		/* so the command got it as well */
};

/* Block the signals that loop_wait() takes. Once, before the first child. */
void loop_setup(void);

/* Begin a measurement that lasts @timeout_ms at most, if that is not 0. */
void loop_begin(struct loop *loop, uint64_t timeout_ms);

/* The same for a measurement that has begun: it ends @timeout_ms after now; 0: never. */
void loop_end_after(struct loop *loop, uint64_t timeout_ms);

unsigned int loop_wait(struct loop *loop, struct pollfd *fds, unsigned int nfds);

/* Pass a signal on to the command, unless its terminal did that. */
void loop_forward_signal(const struct loop *loop, pid_t pid);

double now(void);	/* CLOCK_MONOTONIC in seconds */

#endif /* PFMON_RUN_LOOP_H */
