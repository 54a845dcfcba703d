// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: sessions, and which of them have the PMU.
 *
 * A session is a loaded context that has a PMC. The first one takes the hardware from the
 * rest of the kernel, the last one gives it back. Sessions on threads and on
 * CPUs exclude each other: they would have to share the registers. Sessions of users
 * without privilege give way to those of users with it, and to their perf_events:
 * preempt.c.
 *
 * pfm_gate_enter() first does everything that waits: it pauses the NMI watchdog, which otherwise
 * holds the PMU through perf_events. The gate closes lazily, so that a tool that loads and unloads
 * in a loop does not restart the watchdog each time. No thread of another CPU has to
 * run for any of this, and a fatal signal ends every wait.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/errno.h>
#include <linux/init.h>
#include <linux/nmi.h>
#include <linux/perfmon_host.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/workqueue.h>
#include "config.h"
#include "context.h"
#include "cpu.h"
#include "hooks.h"
#include "message.h"
#include "pmu.h"
#include "preempt.h"
#include "rules.h"
#include "run.h"
#include "sessions.h"

static DEFINE_MUTEX(pfm_watchdog_mutex);
/* Under pfm_watchdog_mutex. */
static bool pfm_watchdog_paused;
static bool pfm_watchdog_ran;		/* before the pause */
static atomic_t pfm_gate_users = ATOMIC_INIT(0);

/*
 * All yielding sessions are suspended together, and only they: other sessions, or perf_events,
 * hold the PMU then.
 */
static struct {
	struct mutex	lock;
	unsigned int	all[2];		/* of threads, of CPUs */
	unsigned int	yielding[2];	/* of these: give way */
	unsigned int	idle[2];	/* loaded contexts without a PMC, which are no sessions */
	bool		claimed;	/* perf_events has or gets the PMU: sessions may not */
} pfm_sessions = { .lock = __MUTEX_INITIALIZER(pfm_sessions.lock) };

static void pfm_watchdog_resume(struct work_struct *work)
{
	mutex_lock(&pfm_watchdog_mutex);
	if (pfm_watchdog_paused && !atomic_read(&pfm_gate_users)) {
		if (lockup_detector_nmi_resume())
			pr_info("NMI watchdog resumed\n");
		pfm_watchdog_paused = false;
	}
	mutex_unlock(&pfm_watchdog_mutex);
}

static DECLARE_DELAYED_WORK(pfm_watchdog_work, pfm_watchdog_resume);

/**
 * pfm_perf_users() - Number of events that hold the PMU through perf_events.
 *
 * Return: 0 where the architecture does not know.
 */
unsigned int __weak pfm_perf_users(void)
{
	return 0;
}

/* Under pfm_watchdog_mutex, no session exists. */
static int pfm_watchdog_pause(void)
{
	int ret;

	if (pfm_pmu->software)
		return 0;
	if (!pfm_may_pause_watchdog())
		return (pfm_watchdog_paused && pfm_watchdog_ran) ||
		       hardlockup_detector_perf_events() ? -EBUSY : 0;
	if (pfm_watchdog_paused)
		return 0;
	ret = lockup_detector_nmi_pause(pfm_perf_users);
	if (ret < 0)
		return ret;
	if (ret)
		pr_info("NMI watchdog paused while perfmon uses the PMU\n");
	pfm_watchdog_ran = ret;
	pfm_watchdog_paused = true;
	return 0;
}

/* The caller would prolong a pause of the NMI watchdog that it may not make itself. */
static bool pfm_gate_refuses(void)
{
	return READ_ONCE(pfm_watchdog_paused) && READ_ONCE(pfm_watchdog_ran) &&
	       !pfm_may_pause_watchdog();
}

static int pfm_gate_enter_first(void)
{
	int err;

	if (mutex_lock_killable(&pfm_watchdog_mutex))
		return -EINTR;
	/* If there is a session by now, the watchdog is paused already. */
	if (atomic_read(&pfm_gate_users))
		err = pfm_gate_refuses() ? -EBUSY : 0;
	else
		err = pfm_watchdog_pause();
	/* Ordered: a caller that finds the gate open finds the state of the watchdog. */
	if (!err)
		atomic_inc_return(&pfm_gate_users);
	mutex_unlock(&pfm_watchdog_mutex);
	return err;
}

/**
 * pfm_gate_leave() - Undo pfm_gate_enter().
 *
 * Context: any but NMI.
 */
void pfm_gate_leave(void)
{
	if (atomic_dec_and_test(&pfm_gate_users) && READ_ONCE(pfm_watchdog_paused))
		queue_delayed_work(system_unbound_wq, &pfm_watchdog_work, PFM_HOOKS_DELAY);
}

