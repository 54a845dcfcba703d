/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: the contract between the core and a sampling buffer format.
 *
 * A format decides what is recorded when a counter overflows, and what happens
 * then. It never sees a context. Its names are those of the specification.
 *
 * The contract has a number, which is built into a module with this header.
 */
#ifndef _LINUX_PERFMON_FMT_H
#define _LINUX_PERFMON_FMT_H

#include <linux/perfmon_branch.h>
#include <linux/types.h>
#include <uapi/perfmon.h>

struct module;
struct pt_regs;

/* Rises with each change of this file's structures or rules. */
#define PFM_FMT_CONTRACT	3

/**
 * typedef pfm_ovfl_ctrl_t - Actions of the core after a call-back.
 * @notify_user: append a message, if any of the counters that overflowed together
 *	wants notification
 * @reset_ovfl_pmds: reset the counters that overflowed: fmt_handler: with the short value,
 *	unless monitoring is masked; fmt_restart: with the long one
 * @block_thread: block the monitored thread, if the context has PFM_FL_NOTIFY_BLOCK
 * @mask_monitoring: count nothing until a restart
 *
 * All are zero when the call-back is called.
 */
typedef struct {
	unsigned int	notify_user:1;
	unsigned int	reset_ovfl_pmds:1;
	unsigned int	block_thread:1;
	unsigned int	mask_monitoring:1;
} pfm_ovfl_ctrl_t;

/**
 * typedef pfm_ovfl_arg_t - A counter has overflowed.
 * @ovfl_pmd: the counter
 * @active_set: its event set
 * @ovfl_ctrl: set by the format
 * @pmd_last_reset: value that was last loaded into the counter
 * @smpl_pmds_values: values of the PMDs of @smpl_pmds, by increasing index
 * @pmd_value: present value of the counter
 * @pmd_eventid: the tool's reg_smpl_eventid
 * @smpl_pmds: PMDs that the tool wants recorded
 * @ovfl_notify: 1 when the tool wants notification for this counter
 * @num_smpl_pmds: number of values; beyond the specification
 */
typedef struct {
	u16		ovfl_pmd;
	u16		active_set;
	pfm_ovfl_ctrl_t	ovfl_ctrl;
	u64		pmd_last_reset;
	u64		smpl_pmds_values[PFM_MAX_PMDS];
	u64		pmd_value;
	u64		pmd_eventid;
	u64		smpl_pmds[PFM_MAX_PMD_BITVECTOR];
	u16		ovfl_notify;
	u16		num_smpl_pmds;
} pfm_ovfl_arg_t;

/**
 * struct pfm_ovfl_data - The data to which fmt_handler's last argument points.
 * @regs: machine state at the interrupt, or, when the context may only see user
 *	mode, that of user mode; NULL when there is none to show
 * @pid: process to which the overflow is attributed, as the tool sees it
 * @tid: its thread
 * @live_pmds: for pfm_branches(): PMDs that change while the event set runs
 */
struct pfm_ovfl_data {
	struct pt_regs	*regs;
	s32		pid;
	s32		tid;
	u64		live_pmds;
};

/* parts of call chains */
#define PFM_CHAIN_KERNEL	0x1
#define PFM_CHAIN_USER		0x2

/* Limit of the addresses of each part. */
#define PFM_CHAIN_DEPTH_MAX	127

/**
 * struct pfm_chain - Result of pfm_chain().
 * @kernel: addresses in the kernel, which come first
 * @user: addresses of user level, which follow
 * @cut: PFM_CHAIN_*: parts with more addresses than were requested
 */
struct pfm_chain {
	u16	kernel;
	u16	user;
	u16	cut;
};

/* fmt_flags */
#define PFM_FMTFL_NOSET		0x1	/* contexts have no sets but set 0 */
/*
 * The last page of the buffer belongs to the tool, which may map it by itself and write to it at
 * any time. The rest must be a page at least. The format must check the content of that page
 * before it uses it: no content may do harm.
 */
#define PFM_FMTFL_READER	0x2

/*
 * The number of failures of a handler, since the load or the last restart, at which monitoring
 * is masked and the tool notified.
 */
#define PFM_FMT_FAILURES_MAX	64

/* Limits of fmt_msgq_depth and fmt_arg_size. */
#define PFM_FMT_MSGQ_DEPTH_MAX	4096
#define PFM_FMT_ARG_SIZE_MAX	65536

