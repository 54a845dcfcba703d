// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the commands on event sets.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time64.h>
#include "call.h"
#include "context.h"
#include "event_set.h"
#include "evtset_cmds.h"
#include "rules.h"
#include "run.h"
#include "set_list.h"
#include "set_switch.h"
#include "target.h"

#define PFM_SETFL_ALL	(PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH |	\
			 PFM_SETFL_EXPL_NEXT | PFM_SETFL_EXCL_IDLE |		\
			 PFM_SETFL_EXCL_KERNEL_ONLY_THREADS)

/*
 * True if some command takes or returns these flags. A command ignores the flags of others, so
 * that an array can be passed again, also to another command.
 */
static bool pfm_set_flags_defined(u32 flags)
{
	return !(flags & ~(PFM_SETFL_ALL | PFM_SET_RETFL_MASK | pfm_rules_set_flags()));
}

/* Nanoseconds; 0 if it is no time, or beyond KTIME_MAX, the timer's limit: some 292 years. */
static u64 pfm_timeout_ns(const struct __kernel_timespec *ts)
{
	const struct timespec64 time = { .tv_sec = ts->tv_sec, .tv_nsec = ts->tv_nsec };

	return timespec64_valid_strict(&time) ? timespec64_to_ns(&time) : 0;
}

static bool pfm_setdesc_valid(const struct pfm_context *ctx, const pfarg_setdesc_t *req)
{
	u32 flags = req->set_flags & ~PFM_SET_RETFL_MASK;
	const u32 methods = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH;
	const u32 exclusions = PFM_SETFL_EXCL_IDLE | PFM_SETFL_EXCL_KERNEL_ONLY_THREADS;

	if (!pfm_set_flags_defined(flags))
		return false;
	if ((flags & methods) == methods || (flags & exclusions) == exclusions)
		return false;
	if ((flags & PFM_SETFL_EXCL_KERNEL_ONLY_THREADS) && !pfm_is_system_wide(ctx))
		return false;
	if (!pfm_rules_allow_set(ctx->flags, flags))
		return false;
	if (req->set_id && ctx->fmt && (ctx->fmt->fmt_flags & PFM_FMTFL_NOSET))
		return false;
	return !(flags & PFM_SETFL_TIME_SWITCH) || pfm_timeout_ns(&req->set_timeout);
}

static void pfm_put_time(struct __kernel_timespec *ts, u64 ns)
{
	u32 rest;

	ts->tv_sec = div_u64_rem(ns, NSEC_PER_SEC, &rest);
	ts->tv_nsec = rest;
}

static int pfm_create_evtset(struct pfm_context *ctx, pfarg_setdesc_t *req)
{
	struct pfm_event_set *set;

	if (!pfm_setdesc_valid(ctx, req))
		return -EINVAL;
	set = pfm_set_obtain(ctx, req->set_id);
	if (IS_ERR(set))
		return PTR_ERR(set);
	set->id_next = req->set_id_next;
	set->flags = req->set_flags & ~PFM_SET_RETFL_MASK;
	set->regs.set_flags = set->flags;
	set->timeout = 0;
	if (set->flags & PFM_SETFL_TIME_SWITCH) {
		set->timeout = pfm_timeout_effective(pfm_timeout_ns(&req->set_timeout));
		pfm_put_time(&req->set_timeout, set->timeout);
	}
	set->left = set->timeout;
	return 0;
}

/* Go through a vector of descriptions up to the first bad one. */
static int pfm_for_evtsets(struct pfm_call *call,
			   int (*fn)(struct pfm_context *ctx, pfarg_setdesc_t *req))
{
	pfarg_setdesc_t *req = call->args;
	unsigned int i;
	int err = 0;

	for (i = 0; i < call->n && !err; i++) {
		err = fn(call->ctx, &req[i]);
		req[i].set_flags &= ~PFM_SET_RETFL_MASK;
		if (err == -EINVAL)
			req[i].set_flags |= PFM_SET_RETFL_EINVAL;
		else if (err == -ENOENT)
			req[i].set_flags |= PFM_SET_RETFL_NOSET;
	}
	call->done = i;
	return err == -ENOENT ? -EINVAL : err;
}

/**
 * pfm_create_evtsets() - PFM_CREATE_EVTSETS: create or modify event sets.
 * @call: array of pfarg_setdesc_t
 *
 * Return: 0; -EINVAL or -ENOMEM: the sets before the bad element exist.
 */
int pfm_create_evtsets(struct pfm_call *call)
{
	return pfm_for_evtsets(call, pfm_create_evtset);
}

static int pfm_delete_evtset(struct pfm_context *ctx, pfarg_setdesc_t *req)
{
	/* There is always a set 0. */
	if (!pfm_set_flags_defined(req->set_flags) || !req->set_id)
		return -EINVAL;
	return pfm_set_remove(ctx, req->set_id) ? 0 : -ENOENT;
}

/**
 * pfm_delete_evtsets() - PFM_DELETE_EVTSETS: delete event sets.
 * @call: array of pfarg_setdesc_t
 *
 * Return: 0; -EINVAL: the element with a return flag names no set, or set 0.
 */
int pfm_delete_evtsets(struct pfm_call *call)
{
	return pfm_for_evtsets(call, pfm_delete_evtset);
}

struct pfm_setinfo {
	struct pfm_event_set	*set;
	pfarg_setinfo_t		*req;
};

/* The pause adds the time of the current run. */
static void pfm_getinfo_evtset_paused(struct pfm_context *ctx, void *arg)
{
	struct pfm_setinfo *info = arg;
	struct pfm_event_set *set = info->set;
	pfarg_setinfo_t *req = info->req;
	u16 id = req->set_id;

	memset(req, 0, sizeof(*req));
	req->set_id = id;
	req->set_id_next = set->id_next;
	req->set_flags = set->flags;
	if (pfm_is_suspended(ctx))
		req->set_flags |= PFM_SETFL_SUSPENDED;
	if (set->flags & PFM_SETFL_OVFL_SWITCH)
		req->set_switch_pmds[0] = set->switch_pmds;
	req->set_runs = set->runs;
	if (set->flags & PFM_SETFL_TIME_SWITCH)
		pfm_put_time(&req->set_timeout, set->left);
	pfm_put_time(&req->set_act_duration, set->active);
}

/**
 * pfm_getinfo_evtsets() - PFM_GETINFO_EVTSETS: report on event sets.
 * @call: array of pfarg_setinfo_t
 *
 * Return: 0; -EINVAL: the element with a return flag names no set, or has an undefined flag.
 */
int pfm_getinfo_evtsets(struct pfm_call *call)
{
	pfarg_setinfo_t *req = call->args;
	struct pfm_setinfo info;
	unsigned int i;
	bool defined;

	for (i = 0; i < call->n; i++) {
		call->done = i + 1;
		info.req = &req[i];
		info.set = pfm_set_find(call->ctx, req[i].set_id);
		defined = pfm_set_flags_defined(req[i].set_flags & ~PFM_SETFL_SUSPENDED);
		if (!info.set || !defined) {
			req[i].set_flags &= ~PFM_SET_RETFL_MASK;
			req[i].set_flags |= defined ? PFM_SET_RETFL_NOSET : PFM_SET_RETFL_EINVAL;
			return -EINVAL;
		}
		pfm_target_change(call->ctx, pfm_getinfo_evtset_paused, &info);
	}
	return 0;
}
