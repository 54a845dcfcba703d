// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2 as a module: having a thread call __pfm_task_to_user() before it returns to user
 * mode, which the patches do in the kernel's own code.
 *
 * Task work of the thread calls it. An NMI cannot add task work: an interrupt that follows the
 * NMI adds it. Task work that were added again whenever a signal ends the wait would keep the
 * thread from that signal for ever: so a thread that must still wait is brought back by a
 * probe of the return from get_signal(), where signals, stops, tracers and the freezer have
 * all been handled.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/perfmon_host.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>
#include <linux/uidgid.h>
#include "../config.h"
#include "../context.h"
#include "../refs.h"

/*
 * Bound on struct pfm_hold, of which each context that can block and was ever loaded has one, and
 * so has each thread that may return to the probe: a thread that is stopped or traced keeps its
 * instance of the probe, and one that ends there keeps it until it is reaped, whatever becomes of
 * the context meanwhile. More contexts are not loaded.
 */
#define PFM_HOLDS_MAX	1024
/* Of these, users without privilege together, and one of them: they must not shut others out. */
#define PFM_HOLDS_USERS	768
#define PFM_HOLDS_USER	256

/**
 * struct pfm_hold - The work of one thread, for one load of a context.
 * @work: calls __pfm_task_to_user()
 * @kick: adds the work
 * @ctx: the context; referenced while the work is added
 * @state: PFM_HOLD_*
 * @inside: the thread, referenced, while it has an instance of the probe
 * @left: the context has it no more; its thread has an instance of the probe
 * @user: the context's
 * @list: in pfm_holds
 */
struct pfm_hold {
	struct callback_head	work;
	struct irq_work		kick;
	struct pfm_context	*ctx;
	atomic_t		state;
	struct task_struct	*inside;
	bool			left;
	kuid_t			user;
	struct list_head	list;
};

/* Not added; added; added to a thread that has left the context: the work frees itself. */
enum { PFM_HOLD_IDLE, PFM_HOLD_ADDED, PFM_HOLD_ORPHAN };

static LIST_HEAD(pfm_holds);
static DEFINE_SPINLOCK(pfm_holds_lock);

/*
 * True if no thread returns to the probe with @hold. The return from it drops the reference; a
 * thread that has ended is reaped when no other reference is left, and then has lost its instance.
 */
static bool pfm_hold_is_over(struct pfm_hold *hold)
{
	struct task_struct *task;
	bool over;

	/* A thread that returns, and then ends, is freed after a grace period. */
	rcu_read_lock();
	task = READ_ONCE(hold->inside);
	over = !task || refcount_read(&task->usage) == 1;
	rcu_read_unlock();
	return over;
}

/* Not in pfm_holds any more. */
static void pfm_hold_destroy(struct pfm_hold *hold)
{
	if (hold->inside)
		put_task_struct(hold->inside);
	kfree(hold);
}

/* Free what was left behind, if it is over; or @all of it. */
static void pfm_holds_sweep(bool all)
{
	struct pfm_hold *hold, *next;
	LIST_HEAD(over);

	spin_lock(&pfm_holds_lock);
	list_for_each_entry_safe(hold, next, &pfm_holds, list) {
		if (hold->left && (all || pfm_hold_is_over(hold)))
			list_move(&hold->list, &over);
	}
	spin_unlock(&pfm_holds_lock);
	list_for_each_entry_safe(hold, next, &over, list)
		pfm_hold_destroy(hold);
}

/**
 * pfm_hold_free() - Free the work that pfm_hold_prepare() made.
 * @hold: not added; or NULL
 *
 * If the thread may return to the probe, the work is freed later.
 *
 * Context: may sleep.
 */
void pfm_hold_free(struct pfm_hold *hold)
{
	bool over;

	if (!hold)
		return;
	over = pfm_hold_is_over(hold);
	spin_lock(&pfm_holds_lock);
	hold->left = !over;
	if (over)
		list_del(&hold->list);
	spin_unlock(&pfm_holds_lock);
	if (over)
		pfm_hold_destroy(hold);
}

/* Other task work, such as the release of a file, comes first: a wait would hold it up. */
static bool pfm_hold_again(struct pfm_hold *hold, bool others)
{
	return others && !(current->flags & PF_EXITING) &&
	       atomic_read(&hold->state) == PFM_HOLD_ADDED &&
	       !task_work_add(current, &hold->work, TWA_RESUME);
}