/**
 * typedef pfm_buffer_fmt_t - A sampling buffer format.
 * @fmt_name: name in sysfs; the first member in every contract
 * @fmt_uuid: identifies the format to tools
 * @fmt_version: in sysfs: major << 16 | minor
 * @fmt_arg_size: bytes of the argument that follows pfarg_ctx_t
 * @fmt_msgq_depth: messages that the queue must hold; 0 means 1
 * @fmt_flags: PFM_FMTFL_*
 * @owner: module, pinned while a context uses the format
 * @fmt_validate: Optional. Check the argument for a context of these flags on a
 *	machine with that many PMDs. May sleep. Returns 0 or an errno for the tool.
 * @fmt_getsize: Optional. Set the size of the buffer; 0: none. May sleep.
 * @fmt_init: Optional. Initialise the buffer (NULL without one), which is all
 *	zeroes. May sleep. Returns 0 or an errno for the tool.
 * @fmt_handler: Mandatory. A counter overflowed; called once for each, by
 *	increasing index, with the same time stamp. Atomic, see below, and perhaps
 *	an NMI. Returns 0 when it recorded the overflow, -ENOSPC when the buffer has
 *	no room, or another errno; an error ends the calls for this interrupt. With
 *	PFM_FMT_FAILURES_MAX other errors than -ENOSPC, monitoring is masked.
 * @fmt_restart: Optional. PFM_RESTART was called. Atomic, see below. Returns 0,
 *	or an errno for the tool: then nothing changes. Without it, the counters that
 *	overflowed are reset and monitoring goes on.
 * @fmt_exit: Optional. The buffer is about to be freed. May sleep.
 *
 * Atomic means: interrupts are off, and raw spinlocks of the scheduler may be held: a run
 * queue's, a thread's pi_lock. Such a call-back does not sleep, allocate, free, wake
 * a thread, queue work, or print, not even on PREEMPT_RT; it touches neither user memory
 * nor memory that may fault. A handler takes no lock, a restart at
 * most a raw spinlock of the format's own, under which nothing is woken anywhere. It
 * takes a bounded time, the same for every size of the buffer: that is how long the CPU
 * cannot be interrupted.
 *
 * A handler may call pfm_chain() and pfm_branches(), once or several times, with its own data.
 * No other call-back may: a restart runs for threads that are not current, and on other
 * CPUs. A handler is only called for counters of this CPU, with counting stopped, so no two
 * handlers overlap on a CPU; run-queue locks and disabled interrupts do not matter, because
 * the unwinders take no lock and no page fault. The unwinders' time counts as the interrupt's,
 * which the core bounds for each CPU: deep chains of many samples throttle the CPU sooner.
 * pfm_chain_works() and pfm_branches_work() may be called anywhere; call them in fmt_validate.
 *
 * A format for registers of one processor finds their indices in fmt_validate, by pfm_pmd_named().
 * The indices never change. @smpl_pmds_values has the values of the PMDs that the tool named.
 */
typedef struct {
	const char	*fmt_name;
	pfm_uuid_t	fmt_uuid;
	u32		fmt_version;
	size_t		fmt_arg_size;
	size_t		fmt_msgq_depth;
	u32		fmt_flags;
	struct module	*owner;

	int	(*fmt_validate)(u32 ctx_flags, u16 num_pmds, void *arg);
	int	(*fmt_getsize)(u32 ctx_flags, void *arg, size_t *size);
	int	(*fmt_init)(u32 ctx_flags, void *arg, void *buf);
	int	(*fmt_handler)(void *buf, pfm_ovfl_arg_t *arg, u64 tstamp, void *data);
	int	(*fmt_restart)(void *buf, int is_active, pfm_ovfl_ctrl_t *ctrl);
	int	(*fmt_exit)(void *buf);
} pfm_buffer_fmt_t;

int __pfm_register_buffer_fmt(const pfm_buffer_fmt_t *fmt, u32 contract);

/**
 * pfm_register_buffer_fmt() - Register a format.
 * @fmt: the format; stays until it is unregistered
 *
 * Return: 0; -EINVAL when a mandatory member is missing, a member is out of
 * range, or the module was built for another contract, which the kernel's log reports; -EBUSY
 * when the UUID or the name is taken; -ENOMEM.
 *
 * Context: may sleep.
 */
static inline int pfm_register_buffer_fmt(const pfm_buffer_fmt_t *fmt)
{
	return __pfm_register_buffer_fmt(fmt, PFM_FMT_CONTRACT);
}

int pfm_unregister_buffer_fmt(const pfm_uuid_t uuid);

int pfm_pmd_named(const char *name);
bool pfm_chain_works(void);
void pfm_chain(const struct pfm_ovfl_data *data, unsigned int parts, unsigned int depth,
	       u64 *to, struct pfm_chain *found);
bool pfm_branches_work(void);
unsigned int pfm_branches(const struct pfm_ovfl_data *data, unsigned int max,
			  struct pfm_branch *to);

#endif /* _LINUX_PERFMON_FMT_H */
