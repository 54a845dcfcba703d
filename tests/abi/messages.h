/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading the message queue.
 */
#ifndef TESTS_ABI_MESSAGES_H
#define TESTS_ABI_MESSAGES_H

#include "process.h"

static inline bool has_message(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	CHECK_OK(poll(&pollfd, 1, 0));
	return pollfd.revents & POLLIN;
}

/* Wait for the next message, which is PFM_MSG_END. */
static inline void expect_end(int fd)
{
	pfm_msg_t msg;

	CHECK_EQ(read(fd, &msg, sizeof(msg)), sizeof(msg));
	CHECK_EQ(msg.msg_type, PFM_MSG_END);
}

static inline void set_nonblocking(int fd)
{
	CHECK_OK(fcntl(fd, F_SETFL, O_NONBLOCK));
}

/* A context whose thread has ended: there is one message in its queue. */
static inline int ended_context(void)
{
	int fd = create(0);
	pid_t pid = sleeping_child(fd);

	CHECK_OK(try_load(fd, pid));
	kill_child(pid);
	return fd;
}

#endif /* TESTS_ABI_MESSAGES_H */
