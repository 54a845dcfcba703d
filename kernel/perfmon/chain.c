// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: call chains, a service to sampling formats.
 *
 * The unwinders are those of perf_events: for the kernel ORC or frame pointers, for user
 * level frame pointers, with faults off, because this may be an NMI.
 *
 * They write to a buffer of each CPU, from which the addresses are copied: one address more than
 * was requested shows that there are more, and on some architectures marks stand among the
 * addresses.
 */
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_host.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>

#ifdef CONFIG_PERF_EVENTS

/* A user-level chain may have a mark before each address, a kernel chain has none. */
#define PFM_CHAIN_ROOM	((1 + PFM_HOST_UNWINDS_MARKS) * (PFM_CHAIN_DEPTH_MAX + 1))

/* A struct perf_callchain_entry. Used by handlers only: with counting stopped. */
struct pfm_chain_place {
	u64	nr;
	u64	ip[PFM_CHAIN_ROOM];
};

static DEFINE_PER_CPU(struct pfm_chain_place, pfm_chain_place);

static_assert(offsetof(struct perf_callchain_entry, ip) == offsetof(struct pfm_chain_place, ip));

/* Copy without marks, and without the 0 for an address that the unwinder does not trust. */
static unsigned int pfm_chain_copy(const struct perf_callchain_entry *entry,
				   unsigned int depth, u64 *to)
{
	unsigned int i, n = 0;
	u64 ip;

	for (i = 0; i < entry->nr && n < depth; i++) {
		ip = entry->ip[i];
		if (ip && ip < (u64)PERF_CONTEXT_MAX)
			to[n++] = ip;
	}
	return n;
}

/*
 * max_stack bounds addresses, but not marks. In the kernel no mark is accepted: the chain ends
 * where an interrupt has interrupted the kernel, and counts as cut. At user level all marks are
 * accepted: if they were limited, POWER's unwinder would not end on a stack that loops. Each
 * mark comes with an address, so they are bounded, too.
 */
static unsigned int pfm_chain_part(unsigned int part, struct pt_regs *regs,
				   unsigned int depth, u64 *to, struct pfm_chain *found)
{
	bool marks = PFM_HOST_UNWINDS_MARKS && part == PFM_CHAIN_USER;
	struct perf_callchain_entry_ctx walk = {
		.entry = (void *)this_cpu_ptr(&pfm_chain_place),
		.max_stack = depth + 1,
		.contexts = marks ? SHRT_MIN : SHRT_MAX,
	};

	walk.entry->nr = 0;
	if (part == PFM_CHAIN_KERNEL)
		perf_callchain_kernel(&walk, regs);
	else
		perf_callchain_user(&walk, regs);
	if (walk.nr > depth || walk.contexts_maxed)
		found->cut |= part;
	return pfm_chain_copy(walk.entry, depth, to);
}

/* The registers of user level: @regs, or those of the entry to the kernel; NULL without any. */
static struct pt_regs *pfm_chain_user_regs(const struct task_struct *task, struct pt_regs *regs)
{
	if (user_mode(regs))
		return regs;
	regs = task->flags & PF_KTHREAD ? NULL : task_pt_regs((struct task_struct *)task);
	return regs && user_mode(regs) ? regs : NULL;
}

/*
 * During a thread switch or an exec, the memory does not belong to the registers: a frame
 * pointer would be followed in the wrong memory.
 */
static unsigned int pfm_chain_user(struct pt_regs *regs, unsigned int depth, u64 *to,
				   struct pfm_chain *found)
{
	const struct task_struct *task = pfm_thread_here();

	regs = pfm_chain_user_regs(task, regs);
	if (!regs)
		return 0;
	if (task == current && current->mm && !current->in_execve)
		return pfm_chain_part(PFM_CHAIN_USER, regs, depth, to, found);
	*to = instruction_pointer(regs);
	return 1;
}

/**
 * pfm_chain_works() - Are there unwinders for pfm_chain()?
 *
 * Return: false where pfm_chain() finds nothing: the kernel has no perf_events, or perfmon is a
 * module and could not find the functions of perf_events.
 *
 * Context: any.
 */
bool pfm_chain_works(void)
{
	return PFM_HOST_UNWINDS;
}

#else

static unsigned int pfm_chain_part(unsigned int part, struct pt_regs *regs,
				   unsigned int depth, u64 *to, struct pfm_chain *found)
{
	return 0;
}

static unsigned int pfm_chain_user(struct pt_regs *regs, unsigned int depth, u64 *to,
				   struct pfm_chain *found)
{
	return 0;
}

bool pfm_chain_works(void)
{
	return false;
}

#endif /* CONFIG_PERF_EVENTS */
EXPORT_SYMBOL_GPL(pfm_chain_works);

/**
 * pfm_chain() - Find the calls that led to where an overflow happened.
 * @data: the handler's argument
 * @parts: PFM_CHAIN_KERNEL, PFM_CHAIN_USER, or both
 * @depth: addresses of a part, at most; no more than PFM_CHAIN_DEPTH_MAX are found
 * @to: array, @depth addresses for each part of @parts
 * @found: set to the number of addresses of each part, and to the parts that were cut
 *
 * @to gets the addresses in the kernel first, then those of user level, each from the innermost
 * function outwards. The kernel's begin with the interrupted instruction; there are none when
 * that is at user level, or when the context may not see the kernel. Addresses of user level begin
 * with the interrupted instruction, or with the one to which the kernel returns; a kernel thread
 * has none. The further ones follow the program's frame pointers: in a program without frame
 * pointers they are arbitrary.
 *
 * The time taken grows with @depth, and is bounded by it.
 *
 * Context: a format's fmt_handler, called with this @data; nowhere else.
 */
void pfm_chain(const struct pfm_ovfl_data *data, unsigned int parts, unsigned int depth,
	       u64 *to, struct pfm_chain *found)
{
	memset(found, 0, sizeof(*found));
	depth = min_t(unsigned int, depth, PFM_CHAIN_DEPTH_MAX);
	if (!data->regs || !depth || !pfm_chain_works())
		return;
	if ((parts & PFM_CHAIN_KERNEL) && !user_mode(data->regs))
		found->kernel = pfm_chain_part(PFM_CHAIN_KERNEL, data->regs, depth, to, found);
	if (parts & PFM_CHAIN_USER)
		found->user = pfm_chain_user(data->regs, depth, to + found->kernel, found);
}
EXPORT_SYMBOL_GPL(pfm_chain);
