// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the handling of overflows: they are recorded or counted as lost, the
 * counters are reset, the tool is notified, the context is masked, leaves its event set,
 * or blocks its thread.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/sched/clock.h>
#include <linux/string.h>
#include <trace/events/perfmon.h>
#include "block.h"
#include "context.h"
#include "cpu.h"
#include "event_set.h"
#include "ledger.h"
#include "message.h"
#include "notify.h"
#include "overflow.h"
#include "ovfl_arg.h"
#include "reset.h"
#include "set_switch.h"
#include "stats.h"

/**
 * struct pfm_outcome - The consequences of an overflow.
 * @reset: counters to reset now
 * @overdue: counters to reset at the next restart or activation of the set
 * @note: the message, if @note.type is set
 * @notify: a format wants the message
 * @mask: count nothing until a restart
 * @block: block the thread
 */
struct pfm_outcome {
	u64			reset;
	u64			overdue;
	struct pfm_note		note;
	bool			notify;
	bool			mask;
	bool			block;
};

/* Without a format: a message is queued if a counter that notifies has overflowed. */
static void pfm_overflow_user(struct pfm_context *ctx, u64 overflowed, u64 due,
			      struct pfm_outcome *out)
{
	struct pfm_event_set *set = ctx->set;

	if (overflowed & set->notify_pmds) {
		out->note.type = PFM_MSG_OVFL;
		out->mask = true;
		out->block = true;
		out->overdue = overflowed;
	} else if (due) {
		/* The set is left: its triggers are reset when it becomes active again. */
		out->overdue = overflowed & set->trigger_pmds;
	} else if (set->flags & PFM_SETFL_OVFL_SWITCH) {
		out->reset = overflowed & set->trigger_pmds;
	}
}

static void pfm_ledger_lost(struct pfm_context *ctx, u64 overflowed, int err)
{
	unsigned int lost = hweight64(overflowed);

	ctx->ledger.overflows += lost;
	pfm_stat_add(overflows, lost);
	if (err == -ENOSPC) {
		ctx->ledger.lost_full += lost;
		pfm_stat_add(samples_lost_full, lost);
	} else {
		ctx->ledger.lost_error += lost;
		pfm_stat_add(samples_lost_error, lost);
	}
}

/*
 * The format failed for these overflows. One failure must not end the sampling; but a format
 * that fails again and again costs interrupts that record nothing. Returns true for such a
 * format: then it is as if the last call had requested a notification and the mask.
 */
static bool pfm_format_failed(struct pfm_context *ctx, u64 overflowed, int err)
{
	pfm_ledger_lost(ctx, overflowed, err);
	if (err == -ENOSPC)
		return false;
	return ++ctx->fmt_failures >= PFM_FMT_FAILURES_MAX;
}

/* The actions that the format wants after the overflow of @i; @err is its handler's result. */
static void pfm_format_wants(struct pfm_context *ctx, unsigned int i, const pfm_ovfl_arg_t *arg,
			     int err, struct pfm_outcome *out)
{
	out->notify |= arg->ovfl_ctrl.notify_user;
	out->mask |= arg->ovfl_ctrl.mask_monitoring;
	out->block |= arg->ovfl_ctrl.block_thread;
	if (err)
		return;
	pfm_ledger_recorded(ctx);
	if (arg->ovfl_ctrl.reset_ovfl_pmds)
		out->reset |= BIT_ULL(i);
}

/* The handler was called for all of @overflowed but @rest, of which the first failed, with @err. */
static void pfm_format_outcome(struct pfm_context *ctx, u64 overflowed, u64 rest, int err,
			       struct pfm_outcome *out)
{
	out->reset |= rest;
	if (rest && pfm_format_failed(ctx, rest, err)) {
		out->notify = true;
		out->mask = true;
	}
	/* One message for all counters, if one of them asks for it. */
	if (out->notify && (overflowed & ctx->set->notify_pmds))
		out->note.type = PFM_MSG_OVFL;
	/* The mask prevents the reset: the tool must see the values at the overflow. */
	if (out->mask)
		out->reset = 0;
	out->overdue = overflowed & ~out->reset;
}

/* With a format, which decides. */
static void pfm_overflow_format(struct pfm_context *ctx, u64 overflowed,
				struct pt_regs *regs, u64 now, struct pfm_outcome *out)
{
	pfm_ovfl_arg_t *arg = this_cpu_ptr(&pfm_ovfl_arg);
	struct pfm_ovfl_data data;
	struct pfm_pmd *pmd;
	u64 rest = overflowed;
	u64 stamp = pfm_stamp(now);
	unsigned int i;
	int err = 0;

