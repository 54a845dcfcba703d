/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the queue of notifications.
 */
#ifndef _KERNEL_PERFMON_MESSAGE_H
#define _KERNEL_PERFMON_MESSAGE_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <uapi/perfmon.h>
#include <linux/wait.h>

/**
 * struct pfm_note - A notification in the queue: pfm_ovfl_msg_t without the zeroes.
 * @pmds: hardware PMDs that overflowed
 * @set: the active set
 * @type: PFM_MSG_OVFL or PFM_MSG_THROTTLE
 */
struct pfm_note {
	u64			pmds;
	u16			set;
	u16			type;
};

/* Without a format the next message needs a PFM_RESTART; a few may be left unread. */
#define PFM_MSGQ_FEW		8

/**
 * struct pfm_msgq - Notification queue.
 *
 * A ring with one producer, the handler of the context's overflows, perhaps in
 * NMI context, and without a lock towards the consumer. The producer publishes a
 * note by storing @head with release semantics; the consumer frees its slot by
 * storing @tail likewise.
 *
 * @lock: guards @tail and the pending flags; taken with interrupts off
 * @wait: readers and pollers
 * @readers: one reader at a time, so that a message whose copy faults stays first
 * @notes: the ring: @few, or memory of its own
 * @depth: entries of it
 * @head: notes appended so far
 * @tail: messages removed so far
 * @throttle: PFM_MSG_THROTTLE, after all notes, if its type is not 0. It has no slot of the
 *	ring, so it takes none from an overflow; an unread one stands for later ones. Written
 *	by the producer while the type is 0, cleared by the consumer.
 * @suspend_pending: PFM_MSG_SUSPEND is there, after all of these
 * @resume_pending: PFM_MSG_RESUME is there, after that
 * @end_pending: PFM_MSG_END is there, after all others: like the last two, it needs no
 *	slot, so it always fits
 * @few: a short ring
 */
struct pfm_msgq {
	spinlock_t		lock;
	wait_queue_head_t	wait;
	struct mutex		readers;
	struct pfm_note		*notes;
	unsigned int		depth;
	unsigned long		head;
	unsigned long		tail;
	struct pfm_note		throttle;
	bool			suspend_pending;
	bool			resume_pending;
	bool			end_pending;
	struct pfm_note		few[PFM_MSGQ_FEW];
};

size_t pfm_msgq_size(unsigned int depth);
int pfm_msgq_init(struct pfm_msgq *q, unsigned int depth);
void pfm_msgq_destroy(struct pfm_msgq *q);
void pfm_msgq_reset(struct pfm_msgq *q);
bool pfm_msgq_post(struct pfm_msgq *q, const struct pfm_note *note);
void pfm_msgq_end(struct pfm_msgq *q);
void pfm_msgq_preempt(struct pfm_msgq *q, u32 type);
bool pfm_msgq_throttle(struct pfm_msgq *q, const struct pfm_note *note);
bool pfm_msgq_peek(struct pfm_msgq *q, pfm_msg_t *msg, unsigned long *nr);
void pfm_msgq_pop(struct pfm_msgq *q, const pfm_msg_t *msg, unsigned long nr);
bool pfm_msgq_empty(struct pfm_msgq *q);

#endif /* _KERNEL_PERFMON_MESSAGE_H */
