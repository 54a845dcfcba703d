// SPDX-License-Identifier: GPL-2.0
/* The turn of an event set: its group of perf events is enabled, or disabled. */
#define _GNU_SOURCE
#include <sys/ioctl.h>
#include <time.h>

#include "nanoseconds.h"
#include "perf/context.h"

/* The set's events can be enabled and disabled as one. */
static bool group_ioctl(const struct perf_set *set, unsigned long request)
{
	return set->leader < 0 || !ioctl(set->leader, request, PERF_IOC_FLAG_GROUP);
}

bool perf_set_enable(struct perf_context *ctx)
{
	struct perf_set *set = ctx->active;

	if (!group_ioctl(set, PERF_EVENT_IOC_ENABLE))
		return false;
	set->runs++;
	ctx->deadline = set->flags & PFM_SETFL_TIME_SWITCH && ctx->sets->next ?
				nanoseconds_now(CLOCK_MONOTONIC) + set->timeout_ns : 0;
	return true;
}

/* A group that lost its counters reports that until it is enabled again: read before that. */
void perf_set_disable(struct perf_context *ctx)
{
	struct perf_count count;

	group_ioctl(ctx->active, PERF_EVENT_IOC_DISABLE);
	ctx->deadline = 0;
	if (ctx->active->leader >= 0 && !perf_read_event(ctx->active->leader, &count))
		ctx->short_of = true;
}