static void pfm_hold_work(struct callback_head *work)
{
	struct pfm_hold *hold = container_of(work, struct pfm_hold, work);
	struct pfm_context *ctx = hold->ctx;

	if (pfm_hold_again(hold, work->next))
		return;
	if (atomic_xchg(&hold->state, PFM_HOLD_IDLE) == PFM_HOLD_ORPHAN)
		pfm_hold_free(hold);
	if (!(current->flags & PF_EXITING))
		__pfm_task_to_user();
	pfm_context_put(ctx);
	pfm_module_put();
}

/* The work will not be done. The reference is not the last one: see pfm_hold_add(). */
static void pfm_hold_undo(struct pfm_hold *hold)
{
	atomic_set(&hold->state, PFM_HOLD_IDLE);
	refcount_dec(&hold->ctx->refs);
	pfm_module_put();
}

/* On the CPU that the thread is on, or was on a moment ago; the context is loaded. */
static void pfm_hold_add(struct pfm_hold *hold, struct task_struct *task)
{
	if (atomic_cmpxchg(&hold->state, PFM_HOLD_IDLE, PFM_HOLD_ADDED) != PFM_HOLD_IDLE)
		return;
	/* Neither reference is the last one: a loaded context has one of its own. */
	refcount_inc(&hold->ctx->refs);
	pfm_module_get();
	if (task_work_add(task, &hold->work, TWA_RESUME))
		pfm_hold_undo(hold);
}

static void pfm_hold_kick(struct irq_work *kick)
{
	struct pfm_hold *hold = container_of(kick, struct pfm_hold, kick);
	struct task_struct *task = (struct task_struct *)READ_ONCE(hold->ctx->link.task);

	/* pfm_thread_flush() waits for this, and the thread is referenced until then. */
	if (task && !(READ_ONCE(task->flags) & (PF_KTHREAD | PF_IO_WORKER)))
		pfm_hold_add(hold, task);
}

/**
 * pfm_thread_to_user() - Have __pfm_task_to_user() called by the thread.
 * @task: the thread
 * @link: of its context, which can block
 *
 * Return: false: an interrupt follows.
 *
 * Context: any, NMI as well; on the target.
 */
bool pfm_thread_to_user(struct task_struct *task, struct pfm_thread_link *link)
{
	if (link->hold)
		irq_work_queue(&link->hold->kick);
	return false;
}

static bool pfm_is_work(struct callback_head *work, void *wanted)
{
	return work == wanted;
}

/**
 * pfm_thread_flush() - End the work that the context's interrupts have begun.
 * @task: the thread that it is detached from, still referenced; NULL: it was a CPU's
 * @link: of the context
 *
 * The thread may sleep for ever in a system call before it does the work: so the work is
 * cancelled. rmmod waits for work that has begun already; this function does not.
 *
 * Context: may sleep.
 */
void pfm_thread_flush(struct task_struct *task, struct pfm_thread_link *link)
{
	struct pfm_hold *hold = link->hold;

	if (!task || !hold)
		return;
	irq_work_sync(&hold->kick);
	if (task_work_cancel_match(task, pfm_is_work, &hold->work))
		pfm_hold_undo(hold);
}

/* Return: 0: the return is probed. */
static int pfm_signal_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct pfm_hold *hold = NULL;
	struct pfm_context *ctx;
	unsigned long flags;

	/* With interrupts off, the context is not detached: that takes an interrupt on this CPU. */
	local_irq_save(flags);
	ctx = pfm_thread_context(current);
	if (ctx)
		hold = ctx->link.hold;
	if (hold) {
		/* A hold that has been used here by another thread is replaced before a load. */
		WRITE_ONCE(hold->inside, get_task_struct(current));
		*(struct pfm_hold **)instance->data = hold;
	}
	local_irq_restore(flags);
	return hold ? 0 : 1;
}

static int pfm_signal_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct pfm_hold *hold = *(struct pfm_hold **)instance->data;
	struct pfm_context *ctx;
	unsigned long flags;

	/* As above. The context may be another one by now. */
	local_irq_save(flags);
	ctx = pfm_thread_context(current);
	if (ctx && ctx->link.hold && READ_ONCE(ctx->blocked))
		pfm_hold_add(ctx->link.hold, current);
	local_irq_restore(flags);
	/* From here on @hold may be freed. */
	smp_store_release(&hold->inside, NULL);
	put_task_struct(current);
	return 0;
}