	pfm_ovfl_data_fill(ctx, regs, &data);
	while (rest) {
		i = __ffs64(rest);
		pmd = pfm_pmd_of(ctx->set, i);
		pfm_ovfl_arg_fill(ctx, i, pmd, pfm_counter_request(ctx->set, i), arg);
		arg->pmd_value = pfm_pmd_user_value(ctx->set, i, pmd->value);
		err = ctx->fmt->fmt_handler(ctx->buf, arg, stamp, &data);
		pfm_format_wants(ctx, i, arg, err, out);
		if (err)
			break;
		rest &= rest - 1;
	}
	pfm_format_outcome(ctx, overflowed, rest, err, out);
}

/* Count @n overflows, not 0, of a trigger; true if it reaches its threshold. */
static bool pfm_count_trigger(struct pfm_pmd *pmd, u64 n)
{
	bool waits = pmd->ovflsw_left;

	pmd->ovflsw_left -= min(pmd->ovflsw_left, n);
	return waits && !pmd->ovflsw_left;
}

static u64 pfm_triggers(const struct pfm_event_set *set)
{
	return set->flags & PFM_SETFL_OVFL_SWITCH ? set->trigger_pmds : 0;
}

/* Count one overflow of each trigger; returns those that reach their thresholds. */
static u64 pfm_count_triggers(struct pfm_event_set *set, u64 triggers)
{
	unsigned int i;
	u64 due = 0;

	pfm_for_each_bit(i, triggers) {
		if (pfm_count_trigger(pfm_pmd_of(set, i), 1))
			due |= BIT_ULL(i);
	}
	return due;
}

/* Account @lost overflows, not recorded because throttled. */
static void pfm_ledger_throttled(struct pfm_context *ctx, u64 lost)
{
	ctx->ledger.overflows += lost;
	ctx->ledger.lost_throttled += lost;
	pfm_stat_add(overflows, lost);
	pfm_stat_add(samples_lost_throttled, lost);
}

/*
 * Account @lost further overflows from before the interrupt was handled: it came late, or
 * another handler took it.
 */
static void pfm_ledger_late(struct pfm_context *ctx, u64 lost)
{
	ctx->ledger.overflows += lost;
	ctx->ledger.lost_late += lost;
	pfm_stat_add(overflows, lost);
	pfm_stat_add(samples_lost_late, lost);
}

/**
 * pfm_post_throttle() - Notify the tool that its context runs on a throttled CPU.
 * @ctx: the context
 * @overflowed: counters that have overflowed meanwhile
 *
 * Once for each throttle, and only if the tool takes such messages.
 *
 * Context: interrupts off, or NMI; on the target.
 */
void pfm_post_throttle(struct pfm_context *ctx, u64 overflowed)
{
	struct pfm_note note = { .pmds = overflowed, .set = ctx->set->id };

	if (ctx->throttle_notified)
		return;
	ctx->throttle_notified = true;
	pfm_stat_inc(throttles);
	if (!(ctx->flags & PFM_FL_EXTRA_MSG))
		return;
	if (pfm_msgq_throttle(&ctx->msgq, &note))
		trace_pfm_message(ctx, PFM_MSG_THROTTLE, note.set, note.pmds, false);
	pfm_notify(ctx);
}

/**
 * pfm_clock_stop() - Stop the clock of a context that counted.
 * @ctx: the context
 * @now: local_clock()
 *
 * On a throttled CPU, counters that stood still have not counted all the time.
 *
 * Context: interrupts off, or NMI; on the target.
 */
void pfm_clock_stop(struct pfm_context *ctx, u64 now)
{
	if (unlikely(ctx->throttled && ctx->set->regs.needs_pmi)) {
		ctx->ledger.masked_ns += now - min(now, ctx->since);
		pfm_post_throttle(ctx, 0);
	}
	pfm_clock_out(ctx, now);
}

/*
 * Counters that did not interrupt have overflowed, perhaps often. Their state becomes as if
 * each overflow had reset its counter, but nothing is recorded. Returns the counters that
 * reached their thresholds.
 */
static u64 pfm_overflow_throttled(struct pfm_context *ctx, u64 overflowed)
{
	struct pfm_event_set *set = ctx->set;
	u64 triggers = pfm_triggers(set), due = 0, lost = 0, n;
	unsigned int i;

	/* Without a format, a counter that is no trigger just wraps. */
	if (!ctx->fmt)
		overflowed &= triggers;
	pfm_for_each_bit(i, overflowed) {
		n = 1 + pfm_reset_laps(set, i, overflowed);
		lost += n;
		if ((triggers & BIT_ULL(i)) && pfm_count_trigger(pfm_pmd_of(set, i), n))
			due |= BIT_ULL(i);
	}
	if (overflowed)
		pfm_post_throttle(ctx, overflowed);
	if (ctx->fmt)
		pfm_ledger_throttled(ctx, lost);
	return due;
}

