/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a waiter that notes the poll events for which its queue is woken.
 */
#ifndef _KERNEL_PERFMON_TESTS_WOKEN_H
#define _KERNEL_PERFMON_TESTS_WOKEN_H

#include <linux/poll.h>
#include <linux/types.h>
#include <linux/wait.h>

static __poll_t woken_for;

static inline int woken_note(struct wait_queue_entry *entry, unsigned int mode, int flags,
			     void *key)
{
	woken_for = key_to_poll(key);
	return 0;
}

/* From now on, until remove_wait_queue(). */
static inline void woken_by(struct wait_queue_head *queue, struct wait_queue_entry *entry)
{
	init_waitqueue_func_entry(entry, woken_note);
	add_wait_queue(queue, entry);
	woken_for = 0;
}

/* For readable data, by either of its names. */
static inline bool woken_to_read(void)
{
	const __poll_t want = EPOLLIN | EPOLLRDNORM;

	return (woken_for & want) == want;
}

#endif /* _KERNEL_PERFMON_TESTS_WOKEN_H */
