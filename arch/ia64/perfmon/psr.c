// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: the processor status bits that enable the Itanium's monitors.
 *
 * User monitors count while psr.up is set. psr.up belongs to the thread: PFM_START and
 * PFM_STOP change it in the psr that the thread has at user level, and an insecure thread
 * itself uses sum and rum. An interruption does not change psr.up: in the kernel it has its
 * value of user level.
 *
 * Privileged monitors count while psr.pp is set, which an interruption (a system call
 * by break, a fault, an external interrupt) sets to dcr.pp, and the return from it
 * restores. So psr.pp distinguishes code outside of interruptions from code in them, as
 * dcr.pp and the psr outside choose:
 *
 *			outside of interruptions	in them: dcr.pp
 *	by default		1			1
 *	EXCL_INTR		1			0
 *	INTR_ONLY		0			1
 *	excluded thread		0			as above
 *
 * psr.pp is not switched with the registers. Each thread's psr.pp is kept in a word of its
 * own, with a token of the session or of the flags for which it was set: with another token
 * it is computed anew.
 */
#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include "access.h"
#include "work.h"

/* Tokens: for a thread's context one for each pair of flags; above these, CPUs' sessions. */
#define ITA_FIRST_SESSION	16

/* The token of the session of this CPU, if its system-wide context is started; else 0. */
DEFINE_PER_CPU(unsigned long, pfm_ita_session);

/* The active set's flags. */
static DEFINE_PER_CPU(u32, pfm_ita_set_flags);

static atomic_long_t ita_sessions = ATOMIC_LONG_INIT(ITA_FIRST_SESSION);

/* A set that does not count the kernel ignores the flags about interruptions. */
static u32 ita_flags(const struct pfm_regs *regs)
{
	if (regs->enable & PFM_ITA_ENABLE_KERNEL)
		return regs->set_flags;
	return regs->set_flags & ~(PFM_ITA_SETFL_EXCL_INTR | PFM_ITA_SETFL_INTR_ONLY);
}

static void ita_set_bit(unsigned long *psr, unsigned long bit, bool on)
{
	if (on)
		*psr |= bit;
	else
		*psr &= ~bit;
}

/* psr.pp of a thread outside of interruptions. */
static bool ita_pp_outside(u32 set_flags, struct task_struct *task)
{
	if (set_flags & PFM_ITA_SETFL_INTR_ONLY)
		return false;
	return !((set_flags & PFM_SETFL_EXCL_IDLE) && is_idle_task(task)) &&
	       !((set_flags & PFM_SETFL_EXCL_KERNEL_ONLY_THREADS) &&
		 pfm_ita_is_kernel_thread(task));
}

/* psr.pp in interruptions. */
static bool ita_pp_inside(u32 set_flags)
{
	return !(set_flags & PFM_ITA_SETFL_EXCL_INTR);
}

/* A kernel thread is in the kernel without an interruption, any other thread by one. */
static bool ita_pp_in_kernel(u32 set_flags, struct task_struct *task)
{
	return pfm_ita_is_kernel_thread(task) ? ita_pp_outside(set_flags, task) :
						ita_pp_inside(set_flags);
}

static void ita_remember(struct task_struct *task, unsigned long token)
{
	bool pp = pfm_ita_get_psr() & PFM_ITA_PSR_PP;

	*pfm_ita_thread_pp(task) = token << 1 | pp;
}

/* psr.pp of a thread in the kernel: as it was kept for @token, or computed. */
static bool ita_recall(struct task_struct *task, unsigned long token, u32 set_flags)
{
	unsigned long word = *pfm_ita_thread_pp(task);

	return word >> 1 == token ? word & 1 : ita_pp_in_kernel(set_flags, task);
}

/* Monitoring begins while current runs: set psr.pp, and where it is saved. */
static void ita_begin(u32 set_flags)
{
	unsigned long *interrupted = pfm_ita_interrupted_psr();
	bool pp = ita_pp_in_kernel(set_flags, current);

	ita_set_bit(pfm_ita_user_psr(current), PFM_ITA_PSR_PP, ita_pp_outside(set_flags, current));
	if (interrupted) {
		ita_set_bit(interrupted, PFM_ITA_PSR_PP, pp);
		pp = ita_pp_inside(set_flags);
	}
	pfm_ita_set_psr_pp(pp);
}

static void ita_start_cpu(u32 set_flags)
{
	if (__this_cpu_read(pfm_ita_session) && __this_cpu_read(pfm_ita_set_flags) == set_flags)
		return;
	__this_cpu_write(pfm_ita_session, atomic_long_inc_return(&ita_sessions));
	__this_cpu_write(pfm_ita_set_flags, set_flags);
	pfm_ita_set_dcr_pp(ita_pp_inside(set_flags));
	ita_begin(set_flags);
}

static unsigned long ita_thread_token(u32 set_flags)
{
	return 1 + (ita_pp_inside(set_flags) ? 1 : 0) +
	       (set_flags & PFM_ITA_SETFL_INTR_ONLY ? 2 : 0);
}

