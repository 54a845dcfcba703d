/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2 core: what its rooms share.
 *
 * Lock order, outermost first:
 *
 *	task->signal->exec_update_lock	(LOAD of another thread: read; exec: write)
 *	cpus_read_lock			(inside pfm_gate_enter() only)
 *	ctx->lock; perf_events' pmc_reserve_mutex
 *	pfm_sessions.lock
 *	msgq.lock, files->file_lock, p->pi_lock, rq->lock, the hrtimer's base
 *
 * pfm_accounts_lock is taken alone.
 *
 * mmap_lock and ctx->lock are never held together, nor is ctx->lock held while
 * user memory is touched or CPU hotplug is waited for: the CPU hotplug callback
 * takes it.
 */
#ifndef _KERNEL_PERFMON_H
#define _KERNEL_PERFMON_H

#include <linux/bitops.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perfmon.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_pmu.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/static_call.h>
#include <linux/wait.h>
#include <linux/xarray.h>

struct fasync_struct;
struct file;
struct files_struct;
struct pfm_account;
struct pfm_pmd_array;
struct pfm_request_array;
struct pid_namespace;
struct user_struct;
struct vm_area_struct;

/*
 * State of a context. context.c has the table of the machine.
 */
enum pfm_state {
	PFM_UNLOADED,
	PFM_LOADED,
};

/**
 * struct pfm_pmd - Software side of a PMD in an event set.
 * @value: 64-bit value when the hardware register held @hw; where 64-bit
 *	emulation is off, the bits beyond the register are ones, so that it
 *	overflows where the register does
 * @hw: hardware value when @value was last brought up to date
 * @mask: bits that the hardware counter has; 0: it is no counter
 * @top: of these, what pfm_counter_top() says
 * @last_reset: value last loaded by a write or a reset
 * @long_reset: reload value after a notification
 * @short_reset: reload value after an overflow without one
 * @random_mask: bits of a reset that vary
 * @random: state of the generator of the variation
 * @ovflsw_thres: overflows until the set is left; 0: never because of this one
 * @ovflsw_left: those still to come
 *
 * The present value of a live counter is value + ((register - hw) mod 2^width).
 */
struct pfm_pmd {
	u64			value;
	u64			hw;
	u64			mask;
	u64			top;
	u64			last_reset;
	u64			long_reset;
	u64			short_reset;
	u64			random_mask;
	u32			random;
	u64			ovflsw_thres;
	u64			ovflsw_left;
};

/**
 * struct pfm_request - What is asked for when a counter overflows.
 * @flags: PFM_REGFL_*
 * @smpl_count: how many PMDs to record with it
 * @smpl_virtual: of these the virtual ones, from PFM_VIRTUAL_PMD on
 * @smpl_pmds: and those of the hardware
 * @reset_pmds: PMDs to reset with it
 * @eventid: opaque, for the sampling format
 *
 * A PMC has one for all its counters, and a counter that of all its PMCs.
 */
struct pfm_request {
	u32			flags;
	u16			smpl_count;
	u16			smpl_virtual;
	u64			smpl_pmds;
	u64			reset_pmds;
	u64			eventid;
};

static_assert(PFM_NUM_VIRTUAL_PMDS <= 16 && PFM_VIRTUAL_PMD % 64 + PFM_NUM_VIRTUAL_PMDS <= 64);

