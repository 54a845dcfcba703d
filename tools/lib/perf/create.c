// SPDX-License-Identifier: GPL-2.0
/* Creation and destruction of contexts. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "perf/context.h"

static const pfm_uuid_t no_format;

/* Would perf_events let this user have a context of this kind? */
static bool check_rights(uint32_t flags)
{
	struct perf_event_attr attr;
	int fd;

	if (!perf_pmu())
		return false;
	if (!(flags & PFM_FL_SYSTEM_WIDE))
		return true;
	perf_event_init(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	attr.exclude_kernel = attr.exclude_hv = 1;
	fd = perf_open(&attr, -1, sched_getcpu(), -1);
	if (fd < 0)
		return !perf_refuse_open(errno, "whole CPUs", 0);
	close(fd);
	return true;
}

static bool check_flags(uint32_t flags)
{
	if (flags & PFM_FL_NOTIFY_BLOCK)
		return !perfmon_refuse(ENOSYS, "Without PFM_FL_NOTIFY_BLOCK the thread runs on, and samples without room are counted as lost.",
				       "perf_events cannot block the monitored thread");
	if (flags & PFM_FL_OVFL_NO_MSG)
		return !perfmon_refuse(ENOSYS, NULL, "messages cannot be left out with perf_events");
	if (!(flags & ~(uint32_t)(PFM_FL_SYSTEM_WIDE | PFM_FL_EXTRA_MSG)))
		return true;
	errno = EINVAL;
	return false;
}

/* A context without samples needs no messages but the end of its event. */
static bool open_more(struct perf_context *ctx)
{
	struct epoll_event event = { .events = EPOLLIN };

	ctx->more = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return ctx->more >= 0 && !epoll_ctl(ctx->fd, EPOLL_CTL_ADD, ctx->more, &event);
}

static struct perf_context *make(pfarg_ctx_t *arg)
{
	struct perf_context *ctx = calloc(1, sizeof(*ctx));

	if (!ctx)
		return NULL;
	ctx->fd = ctx->more = -1;
	ctx->tid = ctx->cpu = -1;
	ctx->flags = arg->ctx_flags;
	ctx->sets = ctx->active = perf_new_set(0);
	ctx->fd = epoll_create1(EPOLL_CLOEXEC);
	if (ctx->sets && ctx->fd >= 0 &&
	    (!memcmp(arg->ctx_smpl_buf_id, no_format, sizeof(no_format)) ||
	     (perf_sampling_create(ctx, arg) && open_more(ctx))))
		return ctx;
	perf_destroy(ctx);
	return NULL;
}

int perf_create(pfarg_ctx_t *arg, int narg)
{
	struct perf_context *ctx, *before;
	bool ok;

	(void)narg;
	if (!check_flags(arg->ctx_flags) || !check_rights(arg->ctx_flags))
		return -1;
	ctx = make(arg);
	if (!ctx)
		return -1;
	perf_lock();
	ok = perf_table_add(ctx, &before);
	/* The old context's descriptor was closed by close(). */
	if (before) {
		before->fd = -1;
		perf_destroy(before);
	}
	perf_unlock();
	if (!ok) {
		perf_destroy(ctx);
		errno = ENOMEM;
		return -1;
	}
	arg->ctx_fd = ctx->fd;
	arg->ctx_smpl_buf_size = ctx->sampling ? ctx->sampling->mapped : 0;
	return 0;
}

void perf_destroy(struct perf_context *ctx)
{
	const int error = errno;
	struct perf_set *set;

	if (ctx->loaded)
		perf_unload(ctx);
	perf_sampling_destroy(ctx);
	while ((set = ctx->sets)) {
		ctx->sets = set->next;
		free(set);
	}
	if (ctx->more >= 0)
		close(ctx->more);
	if (ctx->fd >= 0)
		close(ctx->fd);
	free(ctx);
	errno = error;
}
