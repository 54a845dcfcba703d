/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the hooks that the rest of the kernel calls.
 *
 * Their callers are kernel/sched, fork, exec, exit and perf_events. With
 * CONFIG_PERFMON off they vanish; with it on but no thread monitored they are
 * a patched-out branch.
 */
#ifndef _LINUX_PERFMON_H
#define _LINUX_PERFMON_H

#include <linux/jump_label_ratelimit.h>
#include <linux/perfmon_hooks.h>
#include <linux/sched.h>

struct pt_regs;

#ifdef CONFIG_PERFMON

extern struct static_key_false_deferred pfm_sched_key;

/* The events of the software PMU are hooks, too, enabled while it is in use. */
#ifdef CONFIG_PERFMON_SOFT

DECLARE_STATIC_KEY_FALSE(pfm_soft_key);

void __pfm_soft_sched_out(struct task_struct *prev, struct task_struct *next);
void __pfm_soft_sched_in(struct task_struct *next);
void __pfm_soft_migrate(struct task_struct *task);
void __pfm_soft_fault(struct pt_regs *regs, bool major);
void __pfm_soft_syscall(struct pt_regs *regs);

static __always_inline bool pfm_soft_is_used(void)
{
	return static_branch_unlikely(&pfm_sched_key.key) &&
	       static_branch_unlikely(&pfm_soft_key);
}

#else

static __always_inline bool pfm_soft_is_used(void)
{
	return false;
}

static inline void __pfm_soft_sched_out(struct task_struct *prev, struct task_struct *next) { }
static inline void __pfm_soft_sched_in(struct task_struct *next) { }
static inline void __pfm_soft_migrate(struct task_struct *task) { }
static inline void __pfm_soft_fault(struct pt_regs *regs, bool major) { }
static inline void __pfm_soft_syscall(struct pt_regs *regs) { }

#endif /* CONFIG_PERFMON_SOFT */

/**
 * pfm_soft_migrate() - A thread will run on another CPU.
 * @task: the thread; it does not run
 */
static inline void pfm_soft_migrate(struct task_struct *task)
{
	if (pfm_soft_is_used())
		__pfm_soft_migrate(task);
}

/**
 * pfm_soft_fault() - A page fault was handled.
 * @regs: where it happened; NULL: the kernel looked the page up
 * @major: it took input or output
 *
 * Context: process context, the thread that had the fault.
 */
static inline void pfm_soft_fault(struct pt_regs *regs, bool major)
{
	if (pfm_soft_is_used())
		__pfm_soft_fault(regs, major);
}

/**
 * pfm_soft_syscall() - The current thread enters a system call.
 * @regs: its registers
 */
static __always_inline void pfm_soft_syscall(struct pt_regs *regs)
{
	if (pfm_soft_is_used())
		__pfm_soft_syscall(regs);
}

/**
 * pfm_task_sched_out() - A thread leaves this CPU.
 * @prev: the thread
 * @next: the thread that will run instead
 *
 * Context: run-queue lock held, interrupts off; before the switch.
 */
static inline void pfm_task_sched_out(struct task_struct *prev, struct task_struct *next)
{
	if (pfm_soft_is_used())
		__pfm_soft_sched_out(prev, next);
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
	if (pfm_soft_is_used())
		__pfm_soft_sched_in(next);
}

/**
 * pfm_task_to_user() - The current thread has work to do before it returns to user mode.
 *
 * A thread that a notification blocks waits here.
 *
 * Context: may sleep, no locks; TIF_NOTIFY_RESUME was cleared.
 */
static inline void pfm_task_to_user(void)
{
	if (static_branch_unlikely(&pfm_sched_key.key) && current->pfm_context)
		__pfm_task_to_user();
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
 * pfm_task_exec_privileged() - A thread gains privileges, or becomes non-dumpable.
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

static inline void pfm_soft_migrate(struct task_struct *task) { }
static inline void pfm_soft_fault(struct pt_regs *regs, bool major) { }
static inline void pfm_soft_syscall(struct pt_regs *regs) { }
static inline void pfm_task_sched_out(struct task_struct *prev, struct task_struct *next) { }
static inline void pfm_task_sched_in(struct task_struct *next) { }
static inline void pfm_task_to_user(void) { }
static inline void pfm_task_fork(struct task_struct *child) { }
static inline void pfm_task_exit(struct task_struct *task) { }
static inline void pfm_task_exec_privileged(struct task_struct *task) { }
static inline void pfm_pmu_claim(void) { }
static inline void pfm_pmu_unclaim(void) { }
static inline void pfm_pmu_hand_over(void) { }

#endif /* CONFIG_PERFMON */
#endif /* _LINUX_PERFMON_H */
