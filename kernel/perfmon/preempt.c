// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: sessions that give way.
 *
 * A context that a user without privilege has loaded yields: when a user with it wants
 * the PMU, for a session of the other kind or for perf_events, the context is suspended.
 * It stays loaded, all its values are in software, and every command still works on
 * them, but it does not count: every resume checks for the suspension. The tool is notified
 * of the suspension, and when the context goes on, by itself. The time in which the context
 * would have counted is accounted for.
 *
 * One flag suspends all contexts that yield. sessions.c decides when it is set and cleared.
 */
#include <linux/list.h>
#include <linux/perfmon_host.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include "context.h"
#include "cpu.h"
#include "notify.h"
#include "preempt.h"
#include "run.h"

/* Under pfm_sessions.lock. */
static LIST_HEAD(pfm_yielding);

/**
 * pfm_preempt_add() - Have a context give way on request.
 * @ctx: the context, which yields and does not count yet
 *
 * Context: pfm_sessions.lock held; no context is suspended.
 */
void pfm_preempt_add(struct pfm_context *ctx)
{
	list_add_tail(&ctx->yielding, &pfm_yielding);
}

/**
 * pfm_preempt_del() - Undo pfm_preempt_add().
 * @ctx: the context, unloaded
 *
 * Context: pfm_sessions.lock held.
 */
void pfm_preempt_del(struct pfm_context *ctx)
{
	list_del(&ctx->yielding);
	if (list_empty(&pfm_yielding))
		WRITE_ONCE(pfm_suspended[PFM_YIELDS], false);
}

static void pfm_preempt_check(struct pfm_context *ctx, bool all)
{
	if (!ctx || !(ctx->share == PFM_YIELDS || all))
		return;
	pfm_pause(ctx);
	pfm_resume(ctx);
}

/* This CPU may have a context of a thread and one of its own: one of them is suspended. */
static void pfm_preempt_both(bool all)
{
	pfm_preempt_check(pfm_thread_context(current), all);
	pfm_preempt_check(__this_cpu_read(pfm_cpu.system_ctx), all);
}

static void pfm_preempt_here(void *unused)
{
	pfm_preempt_both(false);
}

static void pfm_preempt(bool suspended, u32 message)
{
	struct pfm_context *ctx;

	WRITE_ONCE(pfm_suspended[PFM_YIELDS], suspended);
	/* This call finds the contexts that resumed before it; later ones see the flag. */
	on_each_cpu(pfm_preempt_here, NULL, true);
	list_for_each_entry(ctx, &pfm_yielding, yielding)
		pfm_notify_preempt(ctx, message);
}

/**
 * pfm_preempt_suspend() - Suspend all contexts that yield.
 *
 * On return none of them is on any PMU.
 *
 * Context: pfm_sessions.lock held; may sleep, waits for no thread of another CPU.
 */
void pfm_preempt_suspend(void)
{
	pfm_preempt(true, PFM_MSG_SUSPEND);
}

/**
 * pfm_preempt_resume() - Undo pfm_preempt_suspend().
 *
 * Context: as pfm_preempt_suspend(); the PMU is perfmon's.
 */
void pfm_preempt_resume(void)
{
	pfm_preempt(false, PFM_MSG_RESUME);
}

static void pfm_preempt_end(void *unused)
{
	pfm_preempt_both(true);
	pfm_cpu_quiesce(NULL);
}

/**
 * pfm_preempt_for_good() - Suspend all contexts: the kernel ends.
 *
 * kexec may start the next kernel, which finds the PMU as it is left.
 *
 * Context: may sleep.
 */
void pfm_preempt_for_good(void)
{
	WRITE_ONCE(pfm_suspended[PFM_YIELDS], true);
	WRITE_ONCE(pfm_suspended[PFM_KEEPS], true);
	on_each_cpu(pfm_preempt_end, NULL, true);
}
