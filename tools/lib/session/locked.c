// SPDX-License-Identifier: GPL-2.0
/* The memory that a user may lock, and the part that sampling buffers take. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "session/locked.h"

#define PARTS	32

static atomic_size_t taken;

uint64_t locked_share(uint64_t largest, uint64_t smallest)
{
	const uint64_t held = atomic_load(&taken);
	struct rlimit limit;
	uint64_t left, size = largest;

	if (!geteuid() || getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return largest;
	left = limit.rlim_cur > held ? limit.rlim_cur - held : 0;
	while (size > smallest && size > left / PARTS)
		size /= 2;
	return size;
}

void locked_add(ssize_t bytes)
{
	atomic_fetch_add(&taken, (size_t)bytes);
}