/**
 * struct pfm_event_set - One complete software state of the PMU.
 *
 * Fields are used as those of struct pfm_context that are marked H, but for
 * those that say otherwise.
 *
 * @regs: the part that the architecture works with
 * @dirty: PMCs were changed since they were last loaded
 * @kernel: kernel level is counted, too
 * @dirty_pmds: PMDs that were changed since they were last loaded
 * @dirty_pmcs: PMCs that were
 * @notify_pmds: counters whose overflow notifies
 * @random_pmds: counters whose resets vary
 * @narrow_pmds: counters without 64-bit emulation
 * @trigger_pmds: counters that have a threshold
 * @ovfl_pmds: overflowed, and still to be reset: at the next restart or activation
 * @switch_pmds: last made the context leave this set
 * @timeout: time until the set is left, ns [I while loaded]
 * @left: of that, still to come
 * @active: time in which it was monitored with, ns
 * @runs: how often it became the active set
 * @next: what follows it [valid and I while loaded]
 * @id: number of the set [I]
 * @id_next: explicit successor [I while loaded]
 * @flags: PFM_SETFL_* [I while loaded]
 * @pmds: by index, pfm_pmd_of() [the pointer: I]
 * @counter_requests: by PMD index, up to the last counter, pfm_counter_request() [the
 *	pointer: I]
 * @pmc_requests: by PMC index, pfm_pmc_request() [the pointer: I]
 *
 * The three arrays have incomplete types: an index that no accessor has checked does not
 * compile.
 */
struct pfm_event_set {
	struct pfm_regs		regs;
	bool			dirty;
	bool			kernel;
	u64			dirty_pmds;
	u64			dirty_pmcs[PFM_MAX_PMC_BITVECTOR];
	u64			notify_pmds;
	u64			random_pmds;
	u64			narrow_pmds;
	u64			trigger_pmds;
	u64			ovfl_pmds;
	u64			switch_pmds;
	u64			timeout;
	u64			left;
	u64			active;
	u64			runs;
	struct pfm_event_set	*next;
	u16			id;
	u16			id_next;
	u32			flags;
	struct pfm_pmd_array	*pmds;
	struct pfm_request_array *counter_requests;
	struct pfm_request_array *pmc_requests;
};

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

/* Without a format a message waits for its RESTART; a few may be left unread. */
#define PFM_MSGQ_FEW		8

/**
 * struct pfm_msgq - Notification queue.
 *
 * A ring with one producer, whoever handles the context's overflows, perhaps in
 * NMI context, and without a lock towards the consumer. The producer publishes a
 * note by storing @head with release semantics; the consumer frees its slot by
 * storing @tail likewise.
 *
 * @lock: guards @tail and what is pending; taken with interrupts off
 * @wait: readers and pollers
 * @readers: one reader at a time, so that a message whose copy faults stays first
 * @notes: the ring: @few, or memory of its own
 * @depth: entries of it
 * @head: notes appended so far
 * @tail: messages removed so far
 * @throttle: PFM_MSG_THROTTLE, behind all notes, if it has a type: it needs no slot, so
 *	it takes none from an overflow; one that is unread stands for later ones. Written
 *	by the producer while there is no type, cleared by the consumer.
 * @suspend_pending: PFM_MSG_SUSPEND is there, behind all of these
 * @resume_pending: PFM_MSG_RESUME is there, behind that
 * @end_pending: PFM_MSG_END is there, behind all others: like the last two, it needs no
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

/*
 * What became of the overflows that asked for a record, by context; and the time in which
 * it was started, the thread ran, and yet not all was counted.
 */
