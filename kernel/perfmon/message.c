// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the notification queue.
 */
#include <linux/poll.h>
#include <linux/string.h>
#include "perfmon.h"

/**
 * pfm_msgq_init() - Make an empty queue.
 * @q: the queue
 */
void pfm_msgq_init(struct pfm_msgq *q)
{
	spin_lock_init(&q->lock);
	init_waitqueue_head(&q->wait);
	mutex_init(&q->readers);
	q->taken = 0;
	q->end_pending = false;
}

/**
 * pfm_msgq_reset() - Discard what was not read.
 * @q: the queue
 */
void pfm_msgq_reset(struct pfm_msgq *q)
{
	unsigned long flags;

	spin_lock_irqsave(&q->lock, flags);
	if (q->end_pending) {
		q->end_pending = false;
		q->taken++;
		pfm_stat_inc(messages_reset);
	}
	spin_unlock_irqrestore(&q->lock, flags);
}

/**
 * pfm_msgq_end() - Append PFM_MSG_END and wake readers.
 * @q: the queue
 *
 * Cannot fail: a context ends at most once between two resets.
 *
 * Context: any but NMI.
 */
void pfm_msgq_end(struct pfm_msgq *q)
{
	unsigned long flags;

	spin_lock_irqsave(&q->lock, flags);
	q->end_pending = true;
	pfm_stat_inc(messages);
	spin_unlock_irqrestore(&q->lock, flags);
	wake_up_interruptible_poll(&q->wait, EPOLLIN | EPOLLRDNORM);
}

/**
 * pfm_msgq_empty() - Is there nothing to read?
 * @q: the queue
 */
bool pfm_msgq_empty(struct pfm_msgq *q)
{
	return !READ_ONCE(q->end_pending);
}

/**
 * pfm_msgq_peek() - Look at the oldest message.
 * @q: the queue
 * @msg: where to put it, all of it
 * @nr: its number, for pfm_msgq_pop()
 *
 * Return: false when there is none.
 */
bool pfm_msgq_peek(struct pfm_msgq *q, pfm_msg_t *msg, u64 *nr)
{
	unsigned long flags;
	bool found;

	memset(msg, 0, sizeof(*msg));
	spin_lock_irqsave(&q->lock, flags);
	found = q->end_pending;
	*nr = q->taken;
	spin_unlock_irqrestore(&q->lock, flags);
	if (found)
		msg->msg_type = PFM_MSG_END;
	return found;
}

/**
 * pfm_msgq_pop() - Remove the message that pfm_msgq_peek() showed.
 * @q: the queue
 * @nr: its number; when a reset came in between, nothing happens
 */
void pfm_msgq_pop(struct pfm_msgq *q, u64 nr)
{
	unsigned long flags;

	spin_lock_irqsave(&q->lock, flags);
	if (q->taken == nr) {
		q->end_pending = false;
		q->taken++;
	}
	spin_unlock_irqrestore(&q->lock, flags);
}
