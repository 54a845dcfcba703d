// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the notification queue.
 */
#include <linux/errno.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "message.h"
#include "stats.h"

/**
 * pfm_msgq_size() - Bytes that a queue needs besides struct pfm_msgq.
 * @depth: overflow messages that the queue must hold
 */
size_t pfm_msgq_size(unsigned int depth)
{
	return depth <= PFM_MSGQ_FEW ? 0 : depth * sizeof(struct pfm_note);
}

/**
 * pfm_msgq_init() - Make an empty queue.
 * @q: the queue
 * @depth: overflow messages that the queue must hold, at least 1
 *
 * Return: 0 or -ENOMEM.
 */
int pfm_msgq_init(struct pfm_msgq *q, unsigned int depth)
{
	q->notes = depth <= PFM_MSGQ_FEW ? q->few :
		   kvcalloc(depth, sizeof(*q->notes), GFP_KERNEL_ACCOUNT);
	if (!q->notes)
		return -ENOMEM;
	spin_lock_init(&q->lock);
	init_waitqueue_head(&q->wait);
	mutex_init(&q->readers);
	q->depth = depth;
	q->head = 0;
	q->tail = 0;
	q->throttle.type = 0;
	q->suspend_pending = false;
	q->resume_pending = false;
	q->end_pending = false;
	return 0;
}

/**
 * pfm_msgq_destroy() - Free the memory of a queue.
 * @q: the queue, or one that pfm_msgq_init() failed for
 */
void pfm_msgq_destroy(struct pfm_msgq *q)
{
	if (q->notes != q->few)
		kvfree(q->notes);
}

/**
 * pfm_msgq_reset() - Discard unread messages.
 * @q: the queue; nothing is appended meanwhile
 */
void pfm_msgq_reset(struct pfm_msgq *q)
{
	unsigned long flags, unread;

	spin_lock_irqsave(&q->lock, flags);
	unread = q->head - q->tail + !!q->throttle.type + q->suspend_pending +
		 q->resume_pending + q->end_pending;
	q->throttle.type = 0;
	q->suspend_pending = false;
	q->resume_pending = false;
	q->end_pending = false;
	/* A reader that has peeked at a message sees that it is not the first any more. */
	q->head += unread;
	q->tail = q->head;
	pfm_stat_add(messages_reset, unread);
	spin_unlock_irqrestore(&q->lock, flags);
}

/**
 * pfm_msgq_post() - Append a notification.
 * @q: the queue
 * @note: the notification
 *
 * No reader is woken: see pfm_notify().
 *
 * Return: false when the queue is full.
 *
 * Context: any, NMI as well; one at a time.
 */
bool pfm_msgq_post(struct pfm_msgq *q, const struct pfm_note *note)
{
	unsigned long head = q->head;

	/* Acquire: the reader is done with the slot. */
	if (head - smp_load_acquire(&q->tail) >= q->depth) {
		pfm_stat_inc(messages_lost);
		return false;
	}
	q->notes[head % q->depth] = *note;
	/* Release: a reader that sees the new head sees the note. */
	smp_store_release(&q->head, head + 1);
	pfm_stat_inc(messages);
	return true;
}

/**
 * pfm_msgq_throttle() - Append PFM_MSG_THROTTLE, unless there is one.
 * @q: the queue
 * @note: the notification
 *
 * No reader is woken: see pfm_notify().
 *
 * Return: false when an unread one is there.
 *
 * Context: as pfm_msgq_post().
 */
bool pfm_msgq_throttle(struct pfm_msgq *q, const struct pfm_note *note)
{
	/* Acquire: the reader is done with the last one. */
	if (smp_load_acquire(&q->throttle.type))
		return false;
	q->throttle.pmds = note->pmds;
	q->throttle.set = note->set;
	/* Release: a reader that sees the type sees the rest. */
	smp_store_release(&q->throttle.type, PFM_MSG_THROTTLE);
	pfm_stat_inc(messages);
	return true;
}

