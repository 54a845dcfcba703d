// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2 as a module: the hooks, as probes of the scheduler's tracepoints.
 *
 * The tracepoint of the context switch precedes the switch: the instructions of the switch
 * itself, in the kernel, count for the next thread. Counts of user level are not affected.
 *
 * The probes of exec and exit run with preemption off, where no context can be unloaded: task
 * work of the thread does that, before the thread returns to user mode or ends.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/binfmts.h>
#include <linux/fdtable.h>
#include <linux/mutex.h>
#include <linux/perfmon_host.h>
#include <linux/printk.h>
#include <linux/refcount.h>
#include <linux/sched/coredump.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/task_work.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include "../attach.h"
#include "../context.h"
#include "../hooks.h"
#include "../refs.h"

DEFINE_PER_CPU(struct task_struct *, pfm_cpu_thread);

static void pfm_probe_switch(void *unused, bool preempt, struct task_struct *prev,
			     struct task_struct *next, unsigned int state)
{
	__pfm_task_sched_out(prev, next);
	__this_cpu_write(pfm_cpu_thread, next);
	__pfm_task_sched_in(next);
}

/**
 * struct pfm_leave - The task work with which a thread leaves its context.
 * @work: the work
 * @ctx: the context, referenced
 * @end: append PFM_MSG_END
 */
struct pfm_leave {
	struct callback_head	work;
	struct pfm_context	*ctx;
	bool			end;
};

/**
 * pfm_thread_prepare() - Allocate memory for the attachment of a context to a thread.
 * @ctx: the context
 *
 * Return: 0; -ENOMEM.
 *
 * Context: may sleep.
 */
int pfm_thread_prepare(struct pfm_context *ctx)
{
	struct pfm_thread_link *link = &ctx->link;

	if (!link->leave)
		link->leave = kmalloc(sizeof(*link->leave), GFP_KERNEL_ACCOUNT);
	if (!link->leave)
		return -ENOMEM;
	return ctx->flags & PFM_FL_NOTIFY_BLOCK ? pfm_hold_prepare(ctx) : 0;
}

/**
 * pfm_thread_free() - Undo pfm_thread_prepare(): a context is freed.
 * @link: of the context
 */
void pfm_thread_free(struct pfm_thread_link *link)
{
	kfree(link->leave);
	pfm_hold_free(link->hold);
}

/*
 * The thread may have another context by now, or the same one again: a user with the right to
 * monitor the new program may have loaded it since the exec. A context that was loaded again has
 * new memory for its next leave.
 */
static void pfm_leave_work(struct callback_head *work)
{
	struct pfm_leave *leave = container_of(work, struct pfm_leave, work);
	struct pfm_context *ctx = leave->ctx;

	mutex_lock(&ctx->lock);
	if (ctx->task == current && !ctx->link.leave)
		pfm_detach(ctx, leave->end);
	mutex_unlock(&ctx->lock);
	pfm_context_put(ctx);
	kfree(leave);
	pfm_module_put();
}

/* Interrupts are off. */
static void pfm_leave_soon(struct pfm_context *ctx, bool end)
{
	struct pfm_leave *leave = xchg(&ctx->link.leave, NULL);

	/* An exec that is followed by the exit: the work of the exec does both. */
	if (!leave)
		return;
	init_task_work(&leave->work, pfm_leave_work);
	leave->ctx = ctx;
	leave->end = end;
	/* Not the last reference: a loaded context has one of its own. */
	refcount_inc(&ctx->refs);
	pfm_module_get();
	/* An exiting thread has not done its last task work yet. */
	if (WARN_ON_ONCE(task_work_add(current, &leave->work, TWA_RESUME))) {
		refcount_dec(&ctx->refs);
		pfm_module_put();
	}
}

/*
 * A context is detached from a thread that runs by an interrupt of its CPU, and freed after
 * that: with interrupts off, a context that is found here is current's until they are on again.
 */
static void pfm_probe_exec(void *unused, struct task_struct *task, pid_t old_pid,
			   struct linux_binprm *bprm)
{
	struct pfm_context *ctx;
	unsigned long flags;

	local_irq_save(flags);
	ctx = pfm_thread_context(task);
	if (unlikely(ctx) && get_dumpable(task->mm) != SUID_DUMP_USER)
		pfm_leave_soon(ctx, true);
	local_irq_restore(flags);
}

