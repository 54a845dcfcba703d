// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: start and stop.
 */
#include <linux/errno.h>
#include "perfmon.h"

static void pfm_start_here(struct pfm_context *ctx, bool here, void *arg)
{
	if (ctx->started)
		return;
	ctx->started = true;
	if (here)
		pfm_cpu_in(ctx);
}

/**
 * pfm_start() - PFM_START: activate monitoring.
 * @call: pfarg_start_t or nothing
 *
 * Starting what is started is no error.
 *
 * Return: 0; -EINVAL when the event set does not exist.
 */
int pfm_start(struct pfm_call *call)
{
	const pfarg_start_t *req = call->args;
	struct pfm_context *ctx = call->ctx;

	if (call->n && !pfm_set_find(ctx, req->start_set))
		return -EINVAL;
	pfm_target_call(ctx, pfm_start_here, NULL);
	return 0;
}

static void pfm_stop_here(struct pfm_context *ctx, bool here, void *arg)
{
	if (here)
		pfm_cpu_pause(ctx);
	ctx->started = false;
}

/**
 * pfm_stop() - PFM_STOP: deactivate monitoring; the counters keep their values.
 * @call: no argument
 *
 * Stopping what is stopped is no error.
 *
 * Return: 0.
 */
int pfm_stop(struct pfm_call *call)
{
	pfm_target_call(call->ctx, pfm_stop_here, NULL);
	return 0;
}