#define PFM_LEDGER(X)						\
	X(overflows,		"pfm-overflows")		\
	X(recorded,		"pfm-recorded")			\
	X(lost_full,		"pfm-lost-full")		\
	X(lost_error,		"pfm-lost-error")		\
	X(lost_throttled,	"pfm-lost-throttled")		\
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
 * Who may touch a field:
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
 * @switch_due: [H] the active set is to be left at the next restart
 * @excluded: [H] started, but not counting: the set excludes the thread that runs
 * @yields: [I while loaded] it is suspended when a user with privilege wants the PMU
 * @flags: [I] PFM_FL_*
 * @set: [H] active event set
 * @loaded_set: [H] the set whose registers were last loaded
 * @last_cpu: [H] CPU whose PMU they were loaded on
 * @last_activation: [H] number of that loading there
 * @seq: [H] incremented each time the counters are brought up to date
 * @since: [H] local_clock() when it began to count, or to be excluded
 * @blind_since: [H] local_clock() when it did not begin, being masked or suspended; 0:
 *	it does not run here
 * @coarse: [H] it was loaded to count without interrupts: see throttle.c
 * @throttle_told: [H] of that the tool was told
 * @fmt: [I] sampling format, pinned, or NULL
 * @buf: [I] its buffer, or NULL
 * @buf_size: [I] bytes of it, whole pages
 * @buf_file: [I] what it is behind, with a reference, or NULL
 * @ledger: [H] what became of the overflows
 * @pid_raw: [H] kernel's number of the thread that @pid and @tid are of
 * @pid: [H] process, as the creator of the context sees it
 * @tid: [H] thread, likewise
 * @refs: the descriptor, the attachment, and whoever is at work
 * @lock: serialises commands
 * @filp: [I] the file behind the descriptors; an identity, not a reference
 * @state: [L] state of the machine
 * @fd: [L] the descriptor by which it was last loaded, in its loader's table
 * @self: [L] the monitored thread loaded the context itself
 * @claimed: [L] registers that others use, too, are its own while it is loaded
 * @task: [L] monitored thread, with a reference; NULL when unloaded or system-wide
 * @cpu: [L] monitored CPU; -1 when unloaded or per-thread
 * @set0: [I] the set that always exists
 * @sets: [L] all others by number; not changed while loaded
 * @yielding: in the list of those that yield, under pfm_sessions.lock
 * @bytes: [L] that the context and its sets take
 * @account: [I] on which these are
 * @user: [I] whose memory limit these and the buffer count against
 * @ns: [I] in which samples name processes
 * @msgq: own lock
 * @fasync: who wants a signal
 * @notify_work: wakes and signals, out of any context
 * @block_wait: where the thread waits, on its way to user mode
 * @rcu: the hooks look contexts up under RCU
 */
