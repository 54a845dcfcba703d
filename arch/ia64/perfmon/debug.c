// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: ownership of the Itanium's debug registers: threads that are debugged, or
 * contexts that restrict monitoring to ranges. Never both, on the whole system: a
 * breakpoint that a debugger has switched off looks like a range, and threads and
 * contexts move between CPUs.
 */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include "access.h"
#include "work.h"

static DEFINE_SPINLOCK(debug_lock);

/* Under debug_lock. */
static unsigned int debug_threads;
static unsigned int debug_contexts;

/* Changes when contexts get the registers, which still hold breakpoints then. */
static u64 debug_epoch = 1;
static DEFINE_PER_CPU(u64, pfm_ita_debug_clean_since);

/**
 * pfm_ita_debug_claim() - Claim the registers for range restrictions of a loaded context.
 *
 * Context: process context; takes a spinlock with interrupts on.
 *
 * Return: 0, or -EBUSY while any thread is debugged with these registers.
 */
int pfm_ita_debug_claim(void)
{
	int err = 0;

	spin_lock(&debug_lock);
	if (debug_threads)
		err = -EBUSY;
	else if (!debug_contexts++)
		WRITE_ONCE(debug_epoch, debug_epoch + 1);
	spin_unlock(&debug_lock);
	return err;
}

/**
 * pfm_ita_debug_unclaim() - Undo pfm_ita_debug_claim(): the context is unloaded.
 */
void pfm_ita_debug_unclaim(void)
{
	spin_lock(&debug_lock);
	debug_contexts--;
	spin_unlock(&debug_lock);
}

/**
 * pfm_ita_debug_thread_uses() - Count in a thread that gets its first breakpoints.
 *
 * Return: 0, or -EBUSY while any context uses range restrictions.
 */
int pfm_ita_debug_thread_uses(void)
{
	int err = 0;

	spin_lock(&debug_lock);
	if (debug_contexts)
		err = -EBUSY;
	else
		debug_threads++;
	spin_unlock(&debug_lock);
	return err;
}

/**
 * pfm_ita_debug_thread_drops() - Count out a thread that has no breakpoints any more.
 */
void pfm_ita_debug_thread_drops(void)
{
	spin_lock(&debug_lock);
	debug_threads--;
	spin_unlock(&debug_lock);
}

/**
 * pfm_ita_debug_clean() - Clear a debugger's values from this CPU's debug registers.
 *
 * The first time after a claim they hold the values of the last thread with breakpoints.
 *
 * Context: interrupts off; the registers are claimed.
 */
void pfm_ita_debug_clean(void)
{
	u64 epoch = READ_ONCE(debug_epoch);
	unsigned int i;

	if (__this_cpu_read(pfm_ita_debug_clean_since) == epoch)
		return;
	for (i = 0; i < PFM_ITA_NUM_DEBUG; i++) {
		pfm_ita_set_ibr(i, 0);
		pfm_ita_set_dbr(i, 0);
	}
	pfm_ita_serialize();
	__this_cpu_write(pfm_ita_debug_clean_since, epoch);
}