static void pfm_probe_exit(void *unused, struct task_struct *task)
{
	struct pfm_context *ctx;
	unsigned long flags;

	local_irq_save(flags);
	ctx = pfm_thread_context(task);
	if (unlikely(ctx))
		pfm_leave_soon(ctx, pfm_end_is_news(ctx, task, false));
	local_irq_restore(flags);
}

/* The tracepoints are not exported: they are found by name. */
static struct {
	const char		*name;
	void			*probe;
	struct tracepoint	*point;
} pfm_probes[] = {
	{ "sched_switch",	pfm_probe_switch },
	{ "sched_process_exec",	pfm_probe_exec },
	{ "sched_process_exit",	pfm_probe_exit },
};

static DEFINE_MUTEX(pfm_hooks_lock);
static bool pfm_hooks_are_open;		/* under pfm_hooks_lock */
static atomic_t pfm_hooks_users = ATOMIC_INIT(0);

/* Unregister the first @n probes. */
static void pfm_probes_remove(unsigned int n)
{
	while (n--)
		tracepoint_probe_unregister(pfm_probes[n].point, pfm_probes[n].probe, NULL);
}

static int pfm_probes_add(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(pfm_probes); i++) {
		err = tracepoint_probe_register(pfm_probes[i].point, pfm_probes[i].probe, NULL);
		if (err)
			break;
	}
	if (!err)
		err = pfm_signals_watch();
	if (err)
		pfm_probes_remove(i);
	return err;
}

static void pfm_hooks_here(void *unused)
{
	__this_cpu_write(pfm_cpu_thread, current);
}

/**
 * pfm_hooks_open() - Have the probes called, for one more user.
 *
 * Return: 0; -EINTR when the caller is being killed; -ENOMEM, or another error of the probes.
 *
 * Context: may sleep. No lock of perfmon is held.
 */
int pfm_hooks_open(void)
{
	int err = 0;

	if (mutex_lock_killable(&pfm_hooks_lock))
		return -EINTR;
	if (!pfm_hooks_are_open) {
		err = pfm_probes_add();
		if (!err) {
			on_each_cpu(pfm_hooks_here, NULL, true);
			pfm_hooks_are_open = true;
		}
	}
	if (!err)
		atomic_inc(&pfm_hooks_users);
	mutex_unlock(&pfm_hooks_lock);
	return err;
}

static void pfm_hooks_shut(struct work_struct *work)
{
	mutex_lock(&pfm_hooks_lock);
	if (pfm_hooks_are_open && !atomic_read(&pfm_hooks_users)) {
		pfm_signals_ignore();
		pfm_probes_remove(ARRAY_SIZE(pfm_probes));
		pfm_hooks_are_open = false;
	}
	mutex_unlock(&pfm_hooks_lock);
}

static DECLARE_DELAYED_WORK(pfm_hooks_work, pfm_hooks_shut);

/**
 * pfm_hooks_close() - Undo pfm_hooks_open(), after a delay.
 *
 * Context: any but NMI.
 */
void pfm_hooks_close(void)
{
	if (atomic_dec_and_test(&pfm_hooks_users))
		queue_delayed_work(system_unbound_wq, &pfm_hooks_work, PFM_HOOKS_DELAY);
}

static void __init pfm_probes_find(struct tracepoint *point, void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pfm_probes); i++) {
		if (!strcmp(point->name, pfm_probes[i].name))
			pfm_probes[i].point = point;
	}
}

/**
 * pfm_tracepoints_init() - Find the tracepoints.
 *
 * Return: 0; -ENOENT when the kernel does not have one.
 */
int __init pfm_tracepoints_init(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(pfm_probes_find, NULL);
	for (i = 0; i < ARRAY_SIZE(pfm_probes); i++) {
		if (!pfm_probes[i].point) {
			pr_err("this kernel has no tracepoint %s: it needs CONFIG_TRACEPOINTS\n",
			       pfm_probes[i].name);
			return -ENOENT;
		}
	}
	return 0;
}

/**
 * pfm_tracepoints_exit() - On return no probe runs, nor will one.
 *
 * Context: may sleep; there is no context.
 */
void pfm_tracepoints_exit(void)
{
	flush_delayed_work(&pfm_hooks_work);
	tracepoint_synchronize_unregister();
}
