/* SPDX-License-Identifier: GPL-2.0 */
/* The NMI watchdog, with sessions and perf_events. */
#ifndef TESTS_ABI_WATCHDOG_H
#define TESTS_ABI_WATCHDOG_H

#include "count.h"
#include "perf.h"
#include "settings.h"

/* The watchdog keeps a counter of its own unless it is off. */
static inline void without_watchdog(void (*fn)(void *arg))
{
	if (access(WATCHDOG, F_OK))
		fn(NULL);
	else
		with_file(WATCHDOG, "0", fn, NULL);
}

#endif /* TESTS_ABI_WATCHDOG_H */
