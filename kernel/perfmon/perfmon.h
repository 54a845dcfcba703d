/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2 core: what its rooms share.
 *
 * Lock order, outermost first:
 *
 *	task->signal->exec_update_lock	(LOAD of another thread: read; exec: write)
 *	cpus_read_lock			(inside pfm_gate_enter() only)
 *	ctx->lock
 *	pfm_sessions.lock, msgq.lock, p->pi_lock, rq->lock
 *
 * ctx->lock is never held while user memory is touched, nor while CPU hotplug
 * is waited for: the CPU hotplug callback takes it.
 */
#ifndef _KERNEL_PERFMON_H
#define _KERNEL_PERFMON_H

#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perfmon.h>
#include <linux/perfmon_pmu.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

struct file;
struct files_struct;

/*
 * State of a context. context.c has the table of the machine.
 */
enum pfm_state {
	PFM_UNLOADED,
	PFM_LOADED,
	PFM_ZOMBIE,
};

/**
 * struct pfm_pmd - Software side of a PMD in an event set.
 * @value: 64-bit value when the hardware register held @hw
 * @hw: hardware value when @value was last brought up to date
 * @last_reset: value last loaded by a write or a reset
 * @long_reset: reload value after a notification
 * @short_reset: reload value after an overflow without one
 * @ovflsw_thres: overflows until the set is left
 * @random_mask: bits of a reset that vary
 * @random_seed: seed of the variation
 *
 * The present value of a live counter is value + ((register - hw) mod 2^width).
 */
struct pfm_pmd {
	u64			value;
	u64			hw;
	u64			last_reset;
	u64			long_reset;
	u64			short_reset;
	u64			ovflsw_thres;
	u64			random_mask;
	u32			random_seed;
};

/**
 * struct pfm_pmc_attr - What a PMC asks for when a counter of it overflows.
 * @eventid: opaque, for the sampling format
 * @reset_pmds: PMDs to reset with it
 * @smpl_pmds: PMDs to record with it
 */
struct pfm_pmc_attr {
	u64			eventid;
	u64			reset_pmds[PFM_MAX_PMD_BITVECTOR];
	u64			smpl_pmds[PFM_MAX_PMD_BITVECTOR];
};

/**
 * struct pfm_event_set - One complete software state of the PMU.
 * @id: number of the set
 * @regs: the part that the architecture works with
 * @dirty_pmcs: changed since they were last loaded
 * @dirty_pmds: changed since they were last loaded
 * @dirty: there are bits in either
 * @pmds: by index
 * @attrs: by PMC index
 */
struct pfm_event_set {
	u16			id;
	struct pfm_regs		regs;
	u64			dirty_pmcs[PFM_MAX_PMC_BITVECTOR];
	u64			dirty_pmds[PFM_MAX_PMD_BITVECTOR];
	bool			dirty;
	struct pfm_pmd		*pmds;
	struct pfm_pmc_attr	*attrs;
};

/**
 * struct pfm_msgq - Notification queue.
 * @lock: guards @taken and @end_pending; taken with interrupts off
 * @wait: readers and pollers
 * @readers: one reader at a time, so that a message whose copy faults stays first
 * @taken: number of messages removed so far
 * @end_pending: PFM_MSG_END is there: it needs no slot, so it always fits
 */
struct pfm_msgq {
	spinlock_t		lock;
	wait_queue_head_t	wait;
	struct mutex		readers;
	u64			taken;
	bool			end_pending;
};

/**
 * struct pfm_context - A perfmon context.
 *
 * Who may touch a field:
 *
 *	I	immutable after creation
 *	L	@lock
 *	T	written on the target: the CPU where the context would run, with
 *		interrupts off, or (thread not running) under its run-queue lock;
 *		and always under @lock, so that @lock alone is enough to read it
 *	H	as T, but also by the context switch and the PMU interrupt, which
 *		do not take @lock: to be touched only on the target
 *
 * @refs: the descriptor, the attachment, and whoever is at work
 * @lock: serialises commands
 * @filp: [I] the file behind the descriptors; an identity, not a reference
 * @flags: [I] PFM_FL_*
 * @state: [L] state of the machine
 * @self: [L] the monitored thread loaded the context itself
 * @started: [T] PFM_START was given
 * @task: [L] monitored thread, with a reference; NULL when unloaded or system-wide
 * @cpu: [L] monitored CPU; -1 when unloaded or per-thread
 * @set: [T] active event set
 * @set0: [I] the set that always exists
 * @last_cpu: [H] CPU whose PMU the registers were last loaded on
 * @last_activation: [H] number of that loading there
 * @seq: [H] incremented each time the counters are brought up to date
 * @msgq: own lock
 * @rcu: the hooks look contexts up under RCU
 */
struct pfm_context {
	refcount_t		refs;
	struct mutex		lock;
	struct file		*filp;
	u32			flags;
	enum pfm_state		state;
	bool			self;
	bool			started;
	struct task_struct	*task;
	int			cpu;
	struct pfm_event_set	*set;
	struct pfm_event_set	*set0;
	int			last_cpu;
	u64			last_activation;
	unsigned int		seq;
	struct pfm_msgq		msgq;
	struct rcu_head		rcu;
};

static inline bool pfm_is_system_wide(const struct pfm_context *ctx)
{
	return ctx->flags & PFM_FL_SYSTEM_WIDE;
}

/* stats.c: what happened, by CPU. Documented in Documentation/ABI. */
#define PFM_STATS(X)							\
	X(activations,		"registers loaded in full onto a CPU")	\
	X(activations_lazy,	"registers found still loaded")		\
	X(interrupts,		"PMU interrupts taken for a context")	\
	X(interrupts_late,	"PMU interrupts with no context running") \
	X(messages,		"notification messages queued")		\
	X(messages_reset,	"unread messages discarded by a load")

