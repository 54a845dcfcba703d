/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: what the rest of the kernel sees of it.
 *
 * These are the hooks that kernel/sched, fork, exec and exit call. With
 * CONFIG_PERFMON off they vanish; with it on but no thread monitored they are
 * a patched-out branch.
 */
#ifndef _LINUX_PERFMON_H
#define _LINUX_PERFMON_H

#include <linux/jump_label_ratelimit.h>
#include <linux/percpu-defs.h>
#include <linux/sched.h>

struct pfm_context;

#ifdef CONFIG_PERFMON

extern struct static_key_false_deferred pfm_sched_key;
/* The context bound to this CPU excludes some threads. */
DECLARE_PER_CPU(bool, pfm_cpu_excludes);

void __pfm_task_sched_out(struct task_struct *prev, struct task_struct *next);
void __pfm_task_sched_in(struct task_struct *next);
void __pfm_task_gone(struct task_struct *task, bool exec);

/**
 * pfm_task_sched_out() - A thread leaves this CPU.
 * @prev: the thread
 * @next: what will run instead
 *
 * Context: run-queue lock held, interrupts off; before the switch.
 */
static inline void pfm_task_sched_out(struct task_struct *prev, struct task_struct *next)
{
	if (static_branch_unlikely(&pfm_sched_key.key) &&
	    (prev->pfm_context || __this_cpu_read(pfm_cpu_excludes)))
		__pfm_task_sched_out(prev, next);
}

/**
 * pfm_task_sched_in() - A thread arrives on this CPU.
 * @next: the thread
 *
 * Context: run-queue lock held, interrupts off; after the switch.
 */
static inline void pfm_task_sched_in(struct task_struct *next)
{
	if (static_branch_unlikely(&pfm_sched_key.key) &&
	    (next->pfm_context || __this_cpu_read(pfm_cpu_excludes)))
		__pfm_task_sched_in(next);
}

/**
 * pfm_task_fork() - A new thread starts unmonitored: contexts are not inherited.
 * @child: the new thread, not yet visible
 */
static inline void pfm_task_fork(struct task_struct *child)
{
	child->pfm_context = NULL;
}

/**
 * pfm_task_exit() - A thread exits: its context, if any, is unloaded.
 * @task: current
 *
 * Context: PF_EXITING is set, the descriptor table is still there. May sleep.
 */
static inline void pfm_task_exit(struct task_struct *task)
{
	if (unlikely(task->pfm_context))
		__pfm_task_gone(task, false);
}

/**
 * pfm_task_exec_privileged() - A thread gains privileges, or must not be looked into.
 * @task: current
 *
 * A set-user-id or otherwise non-dumpable exec ends the monitoring.
 *
 * Context: exec_update_lock held for writing, credentials committed. May sleep.
 */
static inline void pfm_task_exec_privileged(struct task_struct *task)
{
	if (unlikely(task->pfm_context))
		__pfm_task_gone(task, true);
}

#else /* !CONFIG_PERFMON */

static inline void pfm_task_sched_out(struct task_struct *prev, struct task_struct *next) { }
static inline void pfm_task_sched_in(struct task_struct *next) { }
static inline void pfm_task_fork(struct task_struct *child) { }
static inline void pfm_task_exit(struct task_struct *task) { }
static inline void pfm_task_exec_privileged(struct task_struct *task) { }

#endif /* CONFIG_PERFMON */
#endif /* _LINUX_PERFMON_H */