/* Queue the message. Without a format, account for the overflows that request it. */
static void pfm_post_overflow(struct pfm_context *ctx, u64 overflowed,
			      struct pfm_outcome *out)
{
	unsigned int wanted = hweight64(overflowed & ctx->set->notify_pmds);
	bool posted = true;

	out->note.pmds = overflowed;
	out->note.set = ctx->set->id;
	if (!(ctx->flags & PFM_FL_OVFL_NO_MSG)) {
		posted = pfm_msgq_post(&ctx->msgq, &out->note);
		trace_pfm_message(ctx, out->note.type, out->note.set, overflowed, !posted);
	}
	if (!posted)
		ctx->ledger.lost_messages++;
	pfm_notify(ctx);
	if (ctx->fmt)
		return;
	if (posted) {
		ctx->ledger.overflows += wanted;
		ctx->ledger.recorded += wanted;
		pfm_stat_add(overflows, wanted);
		pfm_stat_add(samples, wanted);
	} else {
		pfm_ledger_lost(ctx, overflowed & ctx->set->notify_pmds, -ENOSPC);
	}
}

static void pfm_apply_outcome(struct pfm_context *ctx, u64 overflowed, u64 due,
			      struct pfm_outcome *out)
{
	struct pfm_event_set *set = ctx->set;
	u64 lost = pfm_reset_recorded(set, out->reset);

	if (lost && ctx->fmt)
		pfm_ledger_late(ctx, lost);
	set->ovfl_pmds = out->overdue;
	if (out->note.type)
		pfm_post_overflow(ctx, overflowed, out);
	if (out->mask)
		ctx->masked = true;
	if (out->block && (ctx->flags & PFM_FL_NOTIFY_BLOCK))
		pfm_block(ctx);
	if (!due)
		return;
	set->switch_pmds = due;
	if (ctx->masked)
		ctx->switch_due = true;
	else
		pfm_set_switch(ctx, PFM_SWITCH_OVERFLOW);
}

/**
 * pfm_overflow_sampled() - Handle the overflow of a counter after the format's handler.
 * @ctx: the context; counting is stopped, all values are in software; its clock runs
 * @i: index of the counter
 * @err: result of the handler, whose argument is still there
 * @now: local_clock()
 *
 * On return the clock is stopped.
 *
 * Context: interrupts off, or NMI; on the target.
 */
void pfm_overflow_sampled(struct pfm_context *ctx, unsigned int i, int err, u64 now)
{
	struct pfm_outcome out = { };

	pfm_clock_stop(ctx, now);
	pfm_format_wants(ctx, i, this_cpu_ptr(&pfm_ovfl_arg), err, &out);
	pfm_format_outcome(ctx, BIT_ULL(i), err ? BIT_ULL(i) : 0, err, &out);
	pfm_apply_outcome(ctx, BIT_ULL(i), 0, &out);
}

/**
 * pfm_overflow() - Handle the overflows of a context.
 * @ctx: the context; counting is stopped, the clock too, all values are in software
 * @overflowed: counters that have overflowed, not 0
 * @regs: the interrupted registers; NULL when the overflow was found without an interrupt
 * @now: local_clock()
 *
 * Context: interrupts off, or NMI; on the target.
 */
void pfm_overflow(struct pfm_context *ctx, u64 overflowed, struct pt_regs *regs, u64 now)
{
	struct pfm_outcome out = { };
	u64 due = 0, unseen = 0;

	if (unlikely(ctx->throttled))
		unseen = ctx->fmt ? overflowed : overflowed & ~ctx->set->notify_pmds;
	trace_pfm_overflow(ctx, overflowed, unseen, regs);
	if (unseen) {
		due = pfm_overflow_throttled(ctx, unseen);
		overflowed &= ~unseen;
	}
	if (overflowed) {
		due |= pfm_count_triggers(ctx->set, overflowed & pfm_triggers(ctx->set));
		if (ctx->fmt)
			pfm_overflow_format(ctx, overflowed, regs, now, &out);
		else
			pfm_overflow_user(ctx, overflowed, due, &out);
	}
	pfm_apply_outcome(ctx, overflowed, due, &out);
}