struct pfm_stats {
#define X(name, help) u64 name;
	PFM_STATS(X)
#undef X
};

DECLARE_PER_CPU(struct pfm_stats, pfm_stats);
#define pfm_stat_inc(name)	this_cpu_inc(pfm_stats.name)
u64 pfm_stats_sum(size_t offset);

/* pmu.c: the PMU of this machine; never NULL. */
extern const struct pfm_pmu *pfm_pmu;
bool pfm_pmc_valid(unsigned int pmc);
bool pfm_pmd_valid(unsigned int pmd);
u64 pfm_counter_delta(const struct pfm_reg_desc *desc, u64 from, u64 to);
u64 pfm_counter_arm(const struct pfm_reg_desc *desc, u64 value);

static inline u64 pfm_reg_apply_rsvd(const struct pfm_reg_desc *desc, u64 value)
{
	return (value & ~desc->rsvd) | (desc->def & desc->rsvd);
}

static inline u64 pfm_width_mask(unsigned int width)
{
	return width >= 64 ? ~0ULL : BIT_ULL(width) - 1;
}

/* sets.c */
struct pfm_event_set *pfm_set_alloc(u16 id);
void pfm_set_free(struct pfm_event_set *set);
struct pfm_event_set *pfm_set_find(struct pfm_context *ctx, u16 id);

/* message.c */
void pfm_msgq_init(struct pfm_msgq *q);
void pfm_msgq_reset(struct pfm_msgq *q);
void pfm_msgq_end(struct pfm_msgq *q);
bool pfm_msgq_peek(struct pfm_msgq *q, pfm_msg_t *msg, u64 *nr);
void pfm_msgq_pop(struct pfm_msgq *q, u64 nr);
bool pfm_msgq_empty(struct pfm_msgq *q);

/* cpu.c: ownership of the PMU of a CPU. */
struct pfm_cpu {
	struct pfm_context	*ctx;		/* counting here, now */
	u64			activation;	/* full loadings so far */
	u64			epoch;		/* of pfm_cpu_epoch, when initialised */
	struct pfm_context	*suspended;	/* counted here before the suspend */
	struct pfm_context	*system_ctx;	/* system-wide context bound here */
};

DECLARE_PER_CPU(struct pfm_cpu, pfm_cpu);
void pfm_cpu_in(struct pfm_context *ctx);
void pfm_cpu_out(struct pfm_context *ctx);
bool pfm_cpu_pause(struct pfm_context *ctx);
u64 pfm_cpu_read_pmd(struct pfm_context *ctx, struct pfm_event_set *set, unsigned int pmd);
void pfm_cpu_new_epoch(void);

/* target.c: run a function where a context's registers are. */
typedef void (*pfm_target_fn)(struct pfm_context *ctx, bool here, void *arg);
void pfm_target_call(struct pfm_context *ctx, pfm_target_fn fn, void *arg);
void pfm_target_call_task(struct pfm_context *ctx, struct task_struct *task,
			  pfm_target_fn fn, void *arg);

/* config.c: limits and who may do what. */
struct pfm_limits {
	u64			arg_size_max;
	u64			smpl_buf_size_max;
	kgid_t			sys_gid;
	kgid_t			thread_gid;
};

struct pfm_limits pfm_limits_get(void);
size_t pfm_arg_size_max(void);
u32 pfm_gid_to_user(kgid_t gid);
bool pfm_may_create(u32 flags);
bool pfm_may_count_kernel(const struct pfm_context *ctx);

/* sessions.c: who holds the PMU. */
void pfm_gate_enter(void);
void pfm_gate_leave(void);
int pfm_session_get(bool system_wide);
void pfm_session_put(bool system_wide);
void pfm_session_counts(unsigned int *threads, unsigned int *cpus);

/* attach.c */
bool pfm_files_have(struct files_struct *files, struct file *filp);
void pfm_detach(struct pfm_context *ctx, bool end);

/* context.c */
extern const struct file_operations pfm_file_ops;
void pfm_context_put(struct pfm_context *ctx);
bool pfm_context_tryget(struct pfm_context *ctx);

/**
 * struct pfm_call - One call of perfmonctl(), arguments copied in.
 * @ctx: the context, for commands that have one
 * @args: array of @n elements of the command's type, or NULL
 * @n: elements
 * @done: elements to copy out, set by the handler: all those processed, and
 *	the one that was found bad, whose return flag says so
 * @new_file: PFM_CREATE_CONTEXT: to be installed once the result is copied out,
 *	else dropped
 * @new_fd: its descriptor
 */
struct pfm_call {
	struct pfm_context	*ctx;
	void			*args;
	unsigned int		n;
	unsigned int		done;
	struct file		*new_file;
	int			new_fd;
};

/*
 * Handlers of commands. Context: ctx->lock held (PFM_LOAD_CONTEXT and those
 * without a context: not). May sleep. Return 0 or an errno.
 */
int pfm_write_pmcs(struct pfm_call *call);
int pfm_write_pmds(struct pfm_call *call);
int pfm_read_pmds(struct pfm_call *call);
int pfm_getinfo_pmcs(struct pfm_call *call);
int pfm_getinfo_pmds(struct pfm_call *call);
int pfm_start(struct pfm_call *call);
int pfm_stop(struct pfm_call *call);
int pfm_load_context(struct pfm_call *call);
int pfm_unload_context(struct pfm_call *call);
int pfm_create_context(struct pfm_call *call);
int pfm_set_config(struct pfm_call *call);
int pfm_get_config(struct pfm_call *call);

#endif /* _KERNEL_PERFMON_H */
