// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2 as a module: the contexts of threads, in a table, as a thread has no field for
 * its context.
 *
 * Lookups are under RCU and take no lock: the context switch makes two. A context may be
 * attached to another thread while a lookup is at its entry, which then leads into another
 * bucket: the bucket's number at the end of the chain shows that.
 */
#include <linux/perfmon_host.h>
#include <linux/rculist_nulls.h>
#include <linux/spinlock.h>
#include "../context.h"

struct hlist_nulls_head pfm_threads[1 << PFM_THREADS_BITS];

/* Written under this lock, which is the innermost: a run queue's may be held. */
static DEFINE_RAW_SPINLOCK(pfm_threads_lock);

/**
 * pfm_threads_init() - Prepare the table.
 *
 * Return: 0.
 */
int __init pfm_threads_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pfm_threads); i++)
		INIT_HLIST_NULLS_HEAD(&pfm_threads[i], i);
	return 0;
}

/**
 * pfm_threads_find() - Find a thread's context in a bucket that is not empty.
 * @bucket: the thread's
 * @task: the thread
 *
 * Return: the context, or NULL.
 *
 * Context: any but NMI.
 */
struct pfm_context *pfm_threads_find(unsigned int bucket, const struct task_struct *task)
{
	struct pfm_context *ctx = NULL;
	struct hlist_nulls_node *node;
	struct pfm_thread_link *link;

	rcu_read_lock();
	do {
		hlist_nulls_for_each_entry_rcu(link, node, &pfm_threads[bucket], node) {
			if (READ_ONCE(link->task) == task) {
				ctx = link->ctx;
				goto out;
			}
		}
	} while (get_nulls_value(node) != bucket);
out:
	rcu_read_unlock();
	return ctx;
}

/**
 * pfm_thread_attach() - Attach a context to a thread.
 * @task: the thread, which has none
 * @ctx: the context
 * @link: of the context
 *
 * Context: on the target.
 */
void pfm_thread_attach(struct task_struct *task, struct pfm_context *ctx,
		       struct pfm_thread_link *link)
{
	unsigned long flags;

	link->ctx = ctx;
	raw_spin_lock_irqsave(&pfm_threads_lock, flags);
	WRITE_ONCE(link->task, task);
	hlist_nulls_add_head_rcu(&link->node, &pfm_threads[hash_ptr(task, PFM_THREADS_BITS)]);
	raw_spin_unlock_irqrestore(&pfm_threads_lock, flags);
}

/**
 * pfm_thread_detach() - Undo pfm_thread_attach().
 * @task: the thread
 * @link: of its context
 *
 * Context: on the target.
 */
void pfm_thread_detach(struct task_struct *task, struct pfm_thread_link *link)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pfm_threads_lock, flags);
	WRITE_ONCE(link->task, NULL);
	hlist_nulls_del_rcu(&link->node);
	raw_spin_unlock_irqrestore(&pfm_threads_lock, flags);
}
