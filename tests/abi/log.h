/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's log.
 */
#ifndef TESTS_ABI_LOG_H
#define TESTS_ABI_LOG_H

#include "../harness.h"

#include <fcntl.h>
#include <unistd.h>

/* Return: a descriptor that reads the lines from now on, one with each read. */
static inline int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	CHECK_OK(fd);
	CHECK_OK(lseek(fd, 0, SEEK_END));
	return fd;
}

#endif /* TESTS_ABI_LOG_H */
