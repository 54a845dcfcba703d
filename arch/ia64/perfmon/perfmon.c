// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: ia64: find the PMU, take its interrupt, keep track of debugged threads.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/sched.h>
#include <asm/hw_irq.h>
#include <asm/irq_regs.h>
#include <asm/perfmon.h>
#include <asm/processor.h>
#include <asm/ptrace.h>
#include "../kernel/irq.h"
#include "work.h"

/**
 * pfm_ia64_debug_begin() - A debugger needs a thread's debug registers.
 * @task: the thread, stopped; it has no breakpoints
 *
 * Return: 0; -EBUSY while a context uses the registers for range restrictions.
 */
int pfm_ia64_debug_begin(struct task_struct *task)
{
	return pfm_ita_debug_thread_uses();
}

/**
 * pfm_ia64_debug_end() - A thread has no breakpoints any more.
 * @task: the thread: current, or stopped
 */
void pfm_ia64_debug_end(struct task_struct *task)
{
	if (!(task->thread.flags & IA64_THREAD_DBG_VALID))
		return;
	task->thread.flags &= ~IA64_THREAD_DBG_VALID;
	pfm_ita_debug_thread_drops();
}

/**
 * pfm_ia64_debug_settle() - A debugger has changed a thread's debug registers.
 * @task: the thread, stopped
 *
 * When all are zero, debugging no longer uses the registers.
 */
void pfm_ia64_debug_settle(struct task_struct *task)
{
	unsigned long used = 0;
	unsigned int i;

	for (i = 0; i < IA64_NUM_DBG_REGS; i++)
		used |= task->thread.ibr[i] | task->thread.dbr[i];
	if (used)
		return;
	/* Otherwise it would stop at breakpoints that other threads left in the CPU. */
	ia64_psr(task_pt_regs(task))->db = 0;
	pfm_ia64_debug_end(task);
}

static irqreturn_t pfm_ia64_interrupt(int irq, void *dev_id)
{
	return pfm_pmu_interrupt(get_irq_regs()) ? IRQ_HANDLED : IRQ_NONE;
}

static int __init pfm_ia64_init(void)
{
	static const struct pfm_ita_model * const models[] __initconst = {
		&pfm_itanium, &pfm_itanium2, &pfm_montecito
	};
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(models); i++) {
		if (models[i]->family != local_cpu_data->family)
			continue;
		err = pfm_pmu_register(pfm_ita_use(models[i]));
		if (!err)
			register_percpu_irq(IA64_PERFMON_VECTOR, pfm_ia64_interrupt, 0, "perfmon");
		return err;
	}
	return 0;
}
device_initcall(pfm_ia64_init);
