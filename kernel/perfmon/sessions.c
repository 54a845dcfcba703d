// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: who holds the PMU.
 *
 * A session is a loaded context. The first one takes the hardware from the
 * rest of the kernel, the last one gives it back. Sessions on threads and on
 * CPUs exclude each other: they would have to share the registers.
 *
 * What sleeps comes before, in the gate: opening the scheduler's hooks and
 * pausing the NMI watchdog, which otherwise holds the PMU through perf_events.
 * The gate closes lazily, so that a tool that loads and unloads in a loop does
 * not patch code and restart the watchdog each time. No thread of another CPU has to
 * run for any of this, and a fatal signal ends every wait.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/nmi.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>
#include "perfmon.h"

#define PFM_GATE_DELAY	HZ

DEFINE_STATIC_KEY_DEFERRED_FALSE(pfm_sched_key, PFM_GATE_DELAY);

static DEFINE_MUTEX(pfm_watchdog_mutex);
/* Under pfm_watchdog_mutex. */
static bool pfm_watchdog_paused;
static bool pfm_watchdog_ran;		/* until it was paused */
static atomic_t pfm_gate_users = ATOMIC_INIT(0);

static struct {
	raw_spinlock_t	lock;
	unsigned int	threads;
	unsigned int	cpus;
} pfm_sessions = { .lock = __RAW_SPIN_LOCK_UNLOCKED(pfm_sessions.lock) };

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
 * pfm_perf_users() - How many events hold the PMU through perf_events?
 *
 * Return: 0 where the architecture does not say.
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

static int pfm_gate_enter_first(void)
{
	int err;

	if (mutex_lock_killable(&pfm_watchdog_mutex))
		return -EINTR;
	/* There may be a session now: then it had the right. */
	err = atomic_read(&pfm_gate_users) ? 0 : pfm_watchdog_pause();
	if (!err)
		atomic_inc(&pfm_gate_users);
	mutex_unlock(&pfm_watchdog_mutex);
	return err;
}

#define PFM_HOTPLUG_TRIES	5

/*
 * Opening a static branch waits for CPU hotplug, where no signal is looked at: so try
 * first. Where CPUs come and go without a pause, every try may fail: then wait for a turn.
 */
static int pfm_hooks_open(void)
{
	int tries;

	for (tries = 0; !cpus_read_trylock(); tries++) {
		if (tries == PFM_HOTPLUG_TRIES) {
			cpus_read_lock();
			break;
		}
		schedule_timeout_killable(1);
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	static_branch_inc_cpuslocked(&pfm_sched_key.key);
	cpus_read_unlock();
	return 0;
}

/**
 * pfm_gate_enter() - Get ready for a session.
 *
 * Return: 0; -EBUSY when the NMI watchdog has the PMU and the caller may not pause it,
 * or perf_events has it for others; -EINTR when the caller is being killed.
 *
 * Context: may sleep, waits for CPU hotplug. No lock of perfmon is held.
 */
int pfm_gate_enter(void)
{
	int err = pfm_hooks_open();

	if (err)
		return err;
	/* Whoever finds others inside finds the watchdog paused already. */
	if (atomic_inc_not_zero(&pfm_gate_users))
		return 0;
	err = pfm_gate_enter_first();
	if (err)
		static_branch_slow_dec_deferred(&pfm_sched_key);
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
		queue_delayed_work(system_unbound_wq, &pfm_watchdog_work, PFM_GATE_DELAY);
	static_branch_slow_dec_deferred(&pfm_sched_key);
}

/* Threads and CPUs would have to share the registers. */
static bool pfm_session_excluded(bool system_wide)
{
	return system_wide ? READ_ONCE(pfm_sessions.threads) : READ_ONCE(pfm_sessions.cpus);
}

/**
 * pfm_session_check() - Would pfm_session_get() refuse, as things are?
 * @system_wide: on a CPU, not on a thread
 *
 * Return: 0; -EBUSY when sessions of the other kind exist.
 */
int pfm_session_check(bool system_wide)
{
	return pfm_session_excluded(system_wide) ? -EBUSY : 0;
}

/**
 * pfm_session_get() - Count a context in that is about to be loaded.
 * @system_wide: on a CPU, not on a thread
 *
 * Return: 0; -EBUSY when sessions of the other kind exist or somebody else
 * in the kernel uses the PMU.
 *
 * Context: any but NMI.
 */
int pfm_session_get(bool system_wide)
{
	unsigned long flags;
	int err = 0;

	raw_spin_lock_irqsave(&pfm_sessions.lock, flags);
	if (pfm_session_excluded(system_wide))
		err = -EBUSY;
	else if (!pfm_sessions.threads && !pfm_sessions.cpus)
		err = pfm_pmu_op(acquire)();
	if (err)
		goto out;
	if (!pfm_sessions.threads && !pfm_sessions.cpus)
		pfm_cpu_new_epoch();
	if (system_wide)
		pfm_sessions.cpus++;
	else
		pfm_sessions.threads++;
out:
	raw_spin_unlock_irqrestore(&pfm_sessions.lock, flags);
	return err;
}

/**
 * pfm_session_put() - Count an unloaded context out.
 * @system_wide: as for pfm_session_get()
 *
 * Context: any but NMI.
 */
void pfm_session_put(bool system_wide)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pfm_sessions.lock, flags);
	if (system_wide)
		pfm_sessions.cpus--;
	else
		pfm_sessions.threads--;
	if (!pfm_sessions.threads && !pfm_sessions.cpus)
		pfm_pmu_op(release)();
	raw_spin_unlock_irqrestore(&pfm_sessions.lock, flags);
}

/**
 * pfm_session_exists() - Is the PMU perfmon's?
 *
 * Context: any, NMI included.
 */
bool pfm_session_exists(void)
{
	return READ_ONCE(pfm_sessions.threads) || READ_ONCE(pfm_sessions.cpus);
}

/**
 * pfm_session_counts() - How many sessions are there?
 * @threads: contexts loaded on threads
 * @cpus: contexts loaded on CPUs
 */
void pfm_session_counts(unsigned int *threads, unsigned int *cpus)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pfm_sessions.lock, flags);
	*threads = pfm_sessions.threads;
	*cpus = pfm_sessions.cpus;
	raw_spin_unlock_irqrestore(&pfm_sessions.lock, flags);
}