static struct kretprobe pfm_signals = {
	.kp.symbol_name	= "get_signal",
	.kp.flags	= KPROBE_FLAG_DISABLED,
	.data_size	= sizeof(struct pfm_hold *),
	.entry_handler	= pfm_signal_entry,
	.handler	= pfm_signal_return,
};

/**
 * pfm_signals_watch() - Enable the probe of get_signal().
 *
 * Return: 0; or an error of enable_kretprobe().
 *
 * Context: may sleep. No lock of perfmon's core is held.
 */
int pfm_signals_watch(void)
{
	return enable_kretprobe(&pfm_signals);
}

/**
 * pfm_signals_ignore() - Undo pfm_signals_watch().
 */
void pfm_signals_ignore(void)
{
	disable_kretprobe(&pfm_signals);
	pfm_holds_sweep(false);
}

/* May there be one more hold? Under pfm_holds_lock. */
static bool pfm_holds_have_room(kuid_t user, bool privileged)
{
	unsigned int all = 0, own = 0;
	struct pfm_hold *hold;

	list_for_each_entry(hold, &pfm_holds, list) {
		all++;
		own += uid_eq(hold->user, user);
	}
	return privileged ? all < PFM_HOLDS_MAX :
			    all < PFM_HOLDS_USERS && own < PFM_HOLDS_USER;
}

static bool pfm_holds_add(struct pfm_hold *hold)
{
	bool privileged = pfm_is_privileged(), room;

	pfm_holds_sweep(false);
	spin_lock(&pfm_holds_lock);
	room = pfm_holds_have_room(hold->user, privileged);
	if (room)
		list_add(&hold->list, &pfm_holds);
	spin_unlock(&pfm_holds_lock);
	return room;
}

static struct pfm_hold *pfm_hold_new(struct pfm_context *ctx)
{
	struct pfm_hold *hold = kzalloc(sizeof(*hold), GFP_KERNEL_ACCOUNT);

	if (!hold)
		return NULL;
	init_task_work(&hold->work, pfm_hold_work);
	hold->kick = IRQ_WORK_INIT_HARD(pfm_hold_kick);
	hold->ctx = ctx;
	hold->user = ctx->user->uid;
	if (pfm_holds_add(hold))
		return hold;
	kfree(hold);
	return NULL;
}

/**
 * pfm_hold_prepare() - Prepare the work of a context that can block, before it is attached.
 * @ctx: the context
 *
 * Return: 0; -ENOMEM, also for more than PFM_HOLDS_MAX, PFM_HOLDS_USERS or PFM_HOLDS_USER.
 *
 * Context: may sleep.
 */
int pfm_hold_prepare(struct pfm_context *ctx)
{
	struct pfm_thread_link *link = &ctx->link;
	struct pfm_hold *hold = link->hold;

	/* The last load's thread may not have done its work yet, or may return to the probe. */
	if (hold && atomic_cmpxchg(&hold->state, PFM_HOLD_ADDED,
				   PFM_HOLD_ORPHAN) == PFM_HOLD_ADDED) {
		link->hold = NULL;
	} else if (hold && READ_ONCE(hold->inside)) {
		link->hold = NULL;
		pfm_hold_free(hold);
	}
	if (!link->hold)
		link->hold = pfm_hold_new(ctx);
	return link->hold ? 0 : -ENOMEM;
}

/**
 * pfm_blocking_init() - Prepare the probe.
 *
 * Return: 0; or an error, which the log explains.
 */
int __init pfm_blocking_init(void)
{
	int err;

	/* An instance is taken before the entry handler decides if the return is probed. */
	pfm_signals.maxactive = PFM_HOLDS_MAX + num_possible_cpus();
	err = register_kretprobe(&pfm_signals);
	if (err)
		pr_err("cannot probe get_signal() (%d): it needs CONFIG_KRETPROBES\n", err);
	return err;
}

/**
 * pfm_blocking_exit() - Undo pfm_blocking_init().
 *
 * Context: may sleep; there is no context.
 */
void pfm_blocking_exit(void)
{
	unregister_kretprobe(&pfm_signals);
	/* A thread that returns from get_signal() from now on does so without the probe. */
	pfm_holds_sweep(true);
}