struct pfm_context {
	bool			started;
	bool			masked;
	bool			blocked;
	bool			switch_due;
	bool			excluded;
	bool			yields;
	u32			flags;
	struct pfm_event_set	*set;
	struct pfm_event_set	*loaded_set;
	int			last_cpu;
	unsigned int		seq;
	u64			last_activation;
	u64			since;
	u64			blind_since;
	bool			coarse;
	bool			throttle_told;
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
	unsigned int		fd;
	enum pfm_state		state;
	bool			self;
	bool			claimed;
	struct task_struct	*task;
	int			cpu;
	struct pfm_event_set	*set0;
	struct xarray		sets;
	struct list_head	yielding;
	size_t			bytes;
	struct pfm_account	*account;
	struct user_struct	*user;
	struct pid_namespace	*ns;
	struct pfm_msgq		msgq;
	struct fasync_struct	*fasync;
	struct irq_work		notify_work;
	wait_queue_head_t	block_wait;
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
	X(overflows,		"overflows that asked for a record")	\
	X(samples,		"of these: recorded")			\
	X(samples_lost_full,	"of these: lost, the buffer was full")	\
	X(samples_lost_error,	"of these: lost, the format failed")	\
	X(samples_lost_throttled, "of these: lost to the throttle")	\
	X(throttles,		"contexts throttled for too many interrupts") \
	X(switches_time,	"event sets left when their time was up") \
	X(switches_overflow,	"event sets left after overflows")	\
	X(blocks,		"threads blocked for a notification")	\
	X(messages,		"notification messages queued")		\
	X(messages_lost,	"notification messages that found the queue full") \
	X(messages_reset,	"unread messages discarded by a load")

struct pfm_stats {
#define X(name, help) u64 name;
	PFM_STATS(X)
#undef X
};

DECLARE_PER_CPU(struct pfm_stats, pfm_stats);
#define pfm_stat_inc(name)	this_cpu_inc(pfm_stats.name)
#define pfm_stat_add(name, n)	this_cpu_add(pfm_stats.name, n)
u64 pfm_stats_sum(size_t offset);

/* pmu.c: the PMU of this machine; never NULL. */
extern const struct pfm_pmu *pfm_pmu;
#define X(name) \
	DECLARE_STATIC_CALL(pfm_pmu_##name, *((struct pfm_pmu_ops *)0)->name);
PFM_PMU_OPS(X)
#undef X
#define pfm_pmu_op(name)	static_call(pfm_pmu_##name)

extern u64 pfm_hw_pmds;		/* its PMDs */
bool pfm_pmc_valid(unsigned int pmc);
bool pfm_pmd_valid(unsigned int pmd);
unsigned int pfm_pmd_count(void);
u64 pfm_counter_top(const struct pfm_reg_desc *desc);
const struct pfm_pmu *pfm_pmu_use(const struct pfm_pmu *pmu);

/* sets.c: one more than the highest index of a counter. */
extern unsigned int pfm_counters_end;

/* An index beyond the PMU's registers is a bug of the caller: register 0 instead. */
static __always_inline struct pfm_pmd *pfm_pmd_of(const struct pfm_event_set *set,
						  unsigned int pmd)
{
	if (WARN_ON_ONCE(pmd >= pfm_pmu->num_pmds))
		pmd = 0;
	return (struct pfm_pmd *)set->pmds + pmd;
}

/* NULL: the PMD is no counter, and cannot overflow. */
static __always_inline struct pfm_request *pfm_counter_request(const struct pfm_event_set *set,
							       unsigned int pmd)
{
	return pmd < pfm_counters_end ? (struct pfm_request *)set->counter_requests + pmd : NULL;
}

/* As pfm_pmd_of(). */
static __always_inline struct pfm_request *pfm_pmc_request(const struct pfm_event_set *set,
							   unsigned int pmc)
{
	if (WARN_ON_ONCE(pmc >= pfm_pmu->num_pmcs))
		pmc = 0;
	return (struct pfm_request *)set->pmc_requests + pmc;
}

static inline u64 pfm_width_mask(unsigned int width)
{
	return width >= 64 ? ~0ULL : BIT_ULL(width) - 1;
}

/* Events between two readings of a counter, fewer than it can count. */
static inline u64 pfm_counter_delta(const struct pfm_pmd *pmd, u64 to)
{
	return (to - pmd->hw) & pmd->mask;
}

/**
 * pfm_counter_arm() - What to load into a hardware counter for a 64-bit value.
 * @mask: bits of the hardware counter
 * @top: pfm_counter_top() of it
 * @value: 64-bit value of the logical counter
 *
 * The hardware counter must overflow at the latest when the logical one does,
 * that is, when it reaches 2^64; overflows before that are steps on the way.
 * What it gets are the low bits of @value where these are near enough to the
 * overflow, else the farthest point before it that a write can set and whose
 * highest bit is set. So the counter is always found lower than it was after
 * an overflow: one that begins at zero could come round unnoticed.
 *
 * Return: the value to load.
 */
static inline u64 pfm_counter_arm(u64 mask, u64 top, u64 value)
{
	u64 low = value & mask;

	return (low & top) == top ? low : top;
}

/* Not for counters: they have 64 bits, all of them the user's. */
static inline u64 pfm_reg_apply_rsvd(const struct pfm_reg_desc *desc, u64 value)
{
	value &= pfm_width_mask(desc->width);
	return (value & ~desc->rsvd) | (desc->def & desc->rsvd);
}

/* A PMD's value as its user sees it: without 64-bit emulation, just the register. */
static inline u64 pfm_pmd_user_value(const struct pfm_event_set *set, unsigned int pmd, u64 value)
{
	return set->narrow_pmds & BIT_ULL(pmd) ? value & pfm_pmd_of(set, pmd)->mask : value;
}

/* virtual.c: PMDs that the kernel computes. */
const struct pfm_reg_desc *pfm_virtual_desc(unsigned int pmd);
u64 pfm_virtual_read(struct pfm_context *ctx, struct task_struct *task, unsigned int pmd);
void pfm_task_ids(struct pfm_context *ctx, struct task_struct *task);

static inline bool pfm_pmd_is_virtual(unsigned int pmd)
{
	return pmd >= PFM_VIRTUAL_PMD;
}

/* format.c */
const pfm_buffer_fmt_t *pfm_format_get(const pfm_uuid_t uuid);
void pfm_format_put(const pfm_buffer_fmt_t *fmt);
int pfm_formats_publish(struct kobject *top);

/* reset.c */
u32 pfm_random_seed(u32 seed);
u32 pfm_random_next(u32 state);
void pfm_pmd_set_value(struct pfm_event_set *set, unsigned int pmd, u64 value);
void pfm_reset_pmds(struct pfm_event_set *set, u64 overflowed, bool after_notify);
void pfm_reset_overdue(struct pfm_event_set *set, bool after_notify);
u64 pfm_laps(u64 beyond, u64 reset, u64 *value);
bool pfm_has_lapped(const struct pfm_event_set *set, unsigned int pmd);
u64 pfm_reset_laps(struct pfm_event_set *set, unsigned int pmd, u64 overflowed);

/* sets.c */
void pfm_sets_use(void);
struct pfm_event_set *pfm_set_alloc(u16 id, u32 ctx_flags);
void pfm_set_free(struct pfm_event_set *set);
struct pfm_event_set *pfm_set_find(struct pfm_context *ctx, u16 id);
int pfm_sets_init(struct pfm_context *ctx);
void pfm_sets_destroy(struct pfm_context *ctx);
int pfm_sets_chain(struct pfm_context *ctx);
void pfm_sets_refresh(struct pfm_context *ctx);

/* All sets by number: @id is an unsigned long. */
#define pfm_for_each_set(ctx, id, set)					\
	for ((id) = 0, (set) = (ctx)->set0; (set);			\
	     (set) = xa_find_after(&(ctx)->sets, &(id), ULONG_MAX, XA_PRESENT))

/* buffer.c */
int pfm_buffer_alloc(struct pfm_context *ctx, u64 size);
void pfm_buffer_put(struct pfm_context *ctx);
int pfm_buffer_mmap(struct pfm_context *ctx, struct vm_area_struct *vma);

/* memory.c */
struct pfm_account *pfm_account_get(struct user_struct *user);
void pfm_account_put(struct pfm_account *account);
int pfm_memlock_charge(struct user_struct *user, unsigned long pages);
void pfm_memlock_uncharge(struct user_struct *user, unsigned long pages);
int pfm_memory_charge(struct pfm_context *ctx, size_t size);
void pfm_memory_uncharge(struct pfm_context *ctx, size_t size);

/* message.c */
size_t pfm_msgq_size(unsigned int depth);
int pfm_msgq_init(struct pfm_msgq *q, unsigned int depth);
void pfm_msgq_destroy(struct pfm_msgq *q);
void pfm_msgq_reset(struct pfm_msgq *q);
bool pfm_msgq_post(struct pfm_msgq *q, const struct pfm_note *note);
void pfm_msgq_end(struct pfm_msgq *q);
void pfm_msgq_preempt(struct pfm_msgq *q, u32 type);
void pfm_msgq_throttle(struct pfm_msgq *q, const struct pfm_note *note);
bool pfm_msgq_peek(struct pfm_msgq *q, pfm_msg_t *msg, unsigned long *nr);
void pfm_msgq_pop(struct pfm_msgq *q, const pfm_msg_t *msg, unsigned long nr);
bool pfm_msgq_empty(struct pfm_msgq *q);

/* notify.c */
void pfm_notify_init(struct pfm_context *ctx);
void pfm_block(struct pfm_context *ctx);
void pfm_notify(struct pfm_context *ctx);
void pfm_notify_end(struct pfm_context *ctx);
void pfm_notify_preempt(struct pfm_context *ctx, u32 type);
void pfm_notify_cancel(struct pfm_context *ctx);
void pfm_unblock(struct pfm_context *ctx);

/* cpu.c: ownership of the PMU of a CPU. */
struct pfm_cpu {
	struct pfm_context	*ctx;		/* counting here, now */
	u64			activation;	/* full loadings so far */
	u64			epoch;		/* of pfm_cpu_epoch, when initialised */
	u64			last_stamp;	/* last time stamp given out */
	u64			coarse_until;	/* local_clock(); 0: count in periods */
	unsigned long		wrapped;	/* jiffies when a counter last had */
	bool			running;	/* values may be in hardware only */
	struct pfm_context	*suspended;	/* to count here again after the suspend */
	struct pfm_context	*system_ctx;	/* system-wide context bound here */
};

DECLARE_PER_CPU(struct pfm_cpu, pfm_cpu);
void pfm_cpu_in(struct pfm_context *ctx);
u64 pfm_cpu_out(struct pfm_context *ctx);
void pfm_cpu_new_epoch(void);
void pfm_cpu_quiesce(void *unused);

/* multiplex.c: the active set, and the time it has. */
void pfm_set_activate(struct pfm_context *ctx, struct pfm_event_set *set);
void pfm_set_switch(struct pfm_context *ctx, bool after_notify);
void pfm_clock_in(struct pfm_context *ctx, u64 now);
void pfm_clock_out(struct pfm_context *ctx, u64 now);
void pfm_timer_arm(struct pfm_context *ctx);
void pfm_timer_forget(unsigned int cpu);
void pfm_timer_at(u64 end, u64 now);
u64 pfm_timeout_effective(u64 ns);

/* throttle.c: how much of a CPU's time interrupts may take. */
extern unsigned int pfm_interrupt_rate_max;
extern unsigned int pfm_cpu_time_max_percent;
void pfm_throttle_charge(u64 began);
void pfm_throttle_check(u64 now);
void pfm_throttle_wait(int cpu);

/* Context: on the CPU, interrupts off. */
static inline bool pfm_throttled(void)
{
	return unlikely(__this_cpu_read(pfm_cpu.coarse_until));
}

/* overflow.c: stopping to look and to change, and going on. */
void pfm_pause(struct pfm_context *ctx);
void pfm_resume(struct pfm_context *ctx);
void pfm_resume_at(struct pfm_context *ctx, u64 now);
void pfm_timer_expired(struct pfm_context *ctx);
bool pfm_excludes(const struct pfm_context *ctx, const struct task_struct *task);

/* preempt.c: sessions that give way. Read the flag by pfm_is_suspended(). */
extern bool pfm_suspended;
void pfm_preempt_add(struct pfm_context *ctx);
void pfm_preempt_del(struct pfm_context *ctx);
void pfm_preempt_suspend(void);
void pfm_preempt_resume(void);

static inline bool pfm_is_suspended(const struct pfm_context *ctx)
{
	return unlikely(ctx->yields) && READ_ONCE(pfm_suspended);
}

static inline bool pfm_may_run(const struct pfm_context *ctx)
{
	return ctx->started && !ctx->masked && !pfm_is_suspended(ctx);
}

/* target.c: run a function where a context's registers are. */
typedef void (*pfm_target_fn)(struct pfm_context *ctx, bool here, void *arg);
void pfm_target_call_remote(struct pfm_context *ctx, struct task_struct *task,
			    pfm_target_fn fn, void *arg);
void pfm_target_call_cpu(struct pfm_context *ctx, pfm_target_fn fn, void *arg);

/* As pfm_target_call(), for a thread, referenced, that need not be the context's yet. */
static __always_inline void pfm_target_call_task(struct pfm_context *ctx,
						 struct task_struct *task,
						 pfm_target_fn fn, void *arg)
{
	if (task == current) {
		local_irq_disable();
		fn(ctx, true, arg);
		local_irq_enable();
	} else {
		pfm_target_call_remote(ctx, task, fn, arg);
	}
}

/**
 * pfm_target_call() - Run a function where a context's registers are.
 * @ctx: the context, locked
 * @fn: called once, with interrupts off, possibly under a run-queue lock: it must be
 *	short, and neither sleep nor wake anybody; "here" says whether the context,
 *	when started, counts on this CPU
 * @arg: passed to @fn
 *
 * Context: may sleep.
 */
static __always_inline void pfm_target_call(struct pfm_context *ctx, pfm_target_fn fn, void *arg)
{
	lockdep_assert_held(&ctx->lock);
	if (ctx->task)
		pfm_target_call_task(ctx, ctx->task, fn, arg);
	else
		pfm_target_call_cpu(ctx, fn, arg);
}

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
bool pfm_is_privileged(void);

/* Who may have the NMI watchdog paused; /sys/kernel/perfmon/limits. */
enum pfm_watchdog_pause {
	PFM_PAUSE_ANY,
	PFM_PAUSE_CAPABLE,
	PFM_PAUSE_NEVER,
};

extern enum pfm_watchdog_pause pfm_watchdog_pause_by;
bool pfm_may_pause_watchdog(void);
extern unsigned int pfm_timeout_min_ns;

/* sessions.c: who holds the PMU. */
int pfm_gate_enter(void);
void pfm_gate_leave(void);
int pfm_session_check(const struct pfm_context *ctx);
int pfm_session_get(struct pfm_context *ctx);
void pfm_session_put(struct pfm_context *ctx);
bool pfm_session_exists(void);
void pfm_session_counts(unsigned int *threads, unsigned int *cpus);

/* rules.c: what some PMUs have, and most do not. Flags of bits 16-23 are theirs. */
#define PFM_FL_ARCH		0x00ff0000U
#define PFM_SETFL_ARCH		0x00ff0000U

int pfm_rules_check_context(u32 flags);
bool pfm_rules_allow_set(u32 ctx_flags, u32 set_flags);
int pfm_rules_check_pmc(struct pfm_context *ctx, const struct pfm_event_set *set,
			unsigned int pmc, u64 value);
bool pfm_rules_stop_excluded(u32 set_flags);
bool pfm_rules_direct(void);
int pfm_rules_claim(struct pfm_context *ctx);
void pfm_rules_unclaim(struct pfm_context *ctx);
void pfm_rules_thread(struct pfm_context *ctx, struct task_struct *task,
		      enum pfm_thread_event event);

/* attach.c */
bool pfm_files_have(struct files_struct *files, unsigned int fd, struct file *filp);
void pfm_detach(struct pfm_context *ctx, bool end);

/* context.c */
extern const struct file_operations pfm_file_ops;
void pfm_context_put(struct pfm_context *ctx);
bool pfm_context_tryget(struct pfm_context *ctx);
struct pfm_context *pfm_context_get(struct pfm_context **slot);

/**
 * struct pfm_call - One call of perfmonctl(), arguments copied in.
 * @ctx: the context, for commands that have one
 * @fd: its descriptor
 * @args: array of @n elements of the command's type, or NULL
 * @n: elements
 * @done: elements to copy out, set by the handler: all those processed, and
 *	the one that was found bad, whose return flag says so
 * @behind: PFM_CREATE_CONTEXT: what follows the argument in user memory
 * @new_file: PFM_CREATE_CONTEXT: to be installed once the result is copied out,
 *	else dropped
 * @new_fd: its descriptor
 */
struct pfm_call {
	struct pfm_context	*ctx;
	int			fd;
	void			*args;
	unsigned int		n;
	unsigned int		done;
	void __user		*behind;
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
int pfm_restart(struct pfm_call *call);
int pfm_load_context(struct pfm_call *call);
int pfm_unload_context(struct pfm_call *call);
int pfm_create_context(struct pfm_call *call);
int pfm_create_evtsets(struct pfm_call *call);
int pfm_delete_evtsets(struct pfm_call *call);
int pfm_getinfo_evtsets(struct pfm_call *call);
int pfm_set_config(struct pfm_call *call);
int pfm_get_config(struct pfm_call *call);

#endif /* _KERNEL_PERFMON_H */
