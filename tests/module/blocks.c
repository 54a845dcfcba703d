// SPDX-License-Identifier: GPL-2.0
/*
 * The number of contexts that can block is limited, as each needs an entry in the module's probe of
 * signals; one more is refused, and its thread does not run on without blocking. In a guest with
 * perfmon.ko.
 */
#include "../abi/sampling.h"

#include <sys/resource.h>

#define MOST	1024

static int blocking(pid_t pid)
{
	int fd = create(PFM_FL_NOTIFY_BLOCK);

	load(fd, pid);
	unload(fd);
	return fd;
}

TEST_LIMIT(so_many_contexts_can_block_and_no_more, 120)
{
	const struct rlimit limit = { 2 * MOST, 2 * MOST };
	pid_t pid = spawn(just_wait, NULL);
	int fds[MOST], more, other, i;

	CHECK_OK(setrlimit(RLIMIT_NOFILE, &limit));
	more = create(PFM_FL_NOTIFY_BLOCK);
	other = create(0);
	/* They keep their entries while they are unloaded. */
	for (i = 0; i < MOST; i++)
		fds[i] = blocking(pid);
	CHECK_ERRNO(try_load(more, pid), ENOMEM);
	check_unloaded(more);
	load(other, pid);
	unload(other);
	load(fds[0], pid);
	unload(fds[0]);
	CHECK_OK(close(fds[0]));
	WAIT_UNTIL(!try_load(more, pid));
	unload(more);
	for (i = 1; i < MOST; i++)
		CHECK_OK(close(fds[i]));
	kill_child(pid);
}