/**
 * pfm_gate_enter() - Get ready for a session.
 *
 * Return: 0; -EBUSY when the NMI watchdog has the PMU, or is paused, and the caller may not pause
 * it, or perf_events has it for others; -EINTR when the caller is being killed.
 *
 * Context: may sleep, waits for CPU hotplug. No lock of perfmon is held.
 */
int pfm_gate_enter(void)
{
	/* Before the count rises: refused callers in turns would keep the gate open. */
	if (pfm_gate_refuses())
		return -EBUSY;
	/* Where there are users already, the watchdog is paused already. */
	if (!atomic_inc_not_zero(&pfm_gate_users))
		return pfm_gate_enter_first();
	/* Another caller may have paused the watchdog in between. */
	if (!pfm_gate_refuses())
		return 0;
	pfm_gate_leave();
	return -EBUSY;
}

/**
 * pfm_gate_is_stale() - Can the NMI watchdog be the reason why the PMU is in use?
 *
 * A watchdog that was off at the pause may have been switched on since, in the second
 * in which the gate counts the pause as done. Then the next pfm_gate_enter() checks again.
 *
 * Return: true if that check will be made.
 *
 * Context: may sleep; the gate was left.
 */
bool pfm_gate_is_stale(void)
{
	bool stale = false;

	if (PFM_HOST_PAUSE_HOLDS)
		return false;
	mutex_lock(&pfm_watchdog_mutex);
	if (pfm_watchdog_paused && !pfm_watchdog_ran && !atomic_read(&pfm_gate_users)) {
		pfm_watchdog_paused = false;
		stale = true;
	}
	mutex_unlock(&pfm_watchdog_mutex);
	return stale;
}

/* The following are under pfm_sessions.lock. */

/* Sessions that use the PMU, or would if they were started. */
static unsigned int pfm_sessions_active(bool system_wide)
{
	return pfm_sessions.all[system_wide] -
	       (pfm_suspended[PFM_YIELDS] ? pfm_sessions.yielding[system_wide] : 0);
}

static bool pfm_sessions_any_active(void)
{
	return pfm_sessions_active(false) || pfm_sessions_active(true);
}

/* True if all sessions yield, and none is suspended yet. */
static bool pfm_sessions_yield(void)
{
	return !pfm_suspended[PFM_YIELDS] &&
	       pfm_sessions.all[false] == pfm_sessions.yielding[false] &&
	       pfm_sessions.all[true] == pfm_sessions.yielding[true];
}

static int pfm_sessions_take_pmu(void)
{
	return pfm_sessions.claimed ? -EBUSY : pfm_pmu_take();
}

/* Resume suspended sessions if the PMU is free; otherwise its present owner will give it back. */
static void pfm_sessions_return(struct work_struct *work)
{
	mutex_lock(&pfm_sessions.lock);
	if (pfm_suspended[PFM_YIELDS] && !pfm_sessions_any_active() && !pfm_sessions_take_pmu())
		pfm_preempt_resume();
	mutex_unlock(&pfm_sessions.lock);
}

static DECLARE_WORK(pfm_return_work, pfm_sessions_return);

/* A user of the PMU has left. */
static void pfm_sessions_settle(void)
{
	if (pfm_sessions_any_active())
		return;
	if (pfm_pmu_held)
		pfm_pmu_let_go();
	if (pfm_suspended[PFM_YIELDS] && !pfm_sessions.claimed)
		queue_work(system_unbound_wq, &pfm_return_work);
}

/* True if the PMU cannot be shared: threads and CPUs exclude each other, unless one gives way. */
static bool pfm_session_excluded(bool system_wide, bool privileged)
{
	if (pfm_sessions_active(!system_wide))
		return !privileged || !pfm_sessions_yield();
	/* A session that would be suspended from its beginning is of no use. */
	return pfm_suspended[PFM_YIELDS] && !privileged;
}

/* Get the PMU for one more session. */
static int pfm_sessions_admit(bool system_wide, bool privileged)
{
	if (pfm_session_excluded(system_wide, privileged))
		return -EBUSY;
	if (!pfm_pmu_held)
		return pfm_sessions_take_pmu();
	if (pfm_sessions_active(!system_wide))
		pfm_preempt_suspend();
	return 0;
}

static void pfm_session_count_in(struct pfm_context *ctx, bool privileged)
{
	bool system_wide = pfm_is_system_wide(ctx);

	pfm_sessions.all[system_wide]++;
	/* From now on the context may count. */
	WRITE_ONCE(ctx->share, privileged || pfm_rules_direct() ? PFM_KEEPS : PFM_YIELDS);
	if (ctx->share == PFM_YIELDS) {
		pfm_sessions.yielding[system_wide]++;
		pfm_preempt_add(ctx);
	}
}

