// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: a timer for each CPU, for the end of the active set's time and of the throttle.
 *
 * It is armed lazily: a context that leaves the CPU does not cancel the timer, a context that
 * arrives can only make it earlier. A handler that runs too early arms it again.
 */
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include "timer.h"

/**
 * struct pfm_timer - A CPU's timer.
 * @timer: the timer
 * @expires: local_clock() when it will go off, not later; U64_MAX: it will not
 * @work: arms it, for NMI context; in hard interrupt context on PREEMPT_RT, too, where
 *	the context that counts cannot go away
 */
struct pfm_timer {
	struct hrtimer		timer;
	u64			expires;
	struct irq_work		work;
};

static DEFINE_PER_CPU(struct pfm_timer, pfm_timers);

/* Callbacks of run.c: a timer has expired; a timer must be armed. */
static void (*pfm_timer_expired)(u64 now) __ro_after_init;
static void (*pfm_timer_queued)(u64 now) __ro_after_init;

/**
 * pfm_timer_at() - Have this CPU's timer go off at a time, or before.
 * @end: local_clock() then
 * @now: local_clock(), lately
 *
 * Context: interrupts off, or NMI.
 */
void pfm_timer_at(u64 end, u64 now)
{
	struct pfm_timer *t = this_cpu_ptr(&pfm_timers);

	if (READ_ONCE(t->expires) <= end)
		return;
	if (in_nmi()) {
		irq_work_queue(&t->work);
		return;
	}
	WRITE_ONCE(t->expires, end);
	hrtimer_start(&t->timer, ns_to_ktime(end - min(end, now)), HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * pfm_timer_forget() - Disarm the timer of a CPU that comes online.
 * @cpu: the CPU
 *
 * While the CPU was offline, its timer was another CPU's. It may still be pending there, and
 * would be taken for a timer that expires here.
 *
 * Context: may sleep; the CPU comes online.
 */
void pfm_timer_forget(unsigned int cpu)
{
	struct pfm_timer *t = per_cpu_ptr(&pfm_timers, cpu);

	hrtimer_cancel(&t->timer);
	WRITE_ONCE(t->expires, U64_MAX);
}

static enum hrtimer_restart pfm_timer_fn(struct hrtimer *timer)
{
	struct pfm_timer *t = container_of(timer, struct pfm_timer, timer);

	WRITE_ONCE(t->expires, U64_MAX);
	/* The timer of a CPU that went offline expires on another CPU. */
	if (t == this_cpu_ptr(&pfm_timers))
		pfm_timer_expired(local_clock());
	return HRTIMER_NORESTART;
}

static void pfm_timer_work(struct irq_work *work)
{
	pfm_timer_queued(local_clock());
}

/**
 * pfm_timers_init() - Set the callbacks of the timers.
 * @expired: called when a timer expires, with local_clock(): on its CPU, interrupts off
 * @queued: called after a pfm_timer_at() in an NMI, to arm the timer; likewise
 *
 * Context: boot.
 */
void __init pfm_timers_init(void (*expired)(u64 now), void (*queued)(u64 now))
{
	struct pfm_timer *t;
	int cpu;

	pfm_timer_expired = expired;
	pfm_timer_queued = queued;
	for_each_possible_cpu(cpu) {
		t = per_cpu_ptr(&pfm_timers, cpu);
		hrtimer_init(&t->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		t->timer.function = pfm_timer_fn;
		t->expires = U64_MAX;
		t->work = IRQ_WORK_INIT_HARD(pfm_timer_work);
	}
}

/**
 * pfm_timers_exit() - Undo pfm_timers_init(): no timer is armed, nor will be.
 *
 * Context: may sleep; there is no context.
 */
void __exit pfm_timers_exit(void)
{
	struct pfm_timer *t;
	int cpu;

	for_each_possible_cpu(cpu) {
		t = per_cpu_ptr(&pfm_timers, cpu);
		irq_work_sync(&t->work);
		hrtimer_cancel(&t->timer);
	}
}
