// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: start, stop, restart.
 */
#include <linux/errno.h>
#include <trace/events/perfmon.h>
#include "block.h"
#include "call.h"
#include "context.h"
#include "control.h"
#include "event_set.h"
#include "reset.h"
#include "rules.h"
#include "run.h"
#include "set_list.h"
#include "set_switch.h"
#include "target.h"

/* Of a started context. Reapply: the thread's state may have been cleared. */
static void pfm_start_again_here(struct pfm_context *ctx, bool here, void *arg)
{
	pfm_rules_thread(ctx, ctx->task, PFM_THREAD_START);
}

static void pfm_start_paused(struct pfm_context *ctx, void *arg)
{
	struct pfm_event_set *set = arg;

	if (set) {
		pfm_set_activate(ctx, set);
		ctx->switch_due = false;
		if (!ctx->masked)
			pfm_reset_overdue(set, false);
	}
	ctx->started = true;
	trace_pfm_start(ctx);
	pfm_rules_thread(ctx, ctx->task, PFM_THREAD_START);
}

/**
 * pfm_start() - PFM_START: activate monitoring.
 * @call: pfarg_start_t or nothing
 *
 * Starting a started context is no error; with an argument, its set becomes the
 * active one. While monitoring is masked, nothing counts before the restart.
 *
 * Return: 0; -EINVAL when the event set does not exist.
 */
int pfm_start(struct pfm_call *call)
{
	const pfarg_start_t *req = call->args;
	struct pfm_context *ctx = call->ctx;
	struct pfm_event_set *set = NULL;

	if (call->n) {
		set = pfm_set_find(ctx, req->start_set);
		if (!set)
			return -EINVAL;
	}
	if (!set && ctx->started)
		pfm_target_call(ctx, pfm_start_again_here, NULL);
	else
		pfm_target_change(ctx, pfm_start_paused, set);
	return 0;
}

static void pfm_stop_paused(struct pfm_context *ctx, void *arg)
{
	if (ctx->started)
		trace_pfm_stop(ctx);
	ctx->started = false;
	pfm_rules_thread(ctx, ctx->task, PFM_THREAD_STOP);
}

/**
 * pfm_stop() - PFM_STOP: deactivate monitoring; the counters keep their values.
 * @call: no argument
 *
 * Stopping a stopped context is no error.
 *
 * Return: 0.
 */
int pfm_stop(struct pfm_call *call)
{
	pfm_target_change(call->ctx, pfm_stop_paused, NULL);
	return 0;
}

static void pfm_restart_paused(struct pfm_context *ctx, void *arg)
{
	pfm_ovfl_ctrl_t ctrl = { };
	int *err = arg;

	if (ctx->fmt && ctx->fmt->fmt_restart)
		*err = ctx->fmt->fmt_restart(ctx->buf, !ctx->masked, &ctrl);
	else
		ctrl.reset_ovfl_pmds = ctx->masked;
	if (*err)
		return;
	ctx->fmt_failures = 0;
	if (ctrl.reset_ovfl_pmds)
		pfm_reset_overdue(ctx->set, true);
	ctx->masked = ctrl.mask_monitoring;
	if (ctx->masked)
		return;
	WRITE_ONCE(ctx->blocked, false);
	if (ctx->switch_due) {
		ctx->switch_due = false;
		pfm_set_switch(ctx, PFM_SWITCH_RESTART);
	}
}

/**
 * pfm_restart() - PFM_RESTART: go on after a notification.
 * @call: no argument
 *
 * The counters that overflowed are reset with their long values, a postponed switch of sets
 * takes place, and monitoring goes on, if it is started; a blocked thread goes on, too. A format
 * may decide otherwise. Without a format and without a notification, nothing happens.
 *
 * Return: 0, or the result of the format.
 */
int pfm_restart(struct pfm_call *call)
{
	struct pfm_context *ctx = call->ctx;
	int err = 0;

	pfm_target_change(ctx, pfm_restart_paused, &err);
	if (!READ_ONCE(ctx->blocked))
		pfm_unblock(ctx);
	return err;
}
