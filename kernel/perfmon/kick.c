// SPDX-License-Identifier: GPL-2.0
/*
 * perfmon2: an interrupt that an NMI raises on its own CPU.
 *
 * The interrupt itself does nothing. What it is for is done at its end: the work of a thread
 * that returns to user mode, the preemption by a thread that was woken.
 */
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/perfmon_host.h>
#include "kick.h"

static DEFINE_PER_CPU(struct irq_work, pfm_kick_work);

static void pfm_kick_fn(struct irq_work *work)
{
}

/**
 * pfm_kick_init() - Get ready for pfm_kick().
 *
 * In a module, a pointer in the initial value of per-CPU data would be NULL: the loader does not
 * relocate that section (apply_relocations() in kernel/module/main.c).
 *
 * Return: 0.
 */
int __init pfm_kick_init(void)
{
	struct irq_work *work;
	int cpu;

	for_each_possible_cpu(cpu) {
		work = per_cpu_ptr(&pfm_kick_work, cpu);
		*work = IRQ_WORK_INIT_HARD(pfm_kick_fn);
	}
	return 0;
}
pfm_initcall(core, pfm_kick_init);

/**
 * pfm_kick_exit() - Undo pfm_kick_init(): no interrupt is pending.
 *
 * Context: may sleep; there is no context.
 */
void __exit pfm_kick_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&pfm_kick_work, cpu));
}

/**
 * pfm_kick() - Raise an interrupt on this CPU.
 *
 * It comes as soon as interrupts are on.
 *
 * Context: any, NMI as well, on which the CPU does not change.
 */
void pfm_kick(void)
{
	irq_work_queue(this_cpu_ptr(&pfm_kick_work));
}
