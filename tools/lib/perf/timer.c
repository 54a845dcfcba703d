// SPDX-License-Identifier: GPL-2.0
/*
 * The thread that switches event sets by time.
 *
 * perf_events takes turns by itself where counters are too few, in its own order and
 * times. So each set is a group that is enabled and disabled from here. The
 * thread is created at the first start with such sets, and sleeps while there are none.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include "nanoseconds.h"
#include "perf/context.h"

static bool exists;
static sem_t news;	/* a context was started: its deadline may be the next one */

/* Begin the next set's turn; at the end of a thread there is nothing to enable. */
static void switch_set(struct perf_context *ctx)
{
	perf_set_disable(ctx);
	ctx->active = perf_set_after(ctx, ctx->active);
	if (!perf_set_enable(ctx))
		ctx->deadline = 0;
}

/* Returns the earliest deadline that is left, or 0. */
static uint64_t switch_those_due(void)
{
	struct perf_context *ctx;
	uint64_t next = 0;

	for (ctx = perf_next(NULL); ctx; ctx = perf_next(ctx)) {
		if (ctx->running && ctx->deadline && ctx->deadline <= nanoseconds_now(CLOCK_MONOTONIC))
			switch_set(ctx);
		if (ctx->running && ctx->deadline && (!next || ctx->deadline < next))
			next = ctx->deadline;
	}
	return next;
}

static void *run(void *unused)
{
	struct timespec until;
	uint64_t next;

	for (;;) {
		perf_lock();
		next = switch_those_due();
		perf_unlock();
		until.tv_sec = (time_t)(next / NSEC_PER_SEC);
		until.tv_nsec = (long)(next % NSEC_PER_SEC);
		if (next)
			sem_clockwait(&news, CLOCK_MONOTONIC, &until);
		else
			sem_wait(&news);
	}
	return unused;
}

bool perf_timer_begin(void)
{
	sigset_t all, before;
	pthread_t thread;
	int error;

	if (exists)
		return !sem_post(&news);
	if (sem_init(&news, 0, 0))
		return false;
	sigfillset(&all); /* signals are for the program's own threads */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&thread, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error) {
		errno = error;
		return false;
	}
	pthread_detach(thread);
	exists = true;
	return true;
}