/* @ctx is about to be loaded; or it is loaded without the PMU, and is about to get it. */
static void pfm_session_begin(struct pfm_context *ctx)
{
	/* First: from now on a message may report that the context is suspended. */
	if (ctx->state == PFM_UNLOADED)
		pfm_msgq_reset(&ctx->msgq);
	else
		pfm_sessions.idle[pfm_is_system_wide(ctx)]--;
}

/**
 * pfm_session_get() - Count in a context that is about to be loaded, or to use the PMU.
 * @ctx: the context, locked
 * @pmu: the context uses the PMU; false: it has no PMC yet, and leaves the PMU to others
 *
 * Sessions that are in the way are suspended, if the caller has the privilege. When the context
 * is about to be loaded, unread messages are discarded.
 *
 * Return: 0; -EBUSY when sessions of the other kind exist or another
 * part of the kernel uses the PMU.
 *
 * Context: may sleep.
 */
int pfm_session_get(struct pfm_context *ctx, bool pmu)
{
	bool system_wide = pfm_is_system_wide(ctx);
	bool privileged = pfm_is_privileged();
	int err = 0;

	mutex_lock(&pfm_sessions.lock);
	if (pmu)
		err = pfm_sessions_admit(system_wide, privileged);
	if (err)
		goto out;
	pfm_session_begin(ctx);
	if (pmu)
		pfm_session_count_in(ctx, privileged);
	else
		pfm_sessions.idle[system_wide]++;
out:
	mutex_unlock(&pfm_sessions.lock);
	return err;
}

/**
 * pfm_session_put() - Count out a context that is unloaded, or could not be loaded.
 * @ctx: the context, locked
 *
 * Context: may sleep.
 */
void pfm_session_put(struct pfm_context *ctx)
{
	bool system_wide = pfm_is_system_wide(ctx);

	mutex_lock(&pfm_sessions.lock);
	if (ctx->share == PFM_IDLE) {
		pfm_sessions.idle[system_wide]--;
		goto out;
	}
	pfm_sessions.all[system_wide]--;
	if (ctx->share == PFM_YIELDS) {
		pfm_sessions.yielding[system_wide]--;
		pfm_preempt_del(ctx);
	}
	WRITE_ONCE(ctx->share, PFM_IDLE);
	pfm_sessions_settle();
out:
	mutex_unlock(&pfm_sessions.lock);
}

/**
 * pfm_pmu_claim() - perf_events wants the PMU for the caller.
 *
 * Sessions give way if all of them yield and the caller has the privilege. The NMI watchdog's
 * events are created by kernel threads, and do not make sessions give way.
 *
 * Context: may sleep. pfm_pmu_unclaim() follows, when the PMU is given back or could not
 * be had.
 */
void pfm_pmu_claim(void)
{
	if (pfm_pmu->software || (current->flags & PF_KTHREAD) || !pfm_is_privileged())
		return;
	mutex_lock(&pfm_sessions.lock);
	pfm_sessions.claimed = true;
	if (pfm_pmu_held && pfm_sessions_yield()) {
		pfm_preempt_suspend();
		pfm_pmu_let_go();
	}
	mutex_unlock(&pfm_sessions.lock);
}

/**
 * pfm_pmu_unclaim() - perf_events does not need the PMU any more.
 *
 * Context: may sleep.
 */
void pfm_pmu_unclaim(void)
{
	mutex_lock(&pfm_sessions.lock);
	pfm_sessions.claimed = false;
	pfm_sessions_settle();
	mutex_unlock(&pfm_sessions.lock);
}

/**
 * pfm_session_counts() - Numbers of loaded contexts.
 * @threads: contexts loaded on threads
 * @cpus: contexts loaded on CPUs
 *
 * Suspended contexts are included, and so are those without a PMC.
 */
void pfm_session_counts(unsigned int *threads, unsigned int *cpus)
{
	mutex_lock(&pfm_sessions.lock);
	*threads = pfm_sessions.all[false] + pfm_sessions.idle[false];
	*cpus = pfm_sessions.all[true] + pfm_sessions.idle[true];
	mutex_unlock(&pfm_sessions.lock);
}

/**
 * pfm_sessions_exit() - Finish deferred work; there is no context.
 *
 * Context: may sleep.
 */
void __exit pfm_sessions_exit(void)
{
	flush_work(&pfm_return_work);
	flush_delayed_work(&pfm_watchdog_work);
}
