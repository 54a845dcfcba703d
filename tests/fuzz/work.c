// SPDX-License-Identifier: GPL-2.0
/* See work.h. */
#include "work.h"

#include "backend.h"

#include <fcntl.h>
#include <unistd.h>

#define INJECT_DIR	"/sys/kernel/debug/perfmon/"

/* About as many as a loop has instructions. */
#define EVENTS		8

/* Files of the kernel that make events; -1 on PMUs of processors. */
static int user_events = -1, kernel_events = -1;

void work_find(void)
{
	user_events = open_kept(INJECT_DIR "inject_user", O_WRONLY);
	kernel_events = open_kept(INJECT_DIR "inject_kernel", O_WRONLY);
}

/*
 * The kernel makes as many events as the write has bytes, and reads none of them. It makes fewer if
 * a signal or a wait comes between two events.
 */
static void inject(unsigned int n)
{
	int fd = n % (4 * EVENTS) ? user_events : kernel_events;
	ssize_t done;

	for (; fd >= 0 && n; n -= done) {
		done = write(fd, "", n);
		if (done <= 0)
			break;
	}
}

void work(unsigned int loops)
{
	volatile unsigned int i;

	for (i = 0; i < loops; i++)
		;
	inject(EVENTS * loops);
}
