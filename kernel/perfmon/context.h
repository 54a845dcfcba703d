/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: a context. Read this first: it states which code may touch which field, and in
 * which order locks are taken.
 *
 * Lock order, outermost first:
 *
 *	task->signal->exec_update_lock	(LOAD of another thread: read; exec: write)
 *	cpus_read_lock			(inside pfm_gate_enter() only)
 *	ctx->lock; perf_events' pmc_reserve_mutex
 *	pfm_sessions.lock
 *	msgq.lock, p->pi_lock, rq->lock, the hrtimer's base
 *
 * pfm_accounts_lock is taken alone.
 *
 * mmap_lock and ctx->lock are never held together, nor is ctx->lock held while
 * user memory is touched or CPU hotplug is waited for: the CPU hotplug callback
 * takes it.
 */
#ifndef _KERNEL_PERFMON_CONTEXT_H
#define _KERNEL_PERFMON_CONTEXT_H

#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/xarray.h>
#include "event_set.h"
#include "message.h"

struct fasync_struct;
struct file;
struct pfm_account;
struct pid_namespace;
struct task_struct;
struct user_struct;

/*
 * The state machine; the table in dispatch.c states in which state a command is legal:
 *
 *	state      LOAD     overflow   RESTART   UNLOAD     thread or   last descriptor
 *	                                                    CPU gone    closed
 *	--------------------------------------------------------------------------------
 *	UNLOADED   LOADED   -          -         -          -           destroyed
 *	LOADED     -        MASKED     LOADED    UNLOADED   UNLOADED    destroyed
 *	MASKED     -        -          LOADED    UNLOADED   UNLOADED    destroyed
 *
 * An overflow masks when it sends a notification or when the format asks for it; a
 * format may also mask at a restart. Commands that are legal in LOADED are legal in
 * MASKED. Masking may happen in NMI context: so ctx->masked distinguishes the two, and
 * ctx->state is LOADED in both.
 *
 * Started or stopped is a second, independent bit, meaningful when loaded:
 * every way out of LOADED or MASKED clears it. There is no state for a context that is
 * attached and has no descriptor any more: the last close() unloads it itself, by a cross
 * call if need be, and does not wait for the thread.
 */
enum pfm_state {
	PFM_UNLOADED,
	PFM_LOADED,
};

/*
 * A context's share of the PMU: all or nothing. sessions.c sets it. It is the index into
 * pfm_suspended[], which decides if the context counts now.
 */
enum pfm_share {
	PFM_KEEPS,	/* the context keeps the PMU until it is unloaded */
	PFM_YIELDS,	/* a user with privilege may take the PMU away */
	PFM_IDLE,	/* none: the context is not loaded, or has no PMC */
};

/* A context's way of running on its CPU. pfm_resume() begins it, pfm_pause() ends it. */
enum pfm_mode {
	PFM_OFF,	/* not started, or its thread does not run */
	PFM_COUNTING,	/* pfm_cpu.ctx is the context */
	PFM_EXCLUDED,	/* the active set excludes the thread: its timeout runs, nothing counts */
	PFM_BLIND,	/* masked or suspended: the time goes to the ledger, nothing counts */
};

/*
 * Account, by context, of the overflows that requested a record, and of the time in which the
 * context was started, its thread ran, and yet not everything was counted.
 */
#define PFM_LEDGER(X)						\
	X(overflows,		"pfm-overflows")		\
	X(recorded,		"pfm-recorded")			\
	X(lost_full,		"pfm-lost-full")		\
	X(lost_error,		"pfm-lost-error")		\
	X(lost_throttled,	"pfm-lost-throttled")		\
	X(lost_late,		"pfm-lost-late")		\
	X(lost_messages,	"pfm-lost-messages")		\
	X(masked_ns,		"pfm-masked-ns")		\
	X(suspended_ns,		"pfm-suspended-ns")

struct pfm_ledger {
#define X(name, label) u64 name;
	PFM_LEDGER(X)
#undef X
};