static void ita_start_thread(u32 set_flags)
{
	unsigned long token = ita_thread_token(set_flags);

	pfm_ita_set_dcr_pp(ita_pp_inside(set_flags));
	if (*pfm_ita_thread_pp(current) >> 1 == token)
		pfm_ita_set_psr_pp(ita_recall(current, token, set_flags));
	else
		ita_begin(set_flags);
}

/**
 * pfm_ita_psr_start() - Have the monitors of a set count.
 * @regs: the set
 *
 * Context: &pfm_pmu_ops.start, the PMU is frozen.
 */
void pfm_ita_psr_start(const struct pfm_regs *regs)
{
	if (!pfm_ita_privileged(regs->ctx_flags))
		pfm_ita_set_psr_up(*pfm_ita_user_psr(current) & PFM_ITA_PSR_UP);
	else if (regs->ctx_flags & PFM_FL_SYSTEM_WIDE)
		ita_start_cpu(ita_flags(regs));
	else
		ita_start_thread(ita_flags(regs));
}

/**
 * pfm_ita_psr_stop() - Save psr.pp for the next start.
 * @regs: the set
 *
 * Context: &pfm_pmu_ops.stop, the PMU is frozen.
 */
void pfm_ita_psr_stop(const struct pfm_regs *regs)
{
	if (!(regs->ctx_flags & PFM_ITA_FL_PRIV_MONITORS))
		return;
	ita_remember(current, ita_thread_token(ita_flags(regs)));
	pfm_ita_set_dcr_pp(false);
}

/* Stop privileged monitors in current. */
static void ita_end(void)
{
	unsigned long *interrupted = pfm_ita_interrupted_psr();

	ita_set_bit(pfm_ita_user_psr(current), PFM_ITA_PSR_PP, false);
	if (interrupted)
		ita_set_bit(interrupted, PFM_ITA_PSR_PP, false);
	pfm_ita_set_psr_pp(false);
}

/**
 * pfm_ita_psr_reset() - End a session on this CPU.
 */
void pfm_ita_psr_reset(void)
{
	__this_cpu_write(pfm_ita_session, 0);
	pfm_ita_set_dcr_pp(false);
}

static void ita_cpu_event(enum pfm_thread_event event)
{
	if (event != PFM_THREAD_STOP && event != PFM_THREAD_DETACH)
		return;
	pfm_ita_psr_reset();
	ita_end();
}

/* Set psr.up, and where it is saved. */
static void ita_set_up(struct task_struct *task, bool on)
{
	unsigned long *interrupted;

	ita_set_bit(pfm_ita_user_psr(task), PFM_ITA_PSR_UP, on);
	if (task != current)
		return;
	interrupted = pfm_ita_interrupted_psr();
	if (interrupted)
		ita_set_bit(interrupted, PFM_ITA_PSR_UP, on);
	pfm_ita_set_psr_up(on);
}

static void ita_set_secure(struct task_struct *task, bool secure)
{
	ita_set_bit(pfm_ita_user_psr(task), PFM_ITA_PSR_SP, secure);
	pfm_ita_set_insecure(task, !secure);
}

static void ita_privileged_event(struct task_struct *task, enum pfm_thread_event event)
{
	/* psr.pp is set when the set is started on the PMU, now or later. */
	*pfm_ita_thread_pp(task) = 0;
	if (event == PFM_THREAD_START)
		return;
	if (task == current)
		ita_end();
	else
		ita_set_bit(pfm_ita_user_psr(task), PFM_ITA_PSR_PP, false);
}

/**
 * pfm_ita_psr_thread() - Update the psr of a thread after an event of its context.
 * @task: the thread; NULL: the context is this CPU's
 * @regs: a set of the context
 * @event: the event
 *
 * Context: as &pfm_pmu_rules.thread.
 */
void pfm_ita_psr_thread(struct task_struct *task, const struct pfm_regs *regs,
			enum pfm_thread_event event)
{
	bool insecure = regs->ctx_flags & PFM_ITA_FL_INSECURE;

	if (!task) {
		ita_cpu_event(event);
		return;
	}
	if (pfm_ita_privileged(regs->ctx_flags))
		ita_privileged_event(task, event);
	else
		ita_set_up(task, event == PFM_THREAD_START);
	if (event == PFM_THREAD_ATTACH)
		ita_set_secure(task, !insecure);
	else if (event == PFM_THREAD_ATTACH_SELF)
		ita_set_secure(task, false);
	else if (event == PFM_THREAD_DETACH)
		ita_set_secure(task, true);
}

/**
 * pfm_ita_psr_switch() - Switch psr.pp with the threads, on a CPU with a system-wide context.
 * @prev: the thread that leaves
 * @next: the thread that comes
 *
 * Context: interrupts off, on the stack of @prev, just before the switch.
 */
void pfm_ita_psr_switch(struct task_struct *prev, struct task_struct *next)
{
	unsigned long session = __this_cpu_read(pfm_ita_session);
	u32 set_flags = __this_cpu_read(pfm_ita_set_flags);

	ita_remember(prev, session);
	ita_set_bit(pfm_ita_user_psr(next), PFM_ITA_PSR_PP, ita_pp_outside(set_flags, next));
	pfm_ita_set_psr_pp(ita_recall(next, session, set_flags));
}
