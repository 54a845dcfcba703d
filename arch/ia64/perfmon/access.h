/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfmon2: access to the registers of the Itanium's PMU or, in a kernel for another
 * architecture, to the model of them that the KUnit tests use.
 *
 * The following instructions see a write only after a serialisation.
 */
#ifndef _IA64_PERFMON_ACCESS_H
#define _IA64_PERFMON_ACCESS_H

#include <linux/sched.h>
#include <linux/types.h>

#define PFM_ITA_PSR_UP		BIT(2)
#define PFM_ITA_PSR_SP		BIT(20)
#define PFM_ITA_PSR_PP		BIT(21)
#define PFM_ITA_DCR_PP		BIT(0)

#ifdef CONFIG_IA64

#include <asm/hw_irq.h>
#include <asm/intrinsics.h>
#include <asm/irq_regs.h>
#include <asm/kregs.h>
#include <asm/processor.h>
#include <asm/ptrace.h>

static inline void pfm_ita_set_pmc(unsigned int n, u64 value)
{
	ia64_set_pmc(n, value);
}

static inline void pfm_ita_set_pmd(unsigned int n, u64 value)
{
	ia64_set_pmd(n, value);
}

static inline u64 pfm_ita_get_pmd(unsigned int n)
{
	return ia64_get_pmd(n);
}

static inline void pfm_ita_set_ibr(unsigned int n, u64 value)
{
	ia64_set_ibr(n, value);
	ia64_srlz_i();
}

static inline void pfm_ita_set_dbr(unsigned int n, u64 value)
{
	ia64_set_dbr(n, value);
	ia64_srlz_d();
}

static inline void pfm_ita_serialize(void)
{
	ia64_srlz_d();
}

static inline unsigned long pfm_ita_get_psr(void)
{
	return ia64_getreg(_IA64_REG_PSR);
}

static inline void pfm_ita_set_psr_up(bool on)
{
	if (on)
		ia64_ssm(IA64_PSR_UP);
	else
		ia64_rsm(IA64_PSR_UP);
	ia64_srlz_i();
}

static inline void pfm_ita_set_psr_pp(bool on)
{
	if (on)
		ia64_ssm(IA64_PSR_PP);
	else
		ia64_rsm(IA64_PSR_PP);
	ia64_srlz_i();
}

static inline void pfm_ita_set_dcr_pp(bool on)
{
	unsigned long dcr = ia64_getreg(_IA64_REG_CR_DCR);

	ia64_setreg(_IA64_REG_CR_DCR, on ? dcr | IA64_DCR_PP : dcr & ~IA64_DCR_PP);
	ia64_srlz_i();
}

/* Unmask the PMU's interrupt on this CPU. */
static inline void pfm_ita_open_interrupt(void)
{
	ia64_setreg(_IA64_REG_CR_PMV, IA64_PERFMON_VECTOR);
	ia64_srlz_d();
}

/* The psr that a thread will have at user level. */
static inline unsigned long *pfm_ita_user_psr(struct task_struct *task)
{
	return &task_pt_regs(task)->cr_ipsr;
}

/* The saved psr of the kernel code that was interrupted on this CPU, or NULL. */
static inline unsigned long *pfm_ita_interrupted_psr(void)
{
	struct pt_regs *regs = get_irq_regs();

	return regs && regs != task_pt_regs(current) ? &regs->cr_ipsr : NULL;
}

/* perfmon's own word of a thread; see psr.c. */
static inline unsigned long *pfm_ita_thread_pp(struct task_struct *task)
{
	return &task->thread.pfm_pp;
}

/* True if psr.sp must be 0 at user level: an exec checks it. */
static inline void pfm_ita_set_insecure(struct task_struct *task, bool insecure)
{
	task->thread.pfm_insecure = insecure;
}

static inline bool pfm_ita_is_kernel_thread(struct task_struct *task)
{
	return task->flags & PF_KTHREAD;
}

#else

void pfm_ita_set_pmc(unsigned int n, u64 value);
void pfm_ita_set_pmd(unsigned int n, u64 value);
u64 pfm_ita_get_pmd(unsigned int n);
void pfm_ita_set_ibr(unsigned int n, u64 value);
void pfm_ita_set_dbr(unsigned int n, u64 value);
void pfm_ita_serialize(void);
unsigned long pfm_ita_get_psr(void);
void pfm_ita_set_psr_up(bool on);
void pfm_ita_set_psr_pp(bool on);
void pfm_ita_set_dcr_pp(bool on);
void pfm_ita_open_interrupt(void);
unsigned long *pfm_ita_user_psr(struct task_struct *task);
unsigned long *pfm_ita_interrupted_psr(void);
unsigned long *pfm_ita_thread_pp(struct task_struct *task);
void pfm_ita_set_insecure(struct task_struct *task, bool insecure);
bool pfm_ita_is_kernel_thread(struct task_struct *task);

#endif

#endif /* _IA64_PERFMON_ACCESS_H */
