/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the kernel's part for perfmon, which differs between built in and module.
 *
 * Built in, the patches provide it: a field of each thread, hooks, the NMI watchdog's
 * pause, system calls. As a module, on a kernel without patches, kernel/perfmon/module
 * does. No other file distinguishes the two.
 */
#ifndef _LINUX_PERFMON_HOST_H
#define _LINUX_PERFMON_HOST_H

#include <linux/init.h>

/* Init calls, in order, and how they are undone, in the reverse order; _exit(): modules only. */
int pfm_limits_init(void);
int pfm_kick_init(void);
void pfm_kick_exit(void);
int pfm_run_init(void);
void pfm_run_exit(void);
void pfm_sessions_exit(void);
int pfm_hotplug_init(void);
void pfm_hotplug_exit(void);
int pfm_dfl_register(void);
void pfm_dfl_unregister(void);
int pfm_branch_register(void);
void pfm_branch_unregister(void);
int pfm_compact_register(void);
void pfm_compact_unregister(void);
int pfm_hist_register(void);
void pfm_hist_unregister(void);
int pfm_ring_register(void);
void pfm_ring_unregister(void);
int pfm_stack_register(void);
void pfm_stack_unregister(void);
int pfm_ibs_register(void);
void pfm_ibs_unregister(void);
int pfm_x86_init(void);
void pfm_x86_exit(void);
int pfm_sysfs_init(void);
void pfm_sysfs_exit(void);

#ifdef PFM_MODULE

#include "perfmon_module.h"

#else

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/perfmon.h>
#include <linux/resume_user_mode.h>
#include <linux/sched.h>

#define pfm_initcall(level, fn)		level##_initcall(fn)
/* For parts that may be modules by themselves. */
#define pfm_module(init, exit, text)	\
	module_init(init);		\
	module_exit(exit);		\
	MODULE_DESCRIPTION(text);	\
	MODULE_LICENSE("GPL")

/* Levels of kernel.perf_event_paranoid above this count as this level. */
#define PFM_HOST_PARANOID_MAX		INT_MAX
/* Registers are cleared when perf_events takes the PMU, which then calls pfm_pmu_hand_over(). */
#define PFM_HOST_HANDS_OVER		true
/* A paused NMI watchdog stays paused when its switch is written. */
#define PFM_HOST_PAUSE_HOLDS		true
/* The IBS driver of perf_events lets perfmon claim IBS: amd_ibs_claim(). */
#define PFM_HOST_CLAIMS_IBS		true
/* The unwinders of perf_events are available. */
#define PFM_HOST_UNWINDS		true
/* The unwinders may write marks among the addresses: POWER's do. */
#define PFM_HOST_UNWINDS_MARKS		1
/* Further operations of a context's file: none. */
#define PFM_HOST_FILE_OPS

/**
 * struct pfm_thread_link - Data with which a thread finds its context: none.
 */
struct pfm_thread_link {
};

/**
 * pfm_thread_context() - The context that is loaded on a thread.
 * @task: the thread
 *
 * Return: the context, or NULL. It may be unloaded meanwhile, unless the caller is on the
 * target; under RCU it is not freed.
 */
static __always_inline struct pfm_context *pfm_thread_context(const struct task_struct *task)
{
	return READ_ONCE(task->pfm_context);
}

/* Before pfm_thread_attach(); may sleep. */
static inline int pfm_thread_prepare(struct pfm_context *ctx)
{
	return 0;
}

/* Called when the context is freed. */
static inline void pfm_thread_free(struct pfm_thread_link *link)
{
}

/* Context: on the target. The thread has no context; the link is @ctx's. */
static inline void pfm_thread_attach(struct task_struct *task, struct pfm_context *ctx,
				     struct pfm_thread_link *link)
{
	WRITE_ONCE(task->pfm_context, ctx);
}

/* Context: on the target. */
static inline void pfm_thread_detach(struct task_struct *task, struct pfm_thread_link *link)
{
	WRITE_ONCE(task->pfm_context, NULL);
}

/**
 * pfm_thread_to_user() - Have the thread call __pfm_task_to_user() on its way to user mode.
 * @task: the thread
 * @link: of its context
 *
 * Return: true if an NMI must raise an interrupt: the end of an NMI does not do this work.
 *
 * Context: any, NMI as well; on the target.
 */
static inline bool pfm_thread_to_user(struct task_struct *task, struct pfm_thread_link *link)
{
	set_tsk_thread_flag(task, TIF_NOTIFY_RESUME);
	return true;
}

/* Have the current thread call __pfm_task_to_user() again, after it handles a signal. */
static inline void pfm_thread_again(void)
{
	set_notify_resume(current);
}

/* Wait for queued work of a detached context; the thread is still referenced. */
static inline void pfm_thread_flush(struct task_struct *task, struct pfm_thread_link *link)
{
}

/**
 * pfm_thread_here() - The thread that runs on this CPU, as the hooks of the switch see it.
 *
 * Context: interrupts off, or NMI.
 */
static __always_inline struct task_struct *pfm_thread_here(void)
{
	return current;
}

#endif /* PFM_MODULE */
#endif /* _LINUX_PERFMON_HOST_H */
