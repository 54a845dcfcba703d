/* SPDX-License-Identifier: GPL-2.0 */
/* CPU 1 goes offline and comes back. */
#ifndef TESTS_ABI_HOTPLUG_H
#define TESTS_ABI_HOTPLUG_H

#include "abi.h"
#include "settings.h"

#define CPU1_ONLINE	"/sys/devices/system/cpu/cpu1/online"

static inline void take_cpu_down(void)
{
	write_file(CPU1_ONLINE, "0");
}

static inline void bring_cpu_up(void)
{
	write_file(CPU1_ONLINE, "1");
}

/* Run @fn, which may leave CPU 1 offline. */
static inline void and_bring_cpu_up(void (*fn)(void *arg))
{
	/* "1" is the present value, and the one to restore. */
	with_file(CPU1_ONLINE, "1", fn, NULL);
}

static inline void on_a_machine_with_two_cpus(void (*fn)(void *arg))
{
	need_cpus(2);
	and_bring_cpu_up(fn);
}

#endif /* TESTS_ABI_HOTPLUG_H */