/**
 * pfm_msgq_end() - Append PFM_MSG_END and wake readers.
 * @q: the queue; nothing is appended after it
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
 * pfm_msgq_preempt() - Append PFM_MSG_SUSPEND or PFM_MSG_RESUME and wake readers.
 * @q: the queue
 * @type: which one; they come in turns
 *
 * Cannot fail: a PFM_MSG_SUSPEND that follows an unread PFM_MSG_RESUME stands for both, and also
 * for the PFM_MSG_SUSPEND before these, if that is unread, too.
 *
 * Context: any but NMI.
 */
void pfm_msgq_preempt(struct pfm_msgq *q, u32 type)
{
	unsigned long flags;

	spin_lock_irqsave(&q->lock, flags);
	if (type == PFM_MSG_SUSPEND)
		q->suspend_pending = true;
	q->resume_pending = type == PFM_MSG_RESUME;
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
	/* Acquire: pairs with the release of a new head. */
	return smp_load_acquire(&q->head) == READ_ONCE(q->tail) &&
	       !READ_ONCE(q->throttle.type) && !READ_ONCE(q->suspend_pending) &&
	       !READ_ONCE(q->resume_pending) && !READ_ONCE(q->end_pending);
}

static void pfm_msg_from_note(pfm_msg_t *msg, const struct pfm_note *note)
{
	msg->msg_type = note->type;
	msg->pfm_ovfl_msg.msg_active_set = note->set;
	msg->pfm_ovfl_msg.msg_ovfl_pmds[0] = note->pmds;
}

/**
 * pfm_msgq_peek() - Look at the oldest message.
 * @q: the queue
 * @msg: where to put it, all of it
 * @nr: its number, for pfm_msgq_pop()
 *
 * Return: false when there is none.
 */
bool pfm_msgq_peek(struct pfm_msgq *q, pfm_msg_t *msg, unsigned long *nr)
{
	unsigned long flags;
	bool found = true;

	memset(msg, 0, sizeof(*msg));
	spin_lock_irqsave(&q->lock, flags);
	*nr = q->tail;
	/* Acquire: a note that the head counts is complete. */
	if (smp_load_acquire(&q->head) != q->tail)
		pfm_msg_from_note(msg, &q->notes[q->tail % q->depth]);
	else if (smp_load_acquire(&q->throttle.type)) /* likewise */
		pfm_msg_from_note(msg, &q->throttle);
	else if (q->suspend_pending)
		msg->msg_type = PFM_MSG_SUSPEND;
	else if (q->resume_pending)
		msg->msg_type = PFM_MSG_RESUME;
	else if (q->end_pending)
		msg->msg_type = PFM_MSG_END;
	else
		found = false;
	spin_unlock_irqrestore(&q->lock, flags);
	return found;
}

/**
 * pfm_msgq_pop() - Remove the message that pfm_msgq_peek() showed.
 * @q: the queue
 * @msg: the message
 * @nr: its number; when a reset came in between, nothing happens
 */
void pfm_msgq_pop(struct pfm_msgq *q, const pfm_msg_t *msg, unsigned long nr)
{
	unsigned long flags;

	spin_lock_irqsave(&q->lock, flags);
	if (q->tail == nr) {
		if (msg->msg_type == PFM_MSG_OVFL)
			/* Release: the slot may be written again after it was read. */
			smp_store_release(&q->tail, nr + 1);
		else if (msg->msg_type == PFM_MSG_THROTTLE)
			smp_store_release(&q->throttle.type, 0); /* likewise */
		else if (msg->msg_type == PFM_MSG_SUSPEND)
			q->suspend_pending = false;
		else if (msg->msg_type == PFM_MSG_END)
			q->end_pending = false;
		else if (!q->suspend_pending)
			/* With a pending PFM_MSG_SUSPEND the resume is a later one: it stays. */
			q->resume_pending = false;
	}
	spin_unlock_irqrestore(&q->lock, flags);
}
