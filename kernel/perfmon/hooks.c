// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: opening and closing the hooks that the patches put into the scheduler.
 */
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/perfmon.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "hooks.h"

/*
 * Open while a context is loaded. Closing is deferred: it patches code, and the next load may
 * come soon.
 */
DEFINE_STATIC_KEY_DEFERRED_FALSE(pfm_sched_key, PFM_HOOKS_DELAY);

#define PFM_HOTPLUG_TRIES	5

/**
 * pfm_hooks_open() - Have the scheduler's hooks called, for one more user.
 *
 * Opening a static branch waits for CPU hotplug, and no signal ends that wait: so try
 * first. If CPUs come and go without a pause, every try may fail: then wait.
 *
 * Return: 0; -EINTR when the caller is being killed.
 *
 * Context: may sleep. No lock of perfmon is held.
 */
int pfm_hooks_open(void)
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
 * pfm_hooks_close() - Undo pfm_hooks_open(), after a delay.
 *
 * Context: any but NMI.
 */
void pfm_hooks_close(void)
{
	static_branch_slow_dec_deferred(&pfm_sched_key);
}
