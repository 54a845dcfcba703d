// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2 as a module: perf_events wants the PMU, or gives it back.
 *
 * With the patches, perf_events calls perfmon. Without them, a kprobe at the beginning of each of
 * its two functions for that leads to a function here, which calls that of perf_events: a kprobe
 * itself may not sleep.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/perfmon_hooks.h>
#include <linux/perfmon_host.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/static_call.h>
#include "../run.h"

static int pfm_claims_reserve(void);
static void pfm_claims_release(void);

/* The functions of perf_events. */
DEFINE_STATIC_CALL_NULL(pfm_perf_reserve, pfm_claims_reserve);
DEFINE_STATIC_CALL_NULL(pfm_perf_release, pfm_claims_release);

/* One claim at a time. */
static DEFINE_MUTEX(pfm_claims_lock);

/* Owner of the lock: its own calls go on to perf_events. */
static struct task_struct *pfm_claims_owner;

/* Threads that were led here and have not returned yet. */
static atomic_t pfm_claims_here = ATOMIC_INIT(0);

static void pfm_claims_enter(void)
{
	mutex_lock(&pfm_claims_lock);
	WRITE_ONCE(pfm_claims_owner, current);
}

/* If perf_events has the PMU now, suspended sessions stay suspended. */
static void pfm_claims_leave(void)
{
	WRITE_ONCE(pfm_claims_owner, NULL);
	pfm_pmu_unclaim();
	mutex_unlock(&pfm_claims_lock);
	atomic_dec(&pfm_claims_here);
}

static int pfm_claims_reserve(void)
{
	int err;

	pfm_claims_enter();
	pfm_pmu_claim();
	err = static_call(pfm_perf_reserve)();
	pfm_claims_leave();
	return err;
}

static void pfm_claims_release(void)
{
	pfm_claims_enter();
	static_call(pfm_perf_release)();
	pfm_claims_leave();
}

/* Context: preemption off. */
static int pfm_claims_lead(struct pt_regs *regs, bool matters, unsigned long to)
{
	if (!matters || READ_ONCE(pfm_claims_owner) == current)
		return 0;
	atomic_inc(&pfm_claims_here);
	instruction_pointer_set(regs, to);
	return 1;
}

/* Unconditional: a session may begin or end just now. */
static int pfm_claims_at_reserve(struct kprobe *probe, struct pt_regs *regs)
{
	return pfm_claims_lead(regs, true, (unsigned long)pfm_claims_reserve);
}

/* Only while sessions are suspended: perhaps the last event is gone. */
static int pfm_claims_at_release(struct kprobe *probe, struct pt_regs *regs)
{
	return pfm_claims_lead(regs, READ_ONCE(pfm_suspended[PFM_YIELDS]),
			       (unsigned long)pfm_claims_release);
}

/* With a post handler a probe is not optimised: an optimised one could not lead elsewhere. */
static void pfm_claims_after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe pfm_claims_on_reserve = {
	.symbol_name	= "x86_reserve_hardware",
	.pre_handler	= pfm_claims_at_reserve,
	.post_handler	= pfm_claims_after,
	.flags		= KPROBE_FLAG_DISABLED,
};

static struct kprobe pfm_claims_on_release = {
	.symbol_name	= "x86_release_hardware",
	.pre_handler	= pfm_claims_at_release,
	.post_handler	= pfm_claims_after,
	.flags		= KPROBE_FLAG_DISABLED,
};

static struct kprobe *pfm_claims_probes[] = {
	&pfm_claims_on_reserve, &pfm_claims_on_release,
};

static bool pfm_claims_heard;

static int __init pfm_claims_probe(void)
{
	int err = register_kprobes(pfm_claims_probes, ARRAY_SIZE(pfm_claims_probes));

	if (err)
		return err;
	static_call_update(pfm_perf_reserve, (void *)pfm_claims_on_reserve.addr);
	static_call_update(pfm_perf_release, (void *)pfm_claims_on_release.addr);
	err = enable_kprobe(&pfm_claims_on_release) ?: enable_kprobe(&pfm_claims_on_reserve);
	if (err)
		unregister_kprobes(pfm_claims_probes, ARRAY_SIZE(pfm_claims_probes));
	return err;
}

/**
 * pfm_claims_init() - Follow the claims of perf_events from now on.
 *
 * A kernel may have its own use for these functions, such as a live patch of them. Then sessions
 * of users do not give way to perf_events, and the log reports that.
 *
 * Context: may sleep.
 */
void __init pfm_claims_init(void)
{
	int err = pfm_claims_probe();

	pfm_claims_heard = !err;
	if (err)
		pr_notice("cannot probe perf_events' claims (%d): they get no PMU from users' sessions\n",
			  err);
}

/**
 * pfm_claims_exit() - Undo pfm_claims_init().
 *
 * On return no thread is here, or will come, but one that is about to return may have been
 * preempted in the text.
 *
 * Context: may sleep; there is no context.
 */
void pfm_claims_exit(void)
{
	if (!pfm_claims_heard)
		return;
	unregister_kprobes(pfm_claims_probes, ARRAY_SIZE(pfm_claims_probes));
	while (atomic_read(&pfm_claims_here))
		msleep(20);
}