/**
 * struct pfm_context - A perfmon context.
 *
 * Which code may touch a field:
 *
 *	I	immutable after creation
 *	L	@lock
 *	T	written on the target: the CPU where the context would run, with
 *		interrupts off, or (thread not running) under its run-queue lock;
 *		and always under @lock, so that @lock alone is enough to read it
 *	H	as T, but also by the context switch, the timer and the PMU
 *		interrupt, which do not take @lock: to be touched only on the target
 *
 * @started: [T] PFM_START was given
 * @masked: [H] nothing is counted until PFM_RESTART
 * @blocked: [H] the thread waits, or will, until this is false again
 * @switch_due: [H] the next restart leaves the active set
 * @mode: [H] enum pfm_mode
 * @share: [L, H to read] share of the PMU: changed only while the context does not count
 * @flags: [I] PFM_FL_*
 * @set: [H] active event set
 * @loaded_set: [H] the set whose registers were last loaded
 * @last_cpu: [H] CPU whose PMU they were loaded on
 * @last_activation: [H] that CPU's number of this loading, see cpu.c
 * @seq: [H] incremented each time the counters are brought up to date
 * @since: [H] local_clock() when the mode began, if it is not PFM_OFF
 * @throttled: [H] the counters are loaded to count without interrupts: see throttle.c
 * @throttle_notified: [H] the tool has been notified of that
 * @fmt_failures: [H] errors of the format, but for a full buffer, since the last restart
 * @fmt: [I] sampling format, pinned, or NULL
 * @buf: [I] its buffer, or NULL
 * @buf_size: [I] bytes of it, whole pages
 * @buf_file: [I] the file that the buffer is behind, with a reference, or NULL
 * @ledger: [H] account of overflows and of time
 * @pid_raw: [H] the kernel's number of the thread to which @pid and @tid belong
 * @pid: [H] process, as the creator of the context sees it
 * @tid: [H] thread, likewise
 * @refs: held by the file, by the attachment, and by hooks that are running
 * @lock: serialises commands
 * @filp: [I] the file behind the descriptors; an identity, not a reference
 * @id: [I] number since boot, as trace events show it
 * @state: [L] state of the machine
 * @fd: [L] the descriptor by which it was last loaded, in its loader's table
 * @self: [L] the monitored thread loaded the context itself
 * @claimed: [L] banks of which it owns registers that the rest of the kernel uses, too: a bit
 *	for each, by its place in the PMU's list
 * @task: [L] monitored thread, with a reference; NULL when unloaded or system-wide
 * @cpu: [L] monitored CPU; -1 when unloaded or per-thread
 * @set0: [I] the set that always exists
 * @sets: [L] all others by number; not changed while loaded
 * @last_set: [L] number that none of them exceeds; 0: there are none
 * @yielding: in the list of contexts that yield, under pfm_sessions.lock
 * @bytes: [L] memory of the context and its sets
 * @account: [I] the account of @bytes
 * @user: [I] the user whose memory limit bounds @bytes and the buffer
 * @ns: [I] namespace of the process numbers in samples
 * @msgq: own lock
 * @fasync: processes that want a signal
 * @notify_work: wakes readers and sends signals, from any context
 * @block_wait: where the thread waits, on its way to user mode
 * @link: [T] lets hooks find the context
 * @rcu: the hooks look contexts up under RCU
 */
struct pfm_context {
	bool			started;
	bool			masked;
	bool			blocked;
	bool			switch_due;
	u8			mode;
	u8			share;
	u32			flags;
	struct pfm_event_set	*set;
	struct pfm_event_set	*loaded_set;
	int			last_cpu;
	unsigned int		seq;
	u64			last_activation;
	u64			since;
	bool			throttled;
	bool			throttle_notified;
	u16			fmt_failures;
	const pfm_buffer_fmt_t	*fmt;
	void			*buf;
	size_t			buf_size;
	struct file		*buf_file;
	struct pfm_ledger	ledger;
	pid_t			pid_raw;
	s32			pid;
	s32			tid;

	refcount_t		refs;
	struct mutex		lock;
	struct file		*filp;
	u64			id;
	unsigned int		fd;
	enum pfm_state		state;
	bool			self;
	u8			claimed;
	struct task_struct	*task;
	int			cpu;
	struct pfm_event_set	*set0;
	struct xarray		sets;
	u16			last_set;
	struct list_head	yielding;
	size_t			bytes;
	struct pfm_account	*account;
	struct user_struct	*user;
	struct pid_namespace	*ns;
	struct pfm_msgq		msgq;
	struct fasync_struct	*fasync;
	struct irq_work		notify_work;
	wait_queue_head_t	block_wait;
	struct pfm_thread_link	link;
	struct rcu_head		rcu;
};

static inline bool pfm_is_system_wide(const struct pfm_context *ctx)
{
	return ctx->flags & PFM_FL_SYSTEM_WIDE;
}

#endif /* _KERNEL_PERFMON_CONTEXT_H */
