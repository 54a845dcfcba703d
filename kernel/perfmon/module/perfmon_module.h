/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2 as a module: the counterpart of <linux/perfmon_host.h>, for a kernel without
 * patches.
 */
#ifndef _PERFMON_MODULE_H
#define _PERFMON_MODULE_H

#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/list_nulls.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/perfmon_hooks.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/user.h>
#include <linux/security.h>
#include <linux/static_call.h>
#include <linux/task_work.h>
#include <linux/wait.h>
#include <asm/apic.h>

/* main.c has the list. */
#define pfm_initcall(level, fn)
#define pfm_module(init, exit, text)

/* The mode of /dev/perfmon decides which users may monitor at all. */
#define PFM_HOST_PARANOID_MAX		2
#define PFM_HOST_HANDS_OVER		false
#define PFM_HOST_PAUSE_HOLDS		false
#define PFM_HOST_CLAIMS_IBS		false
#define PFM_HOST_FILE_OPS		\
	.unlocked_ioctl	= pfm_context_ioctl,	\
	.compat_ioctl	= compat_ptr_ioctl,

/*
 * Functions that are not exported, found by name when the module is loaded: symbols.c.
 * They are called directly, by patched calls: a kernel with indirect branch tracking may
 * have removed the landing pads that a pointer would need.
 */
#define PFM_SYMBOLS(X)		\
	X(free_uid)		\
	X(ptrace_may_access)	\
	X(task_call_func)	\
	X(task_curr)		\
	X(task_work_add)	\
	X(task_work_cancel_match)	\
	PFM_SECURITY_SYMBOLS(X)

/* If one of these is not found, perfmon works without call chains. */
#define PFM_UNWINDER_SYMBOLS(X)		\
	X(perf_callchain_kernel)	\
	X(perf_callchain_user)

#ifdef CONFIG_SECURITY
#define PFM_SECURITY_SYMBOLS(X)	X(security_perf_event_open)
#else
#define PFM_SECURITY_SYMBOLS(X)
#endif

#define X(name) DECLARE_STATIC_CALL(pfm_##name, name);
PFM_SYMBOLS(X)
PFM_UNWINDER_SYMBOLS(X)
#undef X

#define free_uid		static_call(pfm_free_uid)
#define perf_callchain_kernel	static_call(pfm_perf_callchain_kernel)
#define perf_callchain_user	static_call(pfm_perf_callchain_user)
#define ptrace_may_access	static_call(pfm_ptrace_may_access)
#define task_call_func		static_call(pfm_task_call_func)
#define task_curr		static_call(pfm_task_curr)
#define task_work_add		static_call(pfm_task_work_add)
#define task_work_cancel_match	static_call(pfm_task_work_cancel_match)
#ifdef CONFIG_SECURITY
#define security_perf_event_open	static_call(pfm_security_perf_event_open)
#endif

/* Since Linux 6.12 these are patched calls, which are not exported; their targets are. */
#define apic_read(reg)		(apic->read(reg))
#define apic_write(reg, value)	(apic->write(reg, value))

extern bool pfm_unwinders_found;
#define PFM_HOST_UNWINDS	pfm_unwinders_found
/* x86's unwinders write none, and a module has little space for variables of each CPU. */
#define PFM_HOST_UNWINDS_MARKS	0

extern int *pfm_perf_event_paranoid;
#define sysctl_perf_event_paranoid	(*pfm_perf_event_paranoid)

int pfm_symbols_init(void);

/**
 * pfm_module_get() - Hold the module, for task work of a thread.
 *
 * The module stays until pfm_module_put(), which is that work's last call, and until the
 * thread has left the text: see Documentation/architecture.md, "The end of the module".
 *
 * Context: any but NMI; something else holds the module.
 */
static inline void pfm_module_get(void)
{
	__module_get(THIS_MODULE);
}

/**
 * pfm_module_put() - Undo pfm_module_get(), at the end of the work, or when that is cancelled.
 */
static inline void pfm_module_put(void)
{
	module_put(THIS_MODULE);
}

/* Contexts by thread: threads.c. */

#define PFM_THREADS_BITS	8

extern struct hlist_nulls_head pfm_threads[1 << PFM_THREADS_BITS];

/**
 * struct pfm_thread_link - A context's entry in the table of threads.
 * @node: in the bucket
 * @task: the thread; NULL: none
 * @ctx: the context
 * @leave: memory to leave the thread with, where none can be allocated; hooks.c
 * @hold: task work in which the thread waits; NULL: it never waits; blocking.c
 */
struct pfm_thread_link {
	struct hlist_nulls_node		node;
	const struct task_struct	*task;
	struct pfm_context		*ctx;
	struct pfm_leave		*leave;
	struct pfm_hold			*hold;
};

int pfm_thread_prepare(struct pfm_context *ctx);
void pfm_thread_free(struct pfm_thread_link *link);

struct pfm_context *pfm_threads_find(unsigned int bucket, const struct task_struct *task);
int pfm_threads_init(void);

/* As in <linux/perfmon_host.h>. */
static __always_inline struct pfm_context *pfm_thread_context(const struct task_struct *task)
{
	unsigned int bucket = hash_ptr(task, PFM_THREADS_BITS);

	if (likely(hlist_nulls_empty(&pfm_threads[bucket])))
		return NULL;
	return pfm_threads_find(bucket, task);
}

void pfm_thread_attach(struct task_struct *task, struct pfm_context *ctx,
		       struct pfm_thread_link *link);
void pfm_thread_detach(struct task_struct *task, struct pfm_thread_link *link);

/* The thread that this CPU has switched to, or is about to: hooks.c. */
DECLARE_PER_CPU(struct task_struct *, pfm_cpu_thread);

/* As in <linux/perfmon_host.h>: until the switch is over, current is the previous thread. */
static __always_inline struct task_struct *pfm_thread_here(void)
{
	return __this_cpu_read(pfm_cpu_thread);
}

/* Threads that must wait: blocking.c. */
int pfm_hold_prepare(struct pfm_context *ctx);
void pfm_hold_free(struct pfm_hold *hold);
bool pfm_thread_to_user(struct task_struct *task, struct pfm_thread_link *link);
void pfm_thread_flush(struct task_struct *task, struct pfm_thread_link *link);
int pfm_signals_watch(void);
void pfm_signals_ignore(void);
int pfm_blocking_init(void);
void pfm_blocking_exit(void);

/* The probe brings the thread back. */
static inline void pfm_thread_again(void) { }

int pfm_tracepoints_init(void);
void pfm_tracepoints_exit(void);

/* Claims of perf_events: claims.c. */
void pfm_claims_init(void);
void pfm_claims_exit(void);

/* The NMI watchdog: watchdog.c. */
int pfm_watchdog_init(void);
void pfm_watchdog_exit(void);
static inline unsigned int hardlockup_detector_perf_events(void) { return 0; }
int lockup_detector_nmi_pause(unsigned int (*users)(void));
bool lockup_detector_nmi_resume(void);

/* The driver of perf_events keeps IBS: its registers are not among the PMU's. */
static inline bool amd_ibs_claim(void) { return false; }
static inline void amd_ibs_unclaim(void) { }

/* The test of the PMU: prove.c. */
int pfm_pmu_prove(void);

/* Commands through ioctl(): device.c. */
long pfm_context_ioctl(struct file *file, unsigned int cmd, unsigned long arg);
int pfm_device_init(void);
void pfm_device_exit(void);

#endif /* _PERFMON_MODULE_H */
