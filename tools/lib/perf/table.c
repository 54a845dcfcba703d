// SPDX-License-Identifier: GPL-2.0
/*
 * Contexts by their descriptors. One lock holds for everything behind this backend: commands
 * are short.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "perf/context.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct perf_context **table;	/* by descriptor */
static size_t room;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* In a child the lock is free, whichever thread of the parent had it. */
static void keep_over_fork(void)
{
	pthread_atfork(perf_lock, perf_unlock, perf_unlock);
}

void perf_lock(void)
{
	pthread_mutex_lock(&lock);
}

void perf_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

struct perf_context *perf_get(int fd)
{
	perf_lock();
	if (fd >= 0 && (size_t)fd < room && table[fd])
		return table[fd];
	perf_unlock();
	errno = EBADF;
	return NULL;
}

void perf_put(void)
{
	perf_unlock();
}

struct perf_context *perf_next(struct perf_context *ctx)
{
	size_t i = ctx ? (size_t)ctx->fd + 1 : 0;

	for (; i < room; i++)
		if (table[i])
			return table[i];
	return NULL;
}

bool perf_table_add(struct perf_context *ctx, struct perf_context **before)
{
	const size_t needed = (size_t)ctx->fd + 1;
	struct perf_context **grown;

	pthread_once(&once, keep_over_fork);
	*before = NULL;
	if (needed > room) {
		grown = reallocarray(table, 2 * needed, sizeof(*table));
		if (!grown)
			return false;
		memset(grown + room, 0, (2 * needed - room) * sizeof(*table));
		table = grown;
		room = 2 * needed;
	}
	*before = table[ctx->fd];
	table[ctx->fd] = ctx;
	return true;
}

void perf_table_remove(const struct perf_context *ctx)
{
	table[ctx->fd] = NULL;
}
